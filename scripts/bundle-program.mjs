// Run by `yarn pack` in each tool: joins the program, the packages of this repository and what is small among their
// dependencies into `bundle/main.cjs`. One file, in a form that Node can keep compiled, starts in half the time of the hundred
// that tsc makes, and a migration then fits into 80 MB. What package.json names as a dependency stays outside: native code
// (oxc-parser), and what is loaded seldom. What affected and ci-dispatch need in a job that installs nothing (Octokit,
// simple-git) is a devDependency, and inside. Beside the program lies what it starts or hands to others, under the names that
// its sources know it by.
// usage: node ../../scripts/bundle-program.mjs [--first=source,…] [--copy=file]… [name=file]…
// (--copy: a file that the program reads, as it is)
// (name=file: what lies beside it, besides what its packages need; --first: what the quickest commands load, which then is
// all that main.cjs holds: the rest is in rest.cjs)
import { existsSync } from "node:fs";
import { copyFile, cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { joinChunks } from "./join-chunks.mjs";
import { billOfMaterials, licenses, thirdParties } from "./third-party.mjs";

const { values, positionals } = parseArgs({
  options: {
    first: { type: "string", default: "" },
    copy: { type: "string", multiple: true, default: [] },
  },
  allowPositionals: true,
});

const manifest = JSON.parse(await readFile("package.json", "utf8"));
const { dependencies, devDependencies, peerDependencies = {} } = manifest;
const outside = Object.keys({ ...dependencies, ...peerDependencies });
/** By the package that starts them. */
const BESIDE = {
  "@skein/references": {
    worker: "../../packages/references/dist/index/worker.js",
  },
  "@skein/runner": {
    "shell-host/main": "../../packages/runner/dist/shell-host/main.js",
    "jest-host/main": "../../packages/runner/dist/jest-host/main.js",
    "pnp-bins/main": "../../packages/runner/dist/pnp-bins/main.js",
  },
  "@skein/trace": {
    "hooks/loader/main": "../../packages/trace/dist/hooks/loader/main.js",
  },
};
/** What Node loads by `--require`, before a program. */
const REQUIRED = {
  "@skein/trace": { "hooks/main": "../../packages/trace/dist/hooks/main.cjs" },
};
const options = {
  outdir: "bundle",
  bundle: true,
  minifySyntax: true,
  minifyWhitespace: true, // Names stay, for the stack of a report.
  platform: "node",
  target: "node20",
  mainFields: ["module", "main"], // jsonc-parser's other form cannot be joined.
  external: outside.flatMap((name) => [name, `${name}/*`]),
  metafile: true,
  logLevel: "warning",
  plugins: [{ name: "only-what-is-used", setup: onlyWhatIsUsed }],
};

/** Modules of Node that many a run needs nothing of: `crypto` alone takes as long to load as a process takes to start. */
const SELDOM = [
  "child_process",
  "crypto",
  "events",
  "fs/promises",
  "os",
  "string_decoder",
  "timers/promises",
  "url",
  "util",
  "worker_threads",
  "zlib",
];

/** What is put before the joined program: a module is loaded only when something of it is asked for. */
const BANNER = `const skeinLater = {
  get url() { return require("node:url").pathToFileURL(__filename).href; },
  import_: (name) => require("./import.cjs")(name),
  require: (name) => new Proxy({}, { get: (_, key) => require(name)[key] }),
};`;

await rm("bundle", { recursive: true, force: true });
const builds = await Promise.all([
  build({
    ...options,
    entryPoints: { main: "dist/main.js" },
    format: "esm",
    splitting: true,
    write: false,
    define: { "import.meta.url": "skeinLater.url" },
  }),
  build({
    ...options,
    entryPoints: Object.assign(
      Object.fromEntries(positionals.map((each) => each.split("="))),
      ...Object.keys(devDependencies).map((name) => BESIDE[name]),
    ),
    format: "esm",
  }),
  build({
    ...options,
    entryPoints: Object.assign(
      {
        "keep-compiled/main":
          "../../packages/runner/dist/keep-compiled/main.cjs",
      },
      ...Object.keys(devDependencies).map((name) => REQUIRED[name]),
    ),
    format: "cjs",
    outExtension: { ".js": ".cjs" },
  }),
]);
const { main, rest } = await joinChunks(builds[0], {
  banner: BANNER,
  first: values.first.split(",").filter(Boolean),
  finish: (code) =>
    code
      // Node 20 refuses import() to code that was kept compiled: a file that Node itself loads does it.
      .replaceAll(
        new RegExp(`\\bimport\\((?="(${outside.join("|")})"\\))`, "g"),
        "skeinLater.import_(",
      )
      .replaceAll(
        new RegExp(
          `=require\\((?="node:(${SELDOM.join("|")})"\\)[,;}\\s])`,
          "g",
        ),
        "=skeinLater.require(",
      ),
});
for (const [name, code] of Object.entries({ main, rest })) {
  if (/\bimport\("/.test(code)) throw new Error("an import() is left");
  await mkdir("bundle", { recursive: true });
  await writeFile(`bundle/${name}.cjs`, code);
}
await writeFile(
  "bundle/import.cjs",
  "module.exports = (name) => import(name);\n",
);
await copyFile(
  new URL("load-compiled.cjs", import.meta.url),
  "bundle/load-compiled.cjs",
);
for (const file of values.copy)
  await copyFile(file, join("bundle", basename(file)));
const parties = await thirdParties(builds);
await writeFile("bundle/LICENSES.txt", licenses(parties));
await writeFile(
  "bundle/sbom.cdx.json",
  `${JSON.stringify(billOfMaterials(manifest, parties), null, 2)}\n`,
);
// Where users name them: `"$schema": "./node_modules/@skein/affected/schemas/skein.schema.json"`.
for (const name of Object.keys(devDependencies)) {
  const schemas = `../../packages/${name.replace("@skein/", "")}/schemas`;
  if (existsSync(schemas)) await cp(schemas, "schemas", { recursive: true });
}

/** What nobody asks of `packages/` is neither taken in nor run: no module there does anything but say what is in it. */
function onlyWhatIsUsed({ onResolve, resolve }) {
  onResolve({ filter: /^(@skein\/|\.)/ }, async ({ path, ...from }) => {
    if (from.pluginData === "asked" || from.kind === "entry-point")
      return undefined;
    const { resolveDir, importer, kind } = from;
    const found = await resolve(path, {
      ...{ resolveDir, importer, kind },
      pluginData: "asked",
    });
    return /[\\/]packages[\\/][\w-]+[\\/]dist[\\/]/.test(found.path)
      ? { path: found.path, sideEffects: false }
      : undefined;
  });
}
