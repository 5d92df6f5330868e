// Prints `N passed, N failed`, counted from the reports that the test run wrote; exits 1 if there is none.
import { existsSync, readFileSync } from "node:fs";

const file = "reports/jest.json";
const report = existsSync(file)
  ? JSON.parse(readFileSync(file, "utf8"))
  : undefined;
const passed = report?.numPassedTests ?? 0;
// A test file that cannot be loaded holds no counted test, and a run without a report tested nothing: both failed.
const failed = report
  ? report.numFailedTests + report.numRuntimeErrorTestSuites
  : 1;
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
