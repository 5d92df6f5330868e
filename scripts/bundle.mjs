// Run by `yarn pack` in the packages that tools load at their start: joins what an entry imports from its own `dist` into
// `bundle`. A dozen files are then loaded instead of a hundred. Packages stay apart (one copy of each class), and so do
// dependencies.
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
  external: Object.keys(dependencies).flatMap((name) => [name, `${name}/*`]),
  logLevel: "warning",
});
