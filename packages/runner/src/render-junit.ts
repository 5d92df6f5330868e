import { escapeXml, xmlAttributes } from "@skein/reporting/markup";
import { isBad, replayedWords, statusWords } from "./render-words.js";
import type { RunReport, UnitResult } from "./unit.js";

/** Characters of a failed unit's output that go into the report: the end of it, where the failure is. */
const OUTPUT_CAP = 64 * 1024;

/**
 * A run as JUnit XML, the form CI systems read: a suite for each package, a case for each script. Packages without the
 * script are not in it. Valid XML 1.0 whatever a script printed.
 */
export function renderJunit(report: RunReport): string {
  const results = report.results.filter(({ status }) => status !== "no-script");
  const byPackage = new Map<string, UnitResult[]>();
  for (const result of results) {
    const list = byPackage.get(result.unit.workspace);
    if (list) list.push(result);
    else byPackage.set(result.unit.workspace, [result]);
  }
  const suites = [...byPackage].map(
    ([name, cases]) =>
      `  <testsuite${xmlAttributes({ name, ...sums(cases), time: seconds(cases.reduce((sum, each) => sum + durationOf(each), 0)) })}>\n${cases.map(renderCase).join("")}  </testsuite>\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${xmlAttributes({ ...sums(results), time: seconds(report.durationMs) })}>\n${suites.join("")}</testsuites>\n`;
}

function renderCase(result: UnitResult): string {
  const { unit } = result;
  const start = `    <testcase${xmlAttributes({ classname: unit.workspace, name: unit.script, time: seconds(durationOf(result)) })}`;
  if (result.status === "passed")
    return result.replayed
      ? `${start}>\n      <properties><property${xmlAttributes({ name: "replayed", value: replayedWords(result.replayed) })}/></properties>\n    </testcase>\n`
      : `${start}/>\n`;
  const message = xmlAttributes({ message: statusWords(result) });
  const body = isBad(result)
    ? `<failure${message}>${escapeXml(endOf("output" in result ? result.output.text : ""))}</failure>`
    : `<skipped${message}/>`;
  return `${start}>\n      ${body}\n    </testcase>\n`;
}

function sums(results: readonly UnitResult[]): Record<string, number> {
  const bad = results.filter(isBad).length;
  const passed = results.filter(({ status }) => status === "passed").length;
  return {
    tests: results.length,
    failures: bad,
    errors: 0,
    skipped: results.length - bad - passed,
  };
}

function durationOf(result: UnitResult): number {
  return "durationMs" in result ? result.durationMs : 0;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

function endOf(text: string): string {
  return text.length <= OUTPUT_CAP ? text : `…\n${text.slice(-OUTPUT_CAP)}`;
}
