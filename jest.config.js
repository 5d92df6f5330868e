import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { quickTemp } from "./scripts/quick-temp.mjs";

// Workers inherit it. Who sets TMPDIR knows better.
const temp = process.env.TMPDIR ?? quickTemp();
if (temp !== undefined) process.env.TMPDIR = temp;

// Tests run on compiled output: what is tested is what ships, and nothing is transformed.
export default {
  testMatch: ["**/dist/**/*.test.js"],
  transform: {},
  // It only ends what hangs: on a loaded machine, a test of seconds has taken more than a minute.
  testTimeout: 240_000,
  testSequencer: fileURLToPath(
    new URL("scripts/longest-first.cjs", import.meta.url),
  ),
  // Most tests wait for git, Yarn or a server; Jest's own choice on two cores is one test at a time.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  // One process for them all grows to gigabytes, and the larger it is, the longer git takes to start (fork copies its page
  // tables: 8 ms in an empty process, 194 in one of 1 GB).
  workerIdleMemoryLimit: "256MB",
  modulePathIgnorePatterns: ["<rootDir>/.*/fixtures/"],
};
