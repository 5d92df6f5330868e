import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { quickTemp } from "./scripts/jest/quick-temp.mjs";

// Workers inherit it. A TMPDIR that the user has set takes precedence.
const temp = process.env.TMPDIR ?? quickTemp();
if (temp !== undefined) process.env.TMPDIR = temp;

// With this variable, Node 20 reads all certificates whenever it starts, which takes longer than the rest of its start. The tests
// start Node a thousand times; the few that use the npm registry get the variable back (packages/testing/src/certificates.ts).
const { NODE_EXTRA_CA_CERTS: certificates } = process.env;
if (certificates !== undefined) {
  process.env.SKEIN_TEST_CERTIFICATES = certificates;
  delete process.env.NODE_EXTRA_CA_CERTS;
}

// Tests run on compiled output: they test the code that ships, and nothing is transformed.
export default {
  testMatch: ["**/dist/**/*.test.js"],
  transform: {},
  testEnvironment: fileURLToPath(
    new URL("scripts/jest/environment.cjs", import.meta.url),
  ),
  runtime: fileURLToPath(new URL("scripts/jest/runtime.cjs", import.meta.url)),
  // The limit only ends tests that hang: on a loaded machine, a test of a few seconds has taken more than a minute.
  testTimeout: 240_000,
  testSequencer: fileURLToPath(
    new URL("scripts/jest/longest-first.cjs", import.meta.url),
  ),
  // Most tests wait for git, Yarn or a server. Jest's default on two cores is one test at a time.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  // A single process for all tests grows to gigabytes, and git starts more slowly from a larger process: fork copies its page
  // tables (8 ms in an empty process, 194 ms in one of 1 GB).
  workerIdleMemoryLimit: "256MB",
  modulePathIgnorePatterns: ["<rootDir>/.*/fixtures/"],
};
