// How long the slowest of N machines takes, for four ways of spreading packages over them.
// usage: yarn bench:dispatch [timings.json]   an object of seconds by package, or one with such a member `packages`
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { pack } from "../tools/ci-dispatch/dist/index.js";

const MACHINES = [1, 2, 4, 6, 8, 12, 16, 24, 32, 48, 64, 128, 256];

/** Without a file: 71 packages whose durations are spread as those of real workspaces are (log-normal). */
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

const [file] = process.argv.slice(2);
const read = file ? JSON.parse(readFileSync(file, "utf8")) : example();
const timings = Object.entries(read.packages ?? read).map(([name, entry]) => ({
  name,
  seconds: typeof entry === "number" ? entry : entry.seconds,
}));
const seconds = timings.map((each) => each.seconds);

/** The fullest machine, where the package at place i goes to machine `to(i)`. */
function makespan(list, machines, to) {
  const loads = new Array(machines).fill(0);
  list.forEach((each, index) => {
    loads[to(index)] += each.seconds;
  });
  return Math.max(...loads);
}

const alphabetical = timings.toSorted((a, b) => (a.name < b.name ? -1 : 1));
// Jest sorts by the SHA-1 of the path and cuts the list into even parts, whatever they take.
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
    machines,
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
console.log(`| ${titles.join(" | ")} |`);
console.log(`|${titles.map(() => " --: ").join("|")}|`);
for (const row of rows) console.log(`| ${row.join(" | ")} |`);

const many = Array.from(
  { length: 10_000 },
  (_, index) => (seconds[index % seconds.length] ?? 1) * (1 + index / 10_000),
);
const start = performance.now();
const { makespan: found, lowerBound } = pack(many, 256);
console.log(
  `\n10,000 packages on 256 machines: ${(performance.now() - start).toFixed(0)} ms, ${(found / lowerBound).toFixed(4)} times the lower bound`,
);
