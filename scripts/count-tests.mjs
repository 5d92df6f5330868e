// Prints `N passed, N failed`, counted from the reports that the test runs wrote; exits 1 if there is none.
// A skipped test counts as failed; where all tests are asked for (SKEIN_ALL_TESTS), so do end-to-end tests without a report.
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
// A test file that cannot be loaded holds no counted test, and a run without a report tested nothing: both failed.
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
