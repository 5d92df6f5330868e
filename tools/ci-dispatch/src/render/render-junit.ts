import { escapeXml, xmlAttributes } from "@skein/reporting/markup";
import { isRed } from "../verdict.js";
import type { JudgedUnit, Verdict } from "../verdict.js";

/**
 * The verdict as JUnit XML: a suite for each unit, a case for each failed test, and one case for the unit itself where
 * no test is named.
 */
export function renderVerdictJunit({ plan, units }: Verdict): string {
  const failures = units.filter(isRed).length;
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites${xmlAttributes({ name: plan, tests: units.length, failures })}>
${units.map(suite).join("")}</testsuites>
`;
}

function suite(unit: JudgedUnit): string {
  const time = ((unit.durationMs ?? 0) / 1000).toFixed(3);
  const red = isRed(unit);
  const named = red && unit.failedTests.length > 0;
  const cases = named
    ? unit.failedTests.map(
        ({ file, line, name, message }) =>
          `    <testcase${xmlAttributes({ classname: `${unit.workspace}.${file}`, name, file, line: line ?? undefined })}><failure${xmlAttributes({ type: unit.failure?.class ?? "" })}>${onOneLine(message)}</failure></testcase>\n`,
      )
    : [
        `    <testcase${xmlAttributes({ classname: unit.workspace, name: unit.id, time })}${unit.failure ? `>${told(unit, red)}</testcase>` : "/>"}\n`,
      ];
  const failures = red ? cases.length : 0;
  return `  <testsuite${xmlAttributes({ name: unit.id, tests: cases.length, failures, time })}>\n${cases.join("")}  </testsuite>\n`;
}

/** A failure; or, where it passed in the end, words that every reader of JUnit takes for no failure. */
function told(unit: JudgedUnit, red: boolean): string {
  const { failure, state, lastLines = [] } = unit;
  const evidence = onOneLine(
    [...(failure?.evidence ?? []), ...lastLines].join("\n"),
  );
  return red
    ? `<failure${xmlAttributes({ type: failure?.class ?? "", message: state })}>${evidence}</failure>`
    : `<system-out>${state}: ${evidence}</system-out>`;
}

/** Escapes text and its line ends: where the file is printed in a log, none of it is a workflow command. */
function onOneLine(text: string): string {
  return escapeXml(text).replaceAll("\n", "&#10;");
}
