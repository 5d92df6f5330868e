import { renderJunit } from "@skein/reporting/junit";
import type { JunitCase, JunitSuite } from "@skein/reporting/junit";
import { isRed, type JudgedUnit, type Verdict } from "../verdict.js";

/**
 * Renders the verdict as JUnit XML: a suite for each unit, a case for each failed test, and one case for the unit itself
 * if no failed test is known.
 */
export function renderVerdictJunit({ plan, units }: Verdict): string {
  const suites = units.map(suiteOf);
  const durationMs = suites.reduce((sum, each) => sum + each.durationMs, 0);
  return renderJunit({ name: plan, durationMs, suites });
}

function suiteOf(unit: JudgedUnit): JunitSuite {
  const { id: name, durationMs } = unit;
  return { name, durationMs: durationMs ?? 0, cases: casesOf(unit) };
}

function casesOf(unit: JudgedUnit): readonly JunitCase[] {
  const { id, workspace, durationMs, failure, state, failedTests } = unit;
  const type = failure?.class;
  if (isRed(unit) && failedTests.length > 0)
    return failedTests.map(({ file, line, name, message }) => ({
      classname: `${workspace}.${file}`,
      name,
      file,
      line: line ?? undefined,
      outcome: { kind: "failed", type, text: message },
    }));
  const evidence = [
    ...(failure?.evidence ?? []),
    ...(unit.lastLines ?? []),
  ].join("\n");
  const outcome: JunitCase["outcome"] = isRed(unit)
    ? { kind: "failed", type, message: state, text: evidence }
    : failure
      ? { kind: "passed", output: `${state}: ${evidence}` }
      : { kind: "passed" };
  return [
    { classname: workspace, name: id, durationMs: durationMs ?? 0, outcome },
  ];
}
