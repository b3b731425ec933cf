// What the page asks of its server: threads and runs by LangGraph's client, frames by address.
import { Client } from "@langchain/langgraph-sdk/client";

const TOKEN = "wideleaf-token";
const here = new URL(".", location.href); // .../wideleaf/
const api = new URL("..", here).href.replace(/\/$/, "");
const GRAPH = "chat";

export class NeedsToken extends Error {}

export const tokens = {
  get: () => sessionStorage.getItem(TOKEN) ?? "",
  set: (token) => sessionStorage.setItem(TOKEN, token),
};

const headers = () => (tokens.get() ? { authorization: `Bearer ${tokens.get()}` } : {});
const client = () => new Client({ apiUrl: api, apiKey: null, defaultHeaders: headers() });

async function get(path, pairs = []) {
  const response = await fetch(`${here}${path}?${new URLSearchParams(pairs)}`, { headers: headers() });
  if (response.status === 401) throw new NeedsToken("this server answers its users alone");
  if (!response.ok) throw new Error(await refusal(response));
  return response;
}

async function refusal(response) {
  const text = await response.text();
  try {
    return JSON.parse(text).detail ?? text;
  } catch {
    return text;
  }
}

/** The tables of the server and questions of them. */
export const tables = async () => (await get("tables")).json();

/** A look at a frame: `json` its rows, `trace.json` the rows behind a cell, `vega.json` its chart. */
export const look = async (frame, kind, pairs) => (await get(`frames/${frame}.${kind}`, pairs)).json();

/** The tree of frames to an answer, as SVG; pairs of label and id. */
export const drawing = async (frame, pairs) => (await get(`frames/${frame}.tree.svg`, pairs)).text();

/** A whole frame as a file, handed to the browser: a link could bring no token along. */
export async function download(frame, kind, name) {
  const url = URL.createObjectURL(await (await get(`frames/${frame}.${kind}`)).blob());
  const link = Object.assign(document.createElement("a"), { href: url, download: `${name || frame}.${kind}` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

export const begin = async () => (await client().threads.create()).thread_id;
/**
 * What a thread holds, and the question in the middle of its run that waits for a person. One that
 * stands in a message, too, is answered by a message, which may as well ask something else.
 */
export async function state(thread) {
  const { values, tasks } = await client().threads.getState(thread);
  const waits = values?.messages?.at(-1)?.response_metadata?.status !== "asks";
  return { values: values ?? {}, asked: (waits && tasks?.flatMap((one) => one.interrupts ?? [])[0]) || null };
}

export const forget = (thread) => client().threads.delete(thread);

/** The threads of this server that hold a question, the latest first. */
export async function conversations() {
  const found = await client().threads.search({ limit: 30, sortBy: "updated_at", select: ["thread_id", "values"] });
  const titled = (message) => partsOf(message).words || partsOf(message).names.join(", ");
  const named = found.map((one) => ({ id: one.thread_id, title: titled(one.values?.messages?.[0]) }));
  return named.filter((one) => one.title);
}

/**
 * Send a message, or the answer to what a run asked, and follow what comes of it.
 * @param asked The question that the message answers; null of any other message.
 * @param onMessage Told each message, or the next part of one, as it comes.
 */
export async function send(thread, message, { asked, checkpoint, signal, onMessage }) {
  const said = asked ? { command: { resume: { [asked.id]: textOf(message) } } } : { input: { messages: [message] } };
  const given = { ...said, streamMode: ["messages-tuple"], streamSubgraphs: true };
  // A page that is opened anew finds the run again: what ends it is Stop.
  const options = { ...given, checkpoint, signal, onDisconnect: "continue" };
  await follow(thread, { signal, onMessage }, (onRunCreated) => client().runs.stream(thread, GRAPH, { ...options, onRunCreated }));
}

/** The run of a thread that goes on; undefined if none does. */
export async function running(thread) {
  const [last] = await client().runs.list(thread, { limit: 1 });
  return ["pending", "running"].includes(last?.status) ? last.run_id : undefined;
}

/** Follow a run that was under way as the page was opened. */
export const rejoin = (thread, run, { signal, onMessage }) =>
  follow(thread, { signal, onMessage }, (onRunCreated) => {
    onRunCreated({ run_id: run });
    return client().runs.joinStream(thread, run, { signal, streamMode: ["messages-tuple"] });
  });

/** Hand on what a run streams; end the run where the signal says so. */
async function follow(thread, { signal, onMessage }, begin) {
  let ending;
  const onRunCreated = ({ run_id }) => {
    const end = () => { ending = client().runs.cancel(thread, run_id, true).catch(() => {}); };
    if (signal.aborted) end();
    else signal.addEventListener("abort", end);
  };
  try {
    for await (const { event, data } of begin(onRunCreated)) {
      if (event === "error") throw new Error(data?.message ?? String(data));
      if (event.startsWith("messages")) onMessage(data[0]);
    }
  } finally {
    await ending;
  }
}

/** Where a thread stood before a message came in. */
export async function before(thread, message) {
  const states = await client().threads.getHistory(thread, { limit: 1000 });
  const first = states.findLast((one) => one.values.messages?.some(({ id }) => id === message));
  return first?.parent_checkpoint ?? undefined;
}

/** The text of a message. */
export function textOf(message) {
  const content = message?.content ?? "";
  if (typeof content === "string") return content;
  return content.filter((part) => part.type === "text").map((part) => part.text).join("\n\n");
}

/** What stands for a table in the message that brought it, as `graph/attachments` writes it. */
const MARK = /\[attached table ([^\]\n]*), \w+=attached:[0-9a-f]+\.[a-z]+\]/g;

/** The words of a person's message, what stands for the tables that it brought, and their names. */
export function partsOf(message) {
  const text = textOf(message);
  const found = [...text.matchAll(MARK)];
  return { words: text.replace(MARK, "").trim(), marks: found.map(([mark]) => mark), names: found.map(([, name]) => name) };
}

/** A file as a part of a message. */
export async function part(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768));
  const mimeType = file.type || "application/octet-stream";
  return { type: "file", mimeType, data: btoa(text), metadata: { filename: file.name } };
}
