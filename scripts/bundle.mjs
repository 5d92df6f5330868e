// Run by `yarn pack` in the packages that every start of `affected` loads: joins what an entry imports from its own
// `dist` into `bundle`. A dozen files are then loaded instead of a hundred, which halves the start. Packages stay apart
// (one copy of each class), and so do dependencies; only commander, seven files on every start, is taken in.
// usage: node ../../scripts/bundle.mjs <entry>…   (index: dist/index.js becomes bundle/index.js)
import { readFile, rm } from "node:fs/promises";
import { build } from "esbuild";

const { dependencies = {} } = JSON.parse(
  await readFile("package.json", "utf8"),
);

await rm("bundle", { recursive: true, force: true });
await build({
  entryPoints: process.argv.slice(2).map((name) => `dist/${name}.js`),
  outdir: "bundle",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  external: Object.keys(dependencies)
    .filter((name) => name !== "commander")
    .flatMap((name) => [name, `${name}/*`]),
  // commander is CommonJS and requires Node's own modules.
  banner: dependencies.commander && {
    js: 'import { createRequire as createRequireOfBundle } from "node:module"; const require = createRequireOfBundle(import.meta.url);',
  },
  logLevel: "warning",
});
