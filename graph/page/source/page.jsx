// The chat page: one conversation at a time, over the tables of the server that gave the page.
import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Answer, Ask, Human, Question, Thoughts } from "./message.jsx";
import { Panel } from "./panel.jsx";
import * as server from "./server.js";

const THOUGHTS = "thoughts-";
const GONE = "This conversation is no longer there: a server keeps them while it runs.";

function Token({ onDone }) {
  const enter = (event) => {
    event.preventDefault();
    server.tokens.set(new FormData(event.target).get("token").trim());
    onDone();
  };
  return (
    <form class="token" onSubmit={enter}>
      <label for="token">This server answers its users alone. Your token, which its owner made by <code>wideleaf users add</code>:</label>
      <input id="token" name="token" type="password" autocomplete="current-password" required />
      <button type="submit">Go on</button>
    </form>
  );
}

function Start({ told, onSay }) {
  if (!told) return <p class="quiet" role="status">Opening the tables …</p>;
  return (
    <section class="start">
      <h2>Ask of {told.tables.length === 1 ? "this table" : "these tables"} in plain words</h2>
      <ul class="tables">
        {told.tables.map((one) => (
          <li key={one.name}>
            <strong>{one.name}</strong> {one.rows.toLocaleString("en")} rows, {one.width.toLocaleString("en")} columns
            <span class="quiet">{one.columns.slice(0, 12).join(", ")}{one.width > 12 ? ", …" : ""}</span>
          </li>
        ))}
      </ul>
      {told.questions.length ? <><p>Questions that are answered:</p><Ask questions={told.questions} onSay={onSay} /></> : null}
    </section>
  );
}

function Composer({ busy, draft, onDraft, onSay, onStop, files, onFiles }) {
  const box = useRef(null);
  useEffect(() => box.current?.focus(), [busy, draft.edits]);
  const submit = (event) => {
    event?.preventDefault();
    if (draft.text.trim() || files.length) onSay(draft.text.trim());
  };
  const enter = (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) submit(event);
  };
  return (
    <form class="composer" aria-label="Ask" onSubmit={submit}>
      {draft.edits ? <p class="quiet">Asking anew in other words; what came after it is left. <button type="button" class="small" onClick={() => onDraft({ text: "" })}>Leave it</button></p> : null}
      {files.map((file) => <p class="quiet" key={file.name}>{file.name} <button type="button" class="small" aria-label={`Take ${file.name} out`} onClick={() => onFiles(files.filter((one) => one !== file))}>×</button></p>)}
      <div>
        <label class="attach" title="Bring a table along">
          <span aria-hidden="true">+</span>
          <input type="file" multiple aria-label="Bring a table along" onChange={(event) => { onFiles([...files, ...event.target.files]); event.target.value = ""; }} />
        </label>
        <textarea ref={box} rows={1} aria-label="Your question" placeholder="Ask of the tables, or say how to go on" value={draft.text} onInput={(event) => onDraft({ ...draft, text: event.target.value })} onKeyDown={enter} />
        {busy ? <button type="button" onClick={onStop}>Stop</button> : <button type="submit">Ask</button>}
      </div>
    </form>
  );
}

