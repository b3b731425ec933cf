// A chart, drawn by Vega; its expressions are interpreted, so the page needs no right to make code.
import { View, parse } from "vega";
import { expressionInterpreter } from "vega-interpreter";
import { useEffect, useRef, useState } from "preact/hooks";
import { look } from "./server.js";

/** @param node The chart's own frame, where the answer's is another. */
export function Chart({ frame, node, title }) {
  const place = useRef(null);
  const [problem, setProblem] = useState("");
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => {
    let view = null;
    look(frame, "vega.json", { node: node ?? frame })
      .then((spec) => {
        view = new View(parse(spec, null, { ast: true }), { expr: expressionInterpreter, renderer: "svg", container: place.current, hover: true });
        return view.runAsync().then(() => setDrawn(true));
      })
      .catch((error) => setProblem(error.message));
    return () => view?.finalize();
  }, [frame, node]);
  if (problem) return <p class="problem">{problem}</p>;
  return <div class="chart" tabIndex={0} role="region" aria-label={`Chart: ${title}`}>{isDrawn ? null : <p class="quiet">Drawing …</p>}<div ref={place} /></div>;
}
