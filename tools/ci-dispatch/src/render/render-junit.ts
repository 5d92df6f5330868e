import { isRed } from "../verdict.js";
import type { JudgedUnit, Verdict } from "../verdict.js";

/**
 * The verdict as JUnit XML: a suite for each unit, a case for each failed test, and one case for the unit itself where
 * no test is named.
 */
export function renderVerdictJunit({ plan, units }: Verdict): string {
  const failures = units.filter(isRed).length;
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${xml(plan)}" tests="${units.length}" failures="${failures}">
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
          `    <testcase classname="${xml(`${unit.workspace}.${file}`)}" name="${xml(name)}" file="${xml(file)}"${line === null ? "" : ` line="${line}"`}><failure type="${unit.failure?.class ?? ""}">${xml(message)}</failure></testcase>\n`,
      )
    : [
        `    <testcase classname="${xml(unit.workspace)}" name="${xml(unit.id)}" time="${time}"${unit.failure ? `>${told(unit, red)}</testcase>` : "/>"}\n`,
      ];
  return `  <testsuite name="${xml(unit.id)}" tests="${cases.length}" failures="${red ? cases.length : 0}" time="${time}">\n${cases.join("")}  </testsuite>\n`;
}

/** A failure; or, where it passed in the end, words that every reader of JUnit takes for no failure. */
function told(unit: JudgedUnit, red: boolean): string {
  const { failure, state, lastLines = [] } = unit;
  const evidence = xml([...(failure?.evidence ?? []), ...lastLines].join("\n"));
  return red
    ? `<failure type="${failure?.class ?? ""}" message="${state}">${evidence}</failure>`
    : `<system-out>${state}: ${evidence}</system-out>`;
}

/** Text that XML can hold: its five signs escaped, and what it may not hold at all replaced. */
function xml(text: string): string {
  return Array.from(text, (sign) => {
    const code = sign.codePointAt(0) ?? 0;
    const isAllowed =
      code === 9 ||
      code === 10 ||
      (code >= 0x20 && code < 0xd800) ||
      (code > 0xdfff && code < 0xfffe) ||
      code > 0xffff;
    return isAllowed ? (ESCAPES[sign] ?? sign) : "\ufffd";
  }).join("");
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
  "\n": "&#10;",
};
