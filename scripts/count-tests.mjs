// Prints `N passed, N failed`, counted from the reports of the test runs, and exits with 1 if a test failed or none passed. A
// skipped test counts as failed. If all tests are required (SKEIN_ALL_TESTS), a missing report of the end-to-end tests counts
// as a failure too.
import { existsSync, readdirSync, readFileSync } from "node:fs";

const folder = "reports";
const names = existsSync(folder)
  ? readdirSync(folder).filter((name) => name.endsWith(".json"))
  : [];
const reports = names.map((name) =>
  JSON.parse(readFileSync(`${folder}/${name}`, "utf8")),
);
const sum = (count) => reports.reduce((total, each) => total + count(each), 0);
const passed = sum((report) => report.numPassedTests);
// A test file that can't be loaded has no counted tests, and a run without a report tested nothing: both count as
// failed.
const wanted = [
  "jest.json",
  ...(process.env.SKEIN_ALL_TESTS ? ["e2e.json"] : []),
];
const absent = wanted.filter((name) => !names.includes(name));
for (const name of absent) console.log(`there is no ${folder}/${name}`);
const failed =
  absent.length +
  sum(
    (report) =>
      report.numFailedTests +
      report.numRuntimeErrorTestSuites +
      report.numPendingTests +
      report.numTodoTests,
  );
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
