// Measures how much of the compiled code tests hold: empties one function after another, and runs the nearest tests.
//
// usage: node scripts/measure/ablate.mjs [--sample=100] [--seed=16] [--skip=0] [--tests=6] [PATH…]
//        (folders, or compiled files; default: packages tools)
//
// It prints a line for each function, and the test that holds it. Functions whose nearest tests pass may be unnecessary, or other
// tests hold them: the recipes of tools/affected, for example. At the end, it runs the tests that failed on the unchanged code,
// and lists those that fail there, too: they hold nothing. Run it in a clone of its own, after `yarn build`, because it changes
// compiled files. `--skip` continues a sample.
import { spawnSync } from "node:child_process";
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: "string", default: "100" },
    seed: { type: "string", default: "16" },
    skip: { type: "string", default: "0" },
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
// Bins start bundles, which don't contain the change.
for (const dir of packages)
  rmSync(join(dir, "bundle"), { recursive: true, force: true });
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

/** The files that import each file, or that name it: programs and modules that others load. */
const importers = new Map();
const known = new Set(files);
for (const file of files)
  for (const [, name] of readFileSync(file, "utf8").matchAll(
    /"((?:@|\.{1,2}\/)[\w./-]+|\w+(?:-\w+)+)"/g,
  )) {
    const beside = resolve(dirname(file), name);
    const target = [exported.get(name), beside, `${beside}.js`].find((each) =>
      known.has(each),
    );
    if (target) importers.set(target, [...(importers.get(target) ?? []), file]);
  }

/** How long each test file that ran has taken. */
const durations = new Map();

/** Returns the test files in the order of their distance, those of other packages last, and the quick before the slow. */
function testsFor(file) {
  const distances = new Map([[file, 0]]);
  for (const [near, distance] of distances)
    for (const user of importers.get(near) ?? [])
      if (!distances.has(user)) distances.set(user, distance + 1);
  const rank = (test) =>
    distances.get(test) +
    (packageOf(test) === packageOf(file) ? 0 : 100) -
    (dirname(test) === dirname(file) ? 0.5 : 0);
  const duration = (test) => durations.get(test) ?? 0;
  return [...distances.keys()]
    .filter((each) => /(?<!cases)\.test\.js$/.test(each))
    .sort((a, b) => rank(a) - rank(b) || duration(a) - duration(b))
    .slice(0, Number(values.tests));
}

const temp = mkdtempSync(join(tmpdir(), "ablate-"));
/** Runs test files until one fails, and returns those that failed. Tests that take five minutes have failed. */
function failing(tests) {
  if (tests.length === 0) return [];
  const output = join(temp, "results.json");
  rmSync(output, { force: true });
  const jest = ["--experimental-vm-modules", "node_modules/.bin/jest", "-i"];
  const options = ["--bail=1", "--json", `--outputFile=${output}`];
  const run = { cwd: root, stdio: "ignore", timeout: 300_000 };
  const args = [...jest, ...options, "--runTestsByPath", ...tests];
  if (spawnSync(process.execPath, args, run).error) return tests.slice(0, 1);
  const { testResults } = JSON.parse(readFileSync(output, "utf8"));
  for (const { name, startTime, endTime } of testResults)
    durations.set(name, endTime - startTime);
  return testResults
    .filter(({ status }) => status === "failed")
    .map(({ name }) => name);
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

const paths = (positionals.length > 0 ? positionals : ["packages", "tools"])
  .map((path) => resolve(root, path))
  .map((path) => (path.endsWith(".js") ? path : `${path}/`));
const pool = files
  .filter((file) => paths.some((path) => file.startsWith(path)))
  .filter((file) => !/\.test\.|packages\/(?:testing|application)\//.test(file))
  .flatMap(functionsIn);
console.log(`${pool.length} functions`);
const draw = () =>
  pool.splice(Math.floor(random() * pool.length), 1)[0] ?? process.exit(0);
for (let left = Number(values.skip); left > 0; left--) draw();
const counts = { held: 0, all: 0 };
const holders = new Set();
while (counts.all < Number(values.sample) && pool.length > 0) {
  const { file, name = "?", lines, text, start, end } = draw();
  const tests = testsFor(file);
  const empty = text[start] === "{" ? "{}" : "undefined";
  writeFileSync(file, text.slice(0, start) + empty + text.slice(end));
  // Jest starts with the test file that took longest, so the nearest ones run first.
  const [holder = failing(tests.slice(2))[0]] = failing(tests.slice(0, 2));
  writeFileSync(file, text);
  counts.all++;
  if (holder) counts.held++;
  if (holder) holders.add(holder);
  const line = text.slice(0, start).split("\n").length;
  const place = `${relative(root, file)}:${line} ${name} (${lines} lines)`;
  console.log(
    holder
      ? `held     ${place} by ${relative(root, holder)}`
      : `not held ${place}`,
  );
}
console.log(`held: ${counts.held} of ${counts.all}`);
for (const test of holders)
  if (failing([test]).length > 0)
    console.log(`fails on the unchanged code: ${relative(root, test)}`);
rmSync(temp, { recursive: true });
