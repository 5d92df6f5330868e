// Measures the time from a push to a verdict for ci-dispatch's workflow, for one job that runs `turbo run test --affected`,
// and for a matrix with a job for each package. act runs each of them on this machine, in a generated workspace. Afterwards,
// a model shows the same on GitHub's runners.
// usage: yarn bench:pipeline [--packages 300] [--affected 12] [--test-ms 2000] [--install-ms 20000] [--no-act]
// It needs act (`yarn test:e2e` builds it; ACT_PATH names another one), and npm's registry for turbo.
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import {
  measurePipeline,
  modelTable,
} from "../dist/bench/pipeline/measure-pipeline.js";
import { fewestMinutes } from "../dist/bench/pipeline/model.js";

const { values } = parseArgs({
  options: {
    packages: { type: "string", default: "300" },
    affected: { type: "string", default: "12" },
    "test-ms": { type: "string", default: "2000" },
    "install-ms": { type: "string", default: "20000" },
    "no-act": { type: "boolean", default: false },
  },
});
const say = (line) => console.error(line);

/** The durations of our steps in seconds, if they aren't measured here; from docs/performance.md. */
let own = { tool: 1, plan: 6.5, judge: 1.6 };
if (!values["no-act"]) {
  const folder = mkdtempSync(join(tmpdir(), "skein-bench-pipeline-"));
  try {
    const size = {
      packages: Number(values.packages),
      affected: Number(values.affected),
      testMs: Number(values["test-ms"]),
      installMs: Number(values["install-ms"]),
    };
    const load = loadavg()[0].toFixed(1);
    const { table, ours } = await measurePipeline(folder, size, say);
    console.log(
      `${size.packages} packages, ${size.affected} affected, ${size.testMs} ms each; an install that isn't from the cache takes ${size.installMs / 1000} s more; load ${load} before. Seconds, by act:\n`,
    );
    console.log(table);
    console.log(
      `ci-dispatch's own steps: ${ours.ours.toFixed(1)} s. Jobs: ${Object.entries(
        ours.jobs,
      )
        .map(([id, seconds]) => `${id} ${seconds.toFixed(1)} s`)
        .join(", ")}\n`,
    );
    own = {
      tool: 1,
      plan: Math.max(1, ours.jobs.plan - 1),
      judge: Math.max(1, ours.jobs.verdict - 1),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// "Set up job" takes 3 s and "Run actions/checkout" 1 s (recorded medians of 35 and 18 steps of a public repository's runs,
// from Apache DevLake's test data). Before that, GitHub assigns a runner; we assume 10 s for everything.
const tests = Array.from({ length: 40 }, (_, index) => 10 + (index % 5) * 10);
for (const install of [20, 120]) {
  // The smallest number of jobs that take at most 300 s with their set-up, as in a plan.
  const count = Math.ceil(1200 / (300 - 1 - install));
  const legs = Array.from({ length: count }, () => 1200 / count);
  console.log(
    `A model: 40 packages whose tests take 1200 s in all, in ${count} legs; runners start in 10 s, an install takes ${install} s. Seconds:\n`,
  );
  console.log(
    modelTable({ start: 10, checkout: 1, install, ...own }, tests, legs),
  );
  const fewest = fewestMinutes({ checkout: 1, install }, 1200, 300);
  console.log(
    `The fewest minutes that GitHub can bill for legs of at most 300 s, a planning and a judging job: ${fewest.minutes} (${fewest.legs} legs).\n`,
  );
}