function Page() {
  const [told, setTold] = useState(null);
  const [needsToken, setNeedsToken] = useState(false);
  const [thread, setThread] = useState(location.hash.slice(1));
  const [values, setValues] = useState({});
  const [asked, setAsked] = useState(null); // what its run waits for a person to answer
  const [coming, setComing] = useState(null); // the messages of an answer on its way, by id
  const [problem, setProblem] = useState("");
  const [draft, setDraft] = useState({ text: "" });
  const [files, setFiles] = useState([]);
  const [shown, setShown] = useState(null);
  const [others, setOthers] = useState([]);
  const stop = useRef(null);
  const busy = coming !== null;

  const fail = (error) => (error instanceof server.NeedsToken ? setNeedsToken(true) : setProblem(error.message));
  const listOthers = () => server.conversations().then(setOthers, () => setOthers([]));
  const settle = (state) => {
    setValues(state.values);
    setAsked(state.asked);
  };
  const open = async (id) => {
    setThread(id);
    setShown(null);
    setProblem("");
    setDraft({ text: "" });
    history.replaceState(null, "", id ? `#${id}` : location.pathname);
    if (!id) return settle({ values: {}, asked: null });
    try {
      const [state, run] = [await server.state(id), await server.running(id)];
      if (!run && !state.values.messages?.length) { // it stands in the list, but was not kept
        await server.forget(id);
        throw new Error(GONE);
      }
      settle(state);
      if (run) await watch(id, new Map(), "", (options) => server.rejoin(id, run, options));
    } catch (error) {
      await open("");
      fail(error.status === 404 ? new Error(GONE) : error);
      listOthers();
    }
  };
  const start = () => {
    setNeedsToken(false);
    server.tables().then((all) => { setTold(all); listOthers(); if (thread) open(thread); }, fail);
  };
  useEffect(start, []);

  /** Show what comes of some work, by which a run is followed, and then what its thread holds. */
  const watch = async (id, parts, text, work) => {
    const control = new AbortController();
    stop.current = () => control.abort();
    setComing(parts);
    const onMessage = (message) => {
      if (!message?.id || !["ai", "AIMessageChunk"].includes(message.type)) return;
      const before = message.id.startsWith(THOUGHTS) ? server.textOf(parts.get(message.id)) : "";
      parts = new Map(parts).set(message.id, before ? { ...message, content: before + server.textOf(message) } : message);
      setComing(parts);
    };
    try {
      await work({ signal: control.signal, onMessage });
    } catch (error) {
      if (control.signal.aborted) setDraft({ text });
      else fail(error);
    }
    id ||= location.hash.slice(1); // a thread that the work began
    if (id) {
      const now = await server.state(id).catch(() => ({ values, asked }));
      settle(now);
      const label = now.values.messages?.at(-1)?.response_metadata?.label;
      if (label && now.values.conversation?.nodes?.[label]) setShown((old) => old && { label });
    }
    setComing(null);
    listOthers();
  };

  const say = async (text) => {
    if (busy) return;
    const edits = draft.edits;
    setProblem("");
    setDraft({ text: "" });
    const sent = { type: "human", id: edits?.id ?? crypto.randomUUID(), content: text };
    if (edits) sent.content = [text, ...server.partsOf(edits).marks].join("\n\n");
    await watch(thread, new Map([[sent.id, sent]]), text, async (options) => {
      let id = thread;
      if (files.length) sent.content = [{ type: "text", text: sent.content }, ...(await Promise.all(files.map(server.part)))];
      setFiles([]);
      if (!id) {
        id = await server.begin();
        setThread(id);
        history.replaceState(null, "", `#${id}`);
      }
      const checkpoint = edits ? await server.before(id, edits.id) : undefined;
      if (edits) setValues((old) => ({ ...old, messages: old.messages.slice(0, old.messages.findIndex((one) => one.id === edits.id)) }));
      await server.send(id, sent, { ...options, asked: edits ? null : asked, checkpoint });
    });
  };
  const drop = (event) => {
    event.preventDefault();
    setFiles([...files, ...event.dataTransfer.files]);
  };

  if (needsToken) return <Token onDone={start} />;
  const nodes = values.conversation?.nodes ?? {};
  const messages = values.messages ?? [];
  const kept = new Set(messages.map((one) => one.id));
  const next = [...(coming?.values() ?? [])].filter((one) => !kept.has(one.id));
  const all = [...messages, ...next.filter((one) => !one.id.startsWith(THOUGHTS))];
  const thoughts = next.filter((one) => one.id.startsWith(THOUGHTS)).map(server.textOf).join("\n\n");
  const hasReply = next.some((one) => one.type !== "human" && !one.id.startsWith(THOUGHTS));
  return (
    <div class={shown ? "page open" : "page"} onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <header class="top">
        <h1>Wideleaf</h1>
        <nav>
          {others.length ? (
            <select aria-label="Earlier conversations" value={thread} disabled={busy} onChange={(event) => open(event.target.value)}>
              <option value="">Conversations</option>
              {others.map((one) => <option key={one.id} value={one.id}>{one.title.slice(0, 60)}</option>)}
            </select>
          ) : null}
          <button type="button" disabled={busy || !all.length} onClick={() => open("")}>New</button>
        </nav>
      </header>
      <main>
       <div>
        {all.length ? null : <Start told={told} onSay={told && !busy ? say : null} />}
        <div role="log" aria-live="polite" aria-busy={busy}>
          {all.map((message, number) => message.type === "human"
            ? <Human key={message.id} message={message} onEdit={busy ? null : (one) => setDraft({ text: server.partsOf(one).words, edits: one })} />
            : <Answer key={message.id} message={message} nodes={nodes} last={!asked && number === all.length - 1} busy={busy} suggestions={values.suggestions} onSay={say} onShow={setShown} />)}
          {asked && !busy ? <Question value={asked.value} onSay={say} /> : null}
          {busy && !hasReply ? <Thoughts text={thoughts} /> : null}
        </div>
        {problem ? <p class="problem" role="alert">{problem}</p> : null}
       </div>
      </main>
      <Composer busy={busy} draft={draft} onDraft={setDraft} onSay={say} onStop={() => stop.current?.()} files={files} onFiles={setFiles} />
      {shown ? <Panel nodes={nodes} shown={shown} onShow={setShown} onClose={() => setShown(null)} onBack={(label) => { setShown(null); say(`back to ${label}`); }} /> : null}
    </div>
  );
}

render(<Page />, document.getElementById("root"));
