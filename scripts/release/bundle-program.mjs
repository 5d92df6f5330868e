// `yarn pack` runs this in each tool. It joins the program, the packages of this repository and small dependencies into
// `bundle/main.cjs`. Node can cache a single file in compiled form: it starts in half the time of the hundred files of
// tsc, and a migration then fits into 80 MB. The dependencies in package.json stay outside: native code (oxc-parser),
// and code that is rarely loaded. Code that affected and ci-dispatch need in a job without an install (simple-git), or
// whose dependencies need a newer Node (Octokit), is a devDependency, and inside. Files that the program starts or passes to others are next to it, under
// their names in the sources.
// usage: node ../../scripts/release/bundle-program.mjs [--first=source,…] [--kept=source] [--copy=file]… [name=file]…
//   --first      the sources that the quickest commands load; main.cjs then contains only these, and rest.cjs the others
//   --kept       after a command that loads this source, Node 20 keeps the compiled code of both files (load-compiled.cjs)
//   --copy       a file that the program reads; it is copied unchanged
//   name=file    a further file next to the program, besides those of its packages
import { existsSync } from "node:fs";
import { copyFile, cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { joinChunks } from "./join-chunks.mjs";
import { billOfMaterials, licenses, thirdParties } from "./third-party.mjs";

const bundleIsCurrent = createRequire(import.meta.url)(
  "./bundle-is-current.cjs",
);
const top = fileURLToPath(new URL("../..", import.meta.url));

// esbuild's process ends after seconds. With Go's default, collecting garbage takes a fifth of its CPU time.
process.env.GOGC ??= "800";

const { values, positionals } = parseArgs({
  options: {
    first: { type: "string", default: "" },
    kept: { type: "string" },
    copy: { type: "string", multiple: true, default: [] },
  },
  allowPositionals: true,
});

const manifest = JSON.parse(await readFile("package.json", "utf8"));
const { dependencies, devDependencies, peerDependencies = {} } = manifest;
const outside = Object.keys({ ...dependencies, ...peerDependencies });
/** The files next to the program, by the package that starts them. */
const BESIDE = {
  "@skein/references": {
    worker: "../../packages/references/dist/index/table/worker.js",
  },
  "@skein/runner": {
    "jest-host/main": "../../packages/runner/dist/jest-host/main.js",
    "pnp-bins/main": "../../packages/runner/dist/pnp-bins/main.js",
  },
  "@skein/trace": {
    "hooks/loader/main": "../../packages/trace/dist/hooks/loader/main.js",
  },
};
/** Those that are CommonJS. */
const REQUIRED = {
  "@skein/runner": {
    "keep-compiled/main": "../../packages/runner/dist/keep-compiled/main.cjs",
    "shell-host/host": "../../packages/runner/dist/shell-host/host.cjs",
  },
  "@skein/trace": { "hooks/main": "../../packages/trace/dist/hooks/main.cjs" },
};
const options = {
  outdir: "bundle",
  bundle: true,
  minifySyntax: true,
  minifyWhitespace: true, // Names stay, so that stack traces in reports are readable.
  platform: "node",
  target: "node20",
  mainFields: ["module", "main"], // esbuild can't join jsonc-parser's other form.
  external: outside.flatMap((name) => [name, `${name}/*`]),
  metafile: true,
  logLevel: "warning",
  plugins: [{ name: "only-what-is-used", setup: onlyWhatIsUsed }],
};

/** Node's modules that many runs don't need. Loading `crypto` alone takes as long as starting a process. */
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

/** The code before the joined program. It loads a module only when the program uses something of it. */
const BANNER = `const skeinLater = {
  get url() { return require("node:url").pathToFileURL(__filename).href; },
  import_: (name) => require("./import.cjs")(name),
  require: (name) => new Proxy({}, { get: (_, key) => require(name)[key] }),
};`;

if (!bundleIsCurrent(relative(top, process.cwd()))) await makeBundle();
for (const file of values.copy)
  await copyFile(file, join("bundle", basename(file)));
// Users refer to the schemas there: `"$schema": "./node_modules/@skein/affected/schemas/skein.schema.json"`.
for (const name of Object.keys(devDependencies)) {
  const schemas = `../../packages/${name.replace("@skein/", "")}/schemas`;
  if (existsSync(schemas)) await cp(schemas, "schemas", { recursive: true });
}

/** Makes everything that the compiled modules and the dependencies determine. */
async function makeBundle() {
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
        {},
        ...Object.keys(devDependencies).map((name) => REQUIRED[name]),
      ),
      format: "cjs",
      outExtension: { ".js": ".cjs" },
      plugins: [...options.plugins, { name: "shell-only", setup: shellOnly }],
    }),
  ]);
  const files = await joinChunks(builds[0], {
    banner: BANNER,
    first: values.first.split(",").filter(Boolean),
    kept: values.kept,
    finish: (code) =>
      code
        // Node 20 rejects import() in code from the compile cache, so a file that Node loads itself does it.
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
  for (const [name, code] of Object.entries(files)) {
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
  if (existsSync("bundle/shell-host"))
    await writeFile(
      "bundle/shell-host/main.cjs",
      'require("../load-compiled.cjs")(`${__dirname}/host.cjs`);\n',
    );
  const parties = await thirdParties(builds);
  await writeFile("bundle/LICENSES.txt", licenses(parties));
  await writeFile(
    "bundle/sbom.cdx.json",
    `${JSON.stringify(billOfMaterials(manifest, parties), null, 2)}\n`,
  );
}

/** Drops unused modules of `packages/`. This is safe, because importing any of these modules has no side effects. */
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

/** Drops the command line of Yarn's shell, which takes a seventh of the time in which a shell host loads. */
function shellOnly({ onLoad }) {
  onLoad(
    { filter: /[\\/]@yarnpkg[\\/]shell[\\/]lib[\\/]commands[\\/]entry\.js$/ },
    () => ({
      contents: "",
    }),
  );
}
