// Prints `N passed, N failed`, counted from the reports that the test runs wrote; exits 1 if there is none.
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
const failed = names.includes("jest.json")
  ? sum((report) => report.numFailedTests + report.numRuntimeErrorTestSuites)
  : 1;
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
