// What stands behind an answer: the tree of its frames, a frame of it, the rows behind a cell.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Chart } from "./chart.jsx";
import { Frame, shown as told } from "./frame.jsx";
import { drawing, look } from "./server.js";

/** The nodes on the way to a label, the label's own among them. */
export function wayTo(nodes, label) {
  const way = new Set();
  const todo = [label];
  while (todo.length) {
    const one = todo.pop();
    if (way.has(one) || !nodes[one]) continue;
    way.add(one);
    todo.push(...nodes[one].parents);
  }
  return Object.values(nodes).filter((one) => way.has(one.label));
}

function Tree({ nodes, label, chosen, onChoose }) {
  const place = useRef(null);
  const [problem, setProblem] = useState("");
  const way = wayTo(nodes, label);
  const mark = () => {
    for (const box of place.current?.querySelectorAll("[data-frame]") ?? []) box.classList.toggle("chosen", box.dataset.label === chosen);
  };
  useEffect(() => {
    let gone = false; // what is drawn for another answer by then is none of this one's
    setProblem("");
    drawing(nodes[label].id, way.map((one) => [one.label, one.id])).then((text) => {
      if (gone) return;
      const svg = document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
      for (const box of svg.querySelectorAll("[data-frame]")) {
        const name = way[box.dataset.frame].label;
        box.dataset.label = name;
        box.setAttribute("role", "button");
        box.setAttribute("tabindex", "0");
        box.setAttribute("aria-label", `${name}: show its rows`);
        box.addEventListener("click", () => onChoose(name));
        box.addEventListener("keydown", (event) => {
          if (event.key !== "Enter" && event.key !== " ") return;
          event.preventDefault();
          onChoose(name);
        });
      }
      svg.setAttribute("role", "group");
      place.current?.replaceChildren(svg);
      mark();
    }, (error) => gone || setProblem(error.message));
    return () => {
      gone = true;
      place.current?.replaceChildren();
    };
  }, [nodes, label]);
  useEffect(mark);
  return <>{problem ? <p class="problem">{problem}</p> : null}<div class="tree" ref={place} /></>;
}

function Trace({ nodes, label, cell }) {
  const [trace, setTrace] = useState(null);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    setTrace(null);
    setProblem("");
    const way = wayTo(nodes, label).map((one) => ["tree", `${one.label}=${one.id}`]);
    const pairs = [...way, ["row", String(cell.row)], ["column", cell.column]];
    look(nodes[label].id, "trace.json", pairs).then(setTrace, (error) => setProblem(error.message));
  }, [nodes, label, cell]);
  if (problem) return <p class="problem">{problem}</p>;
  if (!trace) return <p class="quiet">Following it to the raw tables …</p>;
  return (
    <>
      {trace.leaves.map((leaf, number) => (
        <section key={leaf.leaf}>
          <h3>{leaf.leaf}: {leaf.total.toLocaleString("en")} of {leaf.of.toLocaleString("en")} rows</h3>
          <Sample {...trace.samples[number]} />
          {trace.samples[number].rows.length < leaf.total ? <p class="quiet">The first {trace.samples[number].rows.length} of these rows.</p> : null}
        </section>
      ))}
      <p class="quiet">Rows are counted from 1, below the header.</p>
      <h3>The way</h3>
      <ol>{trace.steps.map((step, number) => <li key={number}>{step}</li>)}</ol>
      {trace.note ? <p>{trace.note}</p> : null}
      {trace.reproduced ? <p class="good">Run on these rows alone, the plan makes the same.</p> : null}
    </>
  );
}

function Sample({ leaf, columns, rows }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={`rows of ${leaf}`}>
      <table>
        <thead><tr>{columns.map((name) => <th key={name} scope="col">{name}</th>)}</tr></thead>
        <tbody>{rows.map((row, number) => <tr key={number}>{row.map((value, at) => <td key={at} class={typeof value}>{at ? told(value) : value + 1}</td>)}</tr>)}</tbody>
      </table>
    </div>
  );
}

/** @param shown `label` the answer's, `node` the frame that is looked at, `cell` the cell traced. */
export function Panel({ nodes, shown, onShow, onClose, onBack }) {
  const head = useRef(null);
  useLayoutEffect(() => {
    const before = document.activeElement; // which gets the focus back
    const close = (event) => event.key === "Escape" && onClose();
    addEventListener("keydown", close);
    return () => {
      removeEventListener("keydown", close);
      before?.focus();
    };
  }, []);
  useLayoutEffect(() => head.current?.focus(), [shown.label, shown.node, shown.cell]);
  const { label, node = label, cell } = shown;
  const one = nodes[node];
  if (!nodes[label] || !one) return null;
  return (
    <aside aria-label="Behind the answer">
      <header>
        <h2 tabIndex={-1} ref={head}>{cell ? `Where ${cell.value || "this"} comes from` : `How ${label} came about`}</h2>
        <button type="button" onClick={onClose} aria-label="Close">×</button>
      </header>
      {cell ? <><p class="quiet">{cell.column}, row {cell.row + 1} of {node}</p><Trace nodes={nodes} label={node} cell={cell} /></> : null}
      {cell ? <h3>The tree</h3> : null}
      <Tree nodes={nodes} label={label} chosen={node} onChoose={(name) => onShow({ label, node: name })} />
      {cell ? null : (
        <section>
          <h3>{node}: {one.action.name} {one.parents.length ? `of ${one.parents.join(" and ")}` : ""}</h3>
          {one.thought ? <p class="quiet">{one.thought}</p> : null}
          {one.action.name === "Chart" ? <Chart frame={nodes[label].id} node={one.id} title={node} /> : null}
          <Frame key={node} frame={nodes[label].id} node={one.id} title={`rows of ${node}, behind the answer`} few={10} onCell={(cell) => onShow({ label, node, cell })} />
          {one.parents.length ? <button type="button" onClick={() => onBack(node)}>Go on from {node}</button> : null}
        </section>
      )}
    </aside>
  );
}
