// Measures the size of a store of synthetic weeks, and the time and memory of a report on it. The program reads it from
// disk, in the form in which it is published: Node caches its compiled code after the first turn. It asks Linux for the
// main thread's time.
// usage: yarn bench:metrics [seed] [options]
//   --days N            days of the store (default: 42)
//   --pulls N           pull requests a day and repository (default: 150)
//   --repositories N    repositories (default: 1); the days of several are plain lines, and their P90 isn't checked
//   --turns N           reports (default: 5)
//   --keep FOLDER       leaves the store there, and the true numbers in FOLDER.truth.json
import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { syntheticWeeks } from "../../delivery-metrics/dist/synthetic/index.test.kit.js";
import { formatEvent } from "../../delivery-metrics/dist/index.js";
import { dayOf, withEvents } from "../../metrics-store/dist/index.js";

const { values, positionals } = parseArgs({
  options: {
    keep: { type: "string" },
    days: { type: "string", default: "42" },
    pulls: { type: "string", default: "150" },
    repositories: { type: "string", default: "1" },
    turns: { type: "string", default: "5" },
  },
  allowPositionals: true,
});
const repositories = Number(values.repositories);
const folder = values.keep ?? mkdtempSync(join(tmpdir(), "skein-metrics-"));
mkdirSync(folder, { recursive: true });

const total = { pulls: 0, jobs: 0, events: 0 };
let truth;
for (let index = 0; index < repositories; index++) {
  const weeks = syntheticWeeks({
    seed: Number(positionals[0] ?? 1) + index,
    days: Number(values.days),
    pullsPerDay: Number(values.pulls),
    ...(index > 0 && { repository: `acme/shop-${index}` }),
  });
  truth = weeks.truth;
  total.pulls += truth.coverage.seen;
  total.events += weeks.events.length;
  for (const { jobs = [] } of weeks.events) total.jobs += jobs.length;
  if (repositories === 1) await keepDays(weeks.events);
  else addLines(weeks.events);
}
if (values.keep) writeFileSync(`${folder}.truth.json`, JSON.stringify(truth));
const bytes = readdirSync(folder).reduce(
  (sum, name) => sum + statSync(join(folder, name)).size,
  0,
);
console.log(
  `${total.pulls} pull requests, ${total.jobs} jobs, ${total.events} events, ${(bytes / 1e6).toFixed(2)} MB`,
);

async function keepDays(events) {
  const nothing = { names: [], read: () => Promise.resolve(undefined) };
  for (const [name, packed] of await withEvents(nothing, events))
    writeFileSync(join(folder, name), packed);
}

function addLines(events) {
  const days = new Map();
  for (const event of events) {
    const lines = days.get(dayOf(event)) ?? [];
    days.set(dayOf(event), lines);
    lines.push(formatEvent(event));
  }
  for (const [day, lines] of days)
    appendFileSync(join(folder, `delivery-${day}.ndjson`), lines.join(""));
}

const tool = fileURLToPath(
  new URL("../../../tools/ci-dispatch", import.meta.url),
);
execFileSync("yarn", ["run", "prepack"], { cwd: tool, stdio: "inherit" });
const installed = mkdtempSync(join(tmpdir(), "skein-ci-dispatch-"));
for (const each of ["bin", "bundle", "package.json"])
  cpSync(join(tool, each), join(installed, each), { recursive: true });
const bin = join(installed, "bin/ci-dispatch.js");
// V8 compiles and collects garbage in separate threads. On a machine with spare cores, users wait only for the main
// thread.
const measure = `
  import { readFileSync } from "node:fs";
  process.on("exit", () => {
    const [main] = readFileSync("/proc/thread-self/schedstat", "utf8").split(" ");
    console.error(JSON.stringify({ ...process.resourceUsage(), main: main / 1e9 }));
  });`;
for (let turn = 0; turn < Number(values.turns); turn++) {
  const start = performance.now();
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [
      "--import",
      `data:text/javascript,${encodeURIComponent(measure)}`,
      bin,
      "metrics",
      "report",
      `--store=${folder}`,
      `--as-of=${new Date(Date.parse(truth.window.to) - 1).toISOString().slice(0, 10)}`,
      "--json",
    ],
    {
      encoding: "utf8",
      maxBuffer: 2 ** 28,
      // Each start of Node reads these certificates first, and a report makes no request.
      env: { ...process.env, NODE_EXTRA_CA_CERTS: "" },
    },
  );
  if (status !== 0) throw new Error(stderr);
  const { maxRSS, userCPUTime, systemCPUTime, main } = JSON.parse(stderr);
  const all = (userCPUTime + systemCPUTime) / 1e6;
  const { headline } = JSON.parse(stdout).measures;
  const isRight = headline.values.p90.ms === truth.measures.headline.p90;
  const check = repositories > 1 ? "" : isRight ? " (true)" : " (WRONG)";
  console.log(
    `${((performance.now() - start) / 1000).toFixed(2)} s (CPU: ${main.toFixed(2)} s in the main thread, ${all.toFixed(2)} s in all), ${Math.round(maxRSS / 1000)} MB, P90 ${headline.values.p90.ms} ms${check}`,
  );
}
rmSync(installed, { recursive: true });
if (!values.keep) rmSync(folder, { recursive: true });
