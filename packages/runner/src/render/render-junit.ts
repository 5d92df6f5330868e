import { groupBy } from "@skein/reporting/group-by";
import { renderJunit as renderXml } from "@skein/reporting/junit";
import type { JunitCase, JunitSuite } from "@skein/reporting/junit";
import { isBad, replayedWords, statusWords } from "./render-words.js";
import type { RunReport, UnitResult } from "../unit.js";

/**
 * The maximum length of a failed unit's output in the report, in characters. It is the end of the output, where the
 * failure is.
 */
const OUTPUT_CAP = 64 * 1024;

/**
 * Renders a run as JUnit XML, with a suite for each package and a case for each script. It skips packages without the
 * script.
 */
export function renderJunit({ results, durationMs }: RunReport): string {
  const byPackage = groupBy(
    results.filter(({ status }) => status !== "no-script"),
    ({ unit }) => unit.workspace,
  );
  const suites = [...byPackage].map(([name, units]): JunitSuite => ({
    name,
    durationMs: units.reduce((sum, each) => sum + durationOf(each), 0),
    cases: units.map(caseOf),
  }));
  return renderXml({ durationMs, suites });
}

function caseOf(result: UnitResult): JunitCase {
  const { workspace: classname, script: name } = result.unit;
  return {
    classname,
    name,
    durationMs: durationOf(result),
    outcome: outcomeOf(result),
  };
}

function outcomeOf(result: UnitResult): JunitCase["outcome"] {
  if (result.status === "passed")
    return result.replayed
      ? {
          kind: "passed",
          property: { name: "replayed", value: replayedWords(result.replayed) },
        }
      : { kind: "passed" };
  const message = statusWords(result);
  if (!isBad(result)) return { kind: "skipped", message };
  const text = "output" in result ? endOf(result.output.text) : "";
  return { kind: "failed", message, text };
}

function durationOf(result: UnitResult): number {
  return "durationMs" in result ? result.durationMs : 0;
}

function endOf(text: string): string {
  return text.length <= OUTPUT_CAP ? text : `…\n${text.slice(-OUTPUT_CAP)}`;
}
