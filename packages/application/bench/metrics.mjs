// Measures the size of a store of six synthetic weeks of 150 pull requests a day, and the time of a report on it. The
// program reads it from disk, in the form in which it is published: Node caches its compiled code after the first turn.
// It asks Linux for the main thread's time.
// usage: yarn bench:metrics [seed] [--keep FOLDER]   --keep leaves the store there, and the true numbers in FOLDER.truth.json
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { syntheticWeeks } from "../../delivery-metrics/dist/synthetic/index.test.kit.js";
import { withEvents } from "../../metrics-store/dist/index.js";

const { values, positionals } = parseArgs({
  options: { keep: { type: "string" } },
  allowPositionals: true,
});
const { events, truth } = syntheticWeeks({ seed: Number(positionals[0] ?? 1) });
const folder = values.keep ?? mkdtempSync(join(tmpdir(), "skein-metrics-"));
mkdirSync(folder, { recursive: true });
if (values.keep) writeFileSync(`${folder}.truth.json`, JSON.stringify(truth));

const nothing = { names: [], read: () => Promise.resolve(undefined) };
let bytes = 0;
for (const [name, packed] of await withEvents(nothing, events)) {
  bytes += packed.length;
  writeFileSync(join(folder, name), packed);
}
const jobs = events.reduce((sum, each) => sum + (each.jobs?.length ?? 0), 0);
console.log(
  `${truth.coverage.seen} pull requests, ${jobs} jobs, ${events.length} events, ${(bytes / 1e6).toFixed(2)} MB`,
);

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
for (let turn = 0; turn < 5; turn++) {
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
  const right = headline.values.p90.ms === truth.measures.headline.p90;
  console.log(
    `${((performance.now() - start) / 1000).toFixed(2)} s (CPU: ${main.toFixed(2)} s in the main thread, ${all.toFixed(2)} s in all), ${Math.round(maxRSS / 1000)} MB, P90 ${headline.values.p90.ms} ms (${right ? "true" : "WRONG"})`,
  );
}
rmSync(installed, { recursive: true });
if (!values.keep) rmSync(folder, { recursive: true });
