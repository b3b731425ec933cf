// Bundles the page into ../static, which is what the package ships.
import { createHash } from "node:crypto";
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

// LangChain's core brings a tracer that sends runs to a server; the page traces nothing.
const untraced = ["langsmith", "langsmith/run_trees", "langsmith/schemas", "langsmith/singletons/traceable"];
const sources = ["build.mjs", "chart.jsx", "frame.jsx", "message.jsx", "package.json", "page.jsx", "panel.jsx", "server.js", "untraced.cjs"];
const hash = createHash("sha256");
for (const name of sources) hash.update(readFileSync(name));

const { metafile } = await build({
  entryPoints: ["page.jsx"],
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  alias: Object.fromEntries(untraced.map((name) => [name, "./untraced.cjs"])),
  banner: { js: `// ${hash.digest("hex")}` }, // by which a test sees that the bundle is of these files
  legalComments: "none", // they are in the licences
  metafile: true,
  outfile: "../static/page.js",
});
for (const name of ["index.html", "page.css"]) copyFileSync(name, `../static/${name}`);

// The licences of what is in the bundle, which it may only be passed on with.
const packages = new Set(Object.keys(metafile.inputs).flatMap((path) => path.match(/^node_modules\/(?:@[^/]+\/)?[^/]+/) ?? []));
const licences = [...packages].sort().map((folder) => {
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`));
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  return `${name} ${version} (${license})\n\n${file ? readFileSync(`${folder}/${file}`, "utf-8").trim() : ""}\n`;
});
writeFileSync("../static/licences.txt", licences.join("\n----\n\n"));
