// Measures how much of the compiled code tests hold: empties one function after another, and runs the nearest tests.
//
// usage: node scripts/measure/ablate.mjs [--sample=100] [--seed=16] [--tests=6] [FOLDER…]   (default: packages tools)
//
// It prints a line for each function. Functions whose nearest tests pass may be unnecessary, or other tests hold them: the
// recipes of tools/affected, for example. Run it in a clone of its own, after `yarn build`, because it changes compiled files.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: "string", default: "100" },
    seed: { type: "string", default: "16" },
    tests: { type: "string", default: "6" },
  },
});
const root = resolve(import.meta.dirname, "../..");
const { parseSync } = createRequire(
  join(root, "packages/references/package.json"),
)("oxc-parser");

const packages = ["packages", "tools"].flatMap((group) =>
  readdirSync(join(root, group)).map((name) => join(root, group, name)),
);
const files = packages.flatMap((dir) =>
  readdirSync(dir, { recursive: true })
    .filter((path) => /^dist\/(?!.*(?:fixtures|bundle)\/).*\.js$/.test(path))
    .map((path) => join(dir, path)),
);
const packageOf = (file) => packages.find((dir) => file.startsWith(`${dir}/`));
const exported = new Map(
  packages.flatMap((dir) => {
    const { name, exports = {} } = JSON.parse(
      readFileSync(join(dir, "package.json"), "utf8"),
    );
    return Object.entries(exports).map(([key, file]) => [
      `${name}${key.slice(1)}`,
      join(dir, String(file)),
    ]);
  }),
);

/** The files that import each file. */
const importers = new Map();
for (const file of files)
  for (const [, name] of readFileSync(file, "utf8").matchAll(
    /\b(?:from|import)\s*\(?\s*"([^"]+)"/g,
  )) {
    const target = name.startsWith(".")
      ? resolve(dirname(file), name)
      : exported.get(name);
    if (target) importers.set(target, [...(importers.get(target) ?? []), file]);
  }

/** Returns the test files in the order of their distance, those of other packages last. */
function testsFor(file) {
  const distances = new Map([[file, 0]]);
  for (const [near, distance] of distances)
    for (const user of importers.get(near) ?? [])
      if (!distances.has(user)) distances.set(user, distance + 1);
  const rank = (test) =>
    distances.get(test) +
    (packageOf(test) === packageOf(file) ? 0 : 100) -
    (dirname(test) === dirname(file) ? 0.5 : 0);
  return [...distances.keys()]
    .filter((each) => /(?<!cases)\.test\.js$/.test(each))
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, Number(values.tests));
}

/** Returns whether one of some test files fails. */
function fails(tests) {
  const options = ["-i", "--bail=1", "--runTestsByPath", ...tests];
  const jest = ["--experimental-vm-modules", "node_modules/.bin/jest"];
  const run = { cwd: root, stdio: "ignore" };
  return (
    tests.length > 0 &&
    spawnSync(process.execPath, [...jest, ...options], run).status !== 0
  );
}

/** Returns the functions of a file that have three lines or more. */
function functionsIn(file) {
  const text = readFileSync(file, "utf8");
  const found = [];
  const visit = (node, name) => {
    if (node === null || typeof node !== "object") return;
    const own = node.id?.name ?? node.key?.name;
    const isFunction = /Function/.test(node.type) && node.body;
    const lines = text.slice(node.start, node.end).split("\n").length;
    if (isFunction && name !== "constructor" && lines > 2)
      found.push({ file, name: own ?? name, lines, text, ...node.body });
    const inner = own ?? (isFunction ? undefined : name);
    for (const child of Object.values(node)) visit(child, inner);
  };
  visit(parseSync(file, text).program);
  return found.map(({ start, end, ...rest }) => ({ ...rest, start, end }));
}

/** A sequence of numbers below 1 (Lehmer's, with the constants of MINSTD). */
let state = Number(values.seed);
const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;

const folders = (positionals.length > 0 ? positionals : ["packages", "tools"])
  .map((folder) => resolve(root, folder))
  .map((folder) => `${folder}/`);
const pool = files
  .filter((file) => folders.some((folder) => file.startsWith(folder)))
  .filter((file) => !/\.test\.|packages\/(?:testing|application)\//.test(file))
  .flatMap(functionsIn);
console.log(`${pool.length} functions`);
const counts = { held: 0, all: 0 };
while (counts.all < Number(values.sample) && pool.length > 0) {
  const [each] = pool.splice(Math.floor(random() * pool.length), 1);
  const { file, name = "?", lines, text, start, end } = each;
  const tests = testsFor(file);
  const empty = text[start] === "{" ? "{}" : "undefined";
  writeFileSync(file, text.slice(0, start) + empty + text.slice(end));
  // Jest starts with the test file that took longest, so the nearest ones run first.
  const isHeld = fails(tests.slice(0, 2)) || fails(tests.slice(2));
  writeFileSync(file, text);
  counts.all++;
  if (isHeld) counts.held++;
  const line = text.slice(0, start).split("\n").length;
  const place = `${relative(root, file)}:${line} ${name} (${lines} lines)`;
  console.log(`${isHeld ? "held    " : "not held"} ${place}`);
}
console.log(`held: ${counts.held} of ${counts.all}`);
