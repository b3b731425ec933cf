// A message: its Markdown, with the live table, chart and buttons in place of what is told in text.
import { lexer, parser, Renderer } from "marked";
import { Chart } from "./chart.jsx";
import { Frame } from "./frame.jsx";
import { download, partsOf, textOf } from "./server.js";

const FEW = 10;
const FRAMES = "/wideleaf/frames/";

// Text of cells is in messages: no markup of theirs is taken over, and a link leads to the web alone.
const renderer = new Renderer();
const escape = (text) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
renderer.html = ({ text }) => escape(text);
renderer.image = ({ text }) => escape(text);
renderer.link = function ({ href, tokens }) {
  const text = this.parser.parseInline(tokens);
  return /^https?:\/\//.test(href) ? `<a href="${escape(href)}" rel="noreferrer" target="_blank">${text}</a>` : text;
};

const Text = ({ tokens }) => <div class="words" dangerouslySetInnerHTML={{ __html: parser(tokens, { renderer }) }} />;

const only = (token, kind) => token.type === "paragraph" && token.tokens.length === 1 && token.tokens[0].type === kind;
const isOfFrame = (token, kind) => only(token, kind) && token.tokens[0].href.includes(FRAMES);

/** What may be answered to a question back: each reading is a button. */
function Options({ texts, onSay }) {
  return (
    <ul class="options">
      {texts.map((text, number) => (
        <li key={number}><button type="button" disabled={!onSay} onClick={() => onSay(String(number + 1))}>{number + 1}. {text}</button></li>
      ))}
    </ul>
  );
}

/** A question in the middle of a run, which goes on once it is answered. */
export const Question = ({ value, onSay }) => (
  <article class="answer" aria-label="Wideleaf">
    {value.problem ? <p class="problem">{value.problem}</p> : null}
    <p class={value.approve ? "asked code" : "asked"}>{value.question}</p>
    <Options texts={value.options.map((one) => `${one.reading}: ${one.result}`)} onSay={onSay} />
  </article>
);

function Body({ message, nodes, asks, onSay, onShow }) {
  const { label, frame } = message.response_metadata ?? {};
  const way = nodes?.[label] ? (shown) => onShow({ label, ...shown }) : null;
  const artifact = message.additional_kwargs?.artifact;
  const parts = [];
  let plain = [];
  const flush = () => {
    if (plain.length) parts.push(<Text key={parts.length} tokens={plain} />);
    plain = [];
  };
  for (const token of lexer(textOf(message))) {
    let live;
    if (token.type === "table" && artifact?.type === "table" && frame && artifact.total > 1)
      live = <Frame frame={frame} title={`rows of ${label}`} few={FEW} onCell={way && ((cell) => way({ cell }))} />;
    else if (isOfFrame(token, "image") && artifact?.spec) live = <Chart frame={frame} title={artifact.title} />;
    else if (token.type === "list" && asks) live = <Options texts={token.items.map((item) => item.text)} onSay={onSay} />;
    else if (!isOfFrame(token, "image") && !isOfFrame(token, "link")) {
      plain.push(token);
      continue;
    }
    flush();
    if (live) parts.push(<div key={parts.length}>{live}</div>);
  }
  flush();
  return parts;
}

export function Human({ message, onEdit }) {
  const { words, names } = partsOf(message);
  const files = (Array.isArray(message.content) ? message.content : []).filter((part) => part.type === "file");
  const brought = [...names, ...files.map((part) => part.metadata?.filename)];
  return (
    <article class="human" aria-label="You">
      {words ? <p>{words}</p> : null}
      {brought.map((name) => <p class="quiet" key={name}>with {name}</p>)}
      {onEdit ? <button type="button" class="small" onClick={() => onEdit(message)}>Edit</button> : null}
    </article>
  );
}

export function Answer({ message, nodes, last, busy, suggestions, onSay, onShow }) {
  const { status, label, frame } = message.response_metadata ?? {};
  const asks = status === "asks";
  const artifact = message.additional_kwargs?.artifact;
  const say = last && !busy ? onSay : null;
  const there = label && nodes?.[label];
  const single = artifact?.type === "table" && artifact.total === 1 && artifact.columns.length === 1;
  const cell = single ? { row: 0, column: artifact.columns[0], value: String(artifact.rows[0][0]) } : null;
  return (
    <article class="answer" aria-label="Wideleaf">
      <Body message={message} nodes={nodes} asks={asks} onSay={say} onShow={onShow} />
      {there || frame ? (
        <p class="actions">
          {cell && there ? <button type="button" class="small" onClick={() => onShow({ label, cell })}>Where does it come from?</button> : null}
          {there ? <button type="button" class="small" onClick={() => onShow({ label })}>How it came about</button> : null}
          {there && say ? <button type="button" class="small" onClick={() => onSay("why?")}>Why?</button> : null}
          {there && say && artifact?.type === "table" && artifact.total > 1 ? <button type="button" class="small" onClick={() => onSay("plot that")}>Chart</button> : null}
          {frame ? <button type="button" class="small" onClick={() => download(frame, "csv", label)}>CSV</button> : null}
        </p>
      ) : null}
      {last && status === "unanswered" && textOf(message).includes("Say 'yes'") ? <Ask questions={["yes"]} onSay={say} /> : null}
      {last && status === "unanswered" && suggestions?.questions?.length ? <Ask questions={suggestions.questions} onSay={say} /> : null}
    </article>
  );
}

/** Questions as buttons. */
export const Ask = ({ questions, onSay }) => (
  <ul class="options">
    {questions.map((one) => <li key={one}><button type="button" disabled={!onSay} onClick={() => onSay(one)}>{one}</button></li>)}
  </ul>
);

/** The thoughts and steps of an answer that is on its way. */
export const Thoughts = ({ text }) => (
  <article class="thoughts" aria-label="Steps so far">
    <Text tokens={lexer(text || "Thinking …")} />
  </article>
);
