// A frame as a table: some rows at a time, sorted by the server, each cell a way to its source rows.
import { useEffect, useRef, useState } from "preact/hooks";
import { look } from "./server.js";

const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

const MIDNIGHT = /^(\d{4}-\d\d-\d\d)T00:00:00$/;
const LONG = 10000; // a whole number below it may be a year

/** A cell as people write it. */
export function shown(cell) {
  if (cell === null) return "";
  if (typeof cell === "number" && !Number.isInteger(cell)) {
    return Math.abs(cell) >= 1000 ? cell.toLocaleString("en", { maximumFractionDigits: 2 }) : String(Number(cell.toPrecision(6)));
  }
  if (typeof cell === "number") return Math.abs(cell) >= LONG ? cell.toLocaleString("en") : String(cell);
  if (MIDNIGHT.test(cell)) return cell.slice(0, 10);
  return typeof cell === "object" ? JSON.stringify(cell) : String(cell);
}

/** @param few How many rows are shown at first; all of a page where none is given. */
export function Frame({ frame, node, title, few, onCell }) {
  const [sort, setSort] = useState("");
  const [place, setPlace] = useState({ first: 0, across: 0 });
  const [page, setPage] = useState(null);
  const [problem, setProblem] = useState("");
  const [whole, setWhole] = useState(!few);
  const [at, setAt] = useState([0, 0]);
  const body = useRef(null);
  useEffect(() => {
    const pairs = { node: node ?? frame, sort, first: place.first, across: place.across };
    look(frame, "json", pairs).then(setPage, (error) => setProblem(error.message));
  }, [frame, node, sort, place]);
  if (problem) return <p class="problem">{problem}</p>;
  if (!page) return <p class="quiet">Reading the table …</p>;

  const rows = whole ? page.rows : page.rows.slice(0, few);
  const turn = (name) => {
    setPlace({ ...place, first: 0 });
    setSort(sort === name ? `-${name}` : sort === `-${name}` ? "" : name);
  };
  const order = (name) => (sort === name ? "ascending" : sort === `-${name}` ? "descending" : "none");
  const walk = (event) => {
    const move = MOVES[event.key];
    if (!move) return;
    event.preventDefault();
    const next = [at[0] + move[0], at[1] + move[1]];
    if (!rows[next[0]] || next[1] < 0 || next[1] >= page.columns.length) return;
    setAt(next);
    body.current.rows[next[0]].cells[next[1]].firstChild.focus();
  };
  const cell = (row, column, value) => {
    const text = shown(value);
    if (!onCell || !page.numbers) return text;
    const tab = at[0] === row && at[1] === column ? 0 : -1;
    const trace = () => onCell({ row: page.numbers[row], column: page.columns[column].name, value: text });
    return (
      <button type="button" class="cell" tabIndex={tab} title="Where does this come from?" onFocus={() => setAt([row, column])} onClick={trace}>
        {text || "\u00a0"}
      </button>
    );
  };
  const steps = (name, all, width) => {
    const from = place[name];
    if (all <= width && !from) return null;
    const to = Math.min(from + width, all);
    return (
      <span class="pager">
        <button type="button" disabled={!from} onClick={() => setPlace({ ...place, [name]: Math.max(0, from - width) })}>‹</button>
        {name === "first" ? "rows" : "columns"} {from + 1}–{to} of {all.toLocaleString("en")}
        <button type="button" disabled={to >= all} onClick={() => setPlace({ ...place, [name]: to })}>›</button>
      </span>
    );
  };
  return (
    <figure class="frame">
      <div class="scroll" tabIndex={0} role="region" aria-label={title}>
        <table>
          <thead>
            <tr>
              {page.columns.map(({ name, kind }) => (
                <th key={name} scope="col" class={kind} aria-sort={order(name)}>
                  <button type="button" onClick={() => turn(name)}>{name}<i aria-hidden="true" /></button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody ref={body} onKeyDown={walk}>
            {rows.map((row, number) => (
              <tr key={number}>
                {row.map((value, column) => <td key={column} class={page.columns[column].kind}>{cell(number, column, value)}</td>)}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <figcaption>
        {whole || page.rows.length <= few
          ? <>{steps("first", page.total, 200)}{steps("across", page.width, 40)}</>
          : <button type="button" onClick={() => setWhole(true)}>Show all {page.total.toLocaleString("en")} rows</button>}
        {page.total === 0 ? "no rows" : ""}
      </figcaption>
    </figure>
  );
}
