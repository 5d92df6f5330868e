// Joins a program that esbuild split into chunks (one for all modules that are loaded together) for bundle-program.mjs.
// The result is CommonJS files that hold each chunk as a function. V8 then reads and compiles only the chunks that a
// command needs; if all chunks shared one scope, V8 would have to record each of their functions.
import { basename } from "node:path";
import { transform } from "esbuild";

/**
 * Joins the chunks of a program.
 * @param built esbuild's output with `splitting` for the entry `main`, in memory
 * @param first sources whose chunks, with their imports, go into the first file; if empty, all chunks do
 * @param kept a source. After a command that loads it, Node 20 keeps the compiled code (load-compiled.cjs)
 * @param finish post-processes the code of each chunk
 * @returns the files; `rest` must be next to `main` as `rest.cjs`
 */
export async function joinChunks(built, { banner, first, kept, finish }) {
  const { outputFiles, metafile } = built;
  const chunks = new Map(
    Object.entries(metafile.outputs).map(([path, output], index) => [
      basename(path),
      { ...output, text: outputFiles[index].text },
    ]),
  );
  const names = [...chunks.keys()];
  /** Returns the chunks that are loaded together with these sources. */
  const closureOf = (sources) => {
    const found = new Set();
    const add = (name) => {
      if (found.has(name)) return;
      found.add(name);
      for (const { path, kind, external } of chunks.get(name).imports)
        if (!external && kind !== "dynamic-import") add(basename(path));
    };
    for (const [name, { entryPoint }] of chunks)
      if (sources.includes(entryPoint)) add(name);
    return found;
  };
  const started =
    first.length === 0 ? new Set(names) : closureOf([MAIN, ...first]);
  const worth =
    kept && names.find((name) => chunks.get(name).entryPoint === kept);
  const table = async (wanted) =>
    `{${(await Promise.all(wanted.map((name) => chunkFunction(name)))).join(",\n")}}`;

  async function chunkFunction(name) {
    const { code } = await transform(chunks.get(name).text, {
      format: "cjs",
      minifySyntax: true,
      minifyWhitespace: true,
      platform: "node",
      target: "node20",
    });
    const linked = code
      .replaceAll(LOADS, (call, chunk) =>
        names.includes(chunk) ? `skeinLoad("${chunk}")` : call,
      )
      .replaceAll(IMPORTS, (call, chunk) =>
        names.includes(chunk)
          ? `Promise.resolve().then(()=>skeinLoad("${chunk}"))`
          : call,
      );
    return `${JSON.stringify(name)}(exports,module){${finish(linked)}}`;
  }

  return {
    main: `${banner}
let chunks=${await table([...started])};
const loaded=new Map();
exports.isWorth=()=>loaded.has(${JSON.stringify(worth ?? "")});
${skeinLoad}
exports.finished=skeinLoad("main.js").finished;
`,
    rest: `module.exports=(require,skeinLater,skeinLoad)=>(${await table(names.filter((name) => !started.has(name)))});\n`,
  };
}

// Names in the code of chunks begin with `skein`, because third-party code may define its own `load`.
const MAIN = "dist/main.js";
const LOADS = /\brequire\("\.\/([\w-]+\.js)"\)/g;
const IMPORTS = /\bimport\("\.\/([\w-]+\.js)"\)/g;

// This function is part of the first file: its text is copied there. .oxlintrc.json lists the names that exist there.
function skeinLoad(name) {
  const known = loaded.get(name);
  if (known) return known.exports;
  if (!chunks[name]) {
    const make = require("./load-compiled.cjs")(`${__dirname}/rest.cjs`);
    chunks = { ...chunks, ...make(require, skeinLater, skeinLoad) };
  }
  const made = { exports: {} };
  loaded.set(name, made);
  chunks[name](made.exports, made);
  return made.exports;
}
