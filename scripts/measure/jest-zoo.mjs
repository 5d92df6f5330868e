// Runs a zoo of packages both in shared processes of Jest and in separate ones, and compares the results.
// usage: yarn zoo:jest [--packages 200] [--seed 1] [--concurrency 1]
// Prints the differences, and exits with 1 if there are any. 200 packages take about five minutes on two cores.
import { parseArgs } from "node:util";
import { fileURLToPath } from "node:url";

const { values } = parseArgs({
  options: {
    packages: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    concurrency: { type: "string", default: "1" },
  },
});
const dist = new URL("../../packages/runner/dist/jest/", import.meta.url);
const { SPECIES } = await import(new URL("zoo.test.data.js", dist));
const { compareZoo, crowd } = await import(new URL("zoo.test.kit.js", dist));

const { wrongs, batched, ms } = await compareZoo(
  crowd(SPECIES, Number(values.packages), Number(values.seed)),
  fileURLToPath(new URL("../../node_modules", import.meta.url)),
  Number(values.concurrency),
);
for (const wrong of wrongs) console.log(wrong);
console.log(
  `${values.packages} packages, ${batched} with the result of a shared process, ${wrongs.length} different; batched ${ms.batch} ms, alone ${ms.alone} ms`,
);
process.exitCode = wrongs.length > 0 ? 1 : 0;
