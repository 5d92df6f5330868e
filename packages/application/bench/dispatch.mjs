// Measures the time of the slowest of N machines for four ways to distribute packages, and the time to plan 10,000
// packages. It also does a real run on this machine, next to Turborepo and Nx, which it installs.
// usage: yarn bench:dispatch [--no-run] [--runs=3] [timings.json]   an object of seconds by package, or one with such a member `packages`
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measureLocalRun } from "../dist/bench/dispatch/local-run.js";
import { markdownTable } from "../dist/bench/report/markdown-table.js";
import { pack } from "../../../tools/ci-dispatch/dist/pack/pack.js";
import {
  measured,
  planInput,
} from "../../../tools/ci-dispatch/dist/plan/fixture.test.kit.js";
import { makePlan } from "../../../tools/ci-dispatch/dist/plan/make-plan.js";

const MACHINES = [1, 2, 4, 6, 8, 12, 16, 24, 32, 48, 64, 128, 256];

/**
 * Returns the default input: 71 packages with durations that are distributed like those of real workspaces
 * (log-normal).
 */
function example() {
  return Object.fromEntries(
    Array.from({ length: 71 }, (_, index) => {
      const u = (index + 0.5) / 71;
      const z =
        Math.sign(u - 0.5) * Math.sqrt(-Math.log(4 * u * (1 - u)) * 1.6);
      const name = createHash("sha256").update(String(index)).digest("hex");
      return [`packages/${name.slice(0, 8)}`, 24 * Math.exp(1.25 * z)];
    }),
  );
}

const args = process.argv.slice(2);
const runs = Number(
  args.find((arg) => /^--runs=[1-9]\d?$/.test(arg))?.slice(7) ?? 3,
);
const file = args.find((arg) => !arg.startsWith("-"));
const read = file ? JSON.parse(readFileSync(file, "utf8")) : example();
const timings = Object.entries(read.packages ?? read).map(([name, entry]) => ({
  name,
  seconds: typeof entry === "number" ? entry : entry.seconds,
}));
const seconds = timings.map((each) => each.seconds);

/** Returns the load of the fullest machine, if the package at an index goes to machine `to(index)`. */
function makespan(list, machines, to) {
  const loads = new Array(machines).fill(0);
  list.forEach((each, index) => {
    loads[to(index)] += each.seconds;
  });
  return Math.max(...loads);
}

const alphabetical = timings.toSorted((a, b) => (a.name < b.name ? -1 : 1));
// Jest sorts by the SHA-1 of the path and cuts the list into parts of equal length, regardless of durations.
const sha1 = ({ name }) => createHash("sha1").update(name).digest("hex");
const hashed = timings.toSorted((a, b) => (sha1(a) < sha1(b) ? -1 : 1));

const rows = MACHINES.map((machines) => {
  const ours = pack(seconds, machines);
  const cut = (index) => Math.floor((index * machines) / timings.length);
  const values = [
    makespan(hashed, machines, cut),
    makespan(timings, machines, (index) => index % machines),
    makespan(alphabetical, machines, cut),
    ours.makespan,
  ];
  return [
    String(machines),
    ours.lowerBound.toFixed(1),
    ...values.map(
      (value) =>
        `${value.toFixed(1)} (${(value / ours.lowerBound).toFixed(3)})`,
    ),
  ];
});
const titles = [
  "machines",
  "lower bound",
  "Jest's shard",
  "round robin",
  "alphabetical",
  "ci-dispatch",
];
console.log(
  `${timings.length} packages, seconds of the slowest machine (times the lower bound)\n`,
);
console.log(markdownTable(titles, rows));

const names = Array.from({ length: 10_000 }, (_, index) => `package-${index}`);
const p90Ms = (index) => 1000 * (seconds[index % seconds.length] ?? 1);
const input = planInput(Object.fromEntries(names.map((name) => [name, []])), {
  history: new Map(
    names.map((name, index) => [`${name}#test`, measured(p90Ms(index))]),
  ),
  testFiles: new Map(),
  options: { maxJobs: 256, setupMs: 45_000 },
});
// The minimum of five runs is the time without interference from other processes.
const plans = Array.from({ length: 5 }, () => {
  const start = performance.now();
  const plan = makePlan(input);
  return { plan, ms: performance.now() - start };
});
const { jobs, prediction } = plans[0].plan;
const least = Math.min(...plans.map(({ ms }) => ms));
console.log(
  `a plan of 10,000 packages with a history, ${jobs.length} jobs: ${least.toFixed(0)} ms, ${prediction.ratio.toFixed(4)} times the lower bound`,
);

if (!args.includes("--no-run")) {
  const folder = mkdtempSync(join(tmpdir(), "bench-dispatch-"));
  try {
    const table = await measureLocalRun(folder, runs, (line) =>
      console.error(line),
    );
    console.log(`\n${table}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
