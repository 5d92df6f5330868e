import { escapeXml, xmlAttributes } from "./markup.js";

/**
 * One case of a JUnit report. There is no specification; this is the part that GitLab, Jenkins and Buildkite read
 * (https://github.com/testmoapp/junitxml).
 */
export interface JunitCase {
  readonly classname: string;
  readonly name: string;
  readonly file?: string | undefined;
  /** 1-based. */
  readonly line?: number | undefined;
  /** Undefined if the duration isn't known. Milliseconds. */
  readonly durationMs?: number | undefined;
  readonly outcome: JunitOutcome;
}

/** `passed` may have a note, which readers show beside the case, or as its output if it has several lines. */
export type JunitOutcome =
  | { readonly kind: "passed"; readonly property?: JunitProperty }
  | { readonly kind: "passed"; readonly output: string }
  | { readonly kind: "skipped"; readonly message: string }
  | {
      readonly kind: "failed";
      readonly type?: string | undefined;
      readonly message?: string | undefined;
      readonly text: string;
    };

export interface JunitProperty {
  readonly name: string;
  readonly value: string;
}

export interface JunitSuite {
  readonly name: string;
  readonly durationMs: number;
  readonly cases: readonly JunitCase[];
}

export interface JunitReport {
  readonly name?: string;
  readonly durationMs: number;
  readonly suites: readonly JunitSuite[];
}

/**
 * Renders a report as JUnit XML. The XML is valid whatever the texts contain, and no text starts a line, so a log that shows
 * the file contains no workflow command.
 */
export function renderJunit({ name, durationMs, suites }: JunitReport): string {
  const cases = suites.flatMap((suite) => suite.cases);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${xmlAttributes({ name, ...sums(cases), time: seconds(durationMs) })}>`,
    ...suites.flatMap(suiteLines),
    "</testsuites>",
    "",
  ].join("\n");
}

function suiteLines(suite: JunitSuite): readonly string[] {
  const { name, durationMs, cases } = suite;
  return [
    `  <testsuite${xmlAttributes({ name, ...sums(cases), time: seconds(durationMs) })}>`,
    ...cases.flatMap(caseLines),
    "  </testsuite>",
  ];
}

function caseLines(each: JunitCase): readonly string[] {
  const { classname, name, file, line, durationMs } = each;
  const time = durationMs === undefined ? undefined : seconds(durationMs);
  const start = `    <testcase${xmlAttributes({ classname, name, file, line, time })}`;
  const body = outcomeElement(each.outcome);
  return body === undefined
    ? [`${start}/>`]
    : [`${start}>`, `      ${body}`, "    </testcase>"];
}

function outcomeElement(outcome: JunitOutcome): string | undefined {
  switch (outcome.kind) {
    case "failed": {
      const { type, message, text } = outcome;
      return `<failure${xmlAttributes({ type, message })}>${onOneLine(text)}</failure>`;
    }
    case "skipped":
      return `<skipped${xmlAttributes({ message: outcome.message })}/>`;
    case "passed":
      if ("output" in outcome)
        return `<system-out>${onOneLine(outcome.output)}</system-out>`;
      return outcome.property
        ? `<properties><property${xmlAttributes({ ...outcome.property })}/></properties>`
        : undefined;
  }
}

function sums(cases: readonly JunitCase[]): Record<string, number> {
  const of = (kind: JunitOutcome["kind"]) =>
    cases.filter(({ outcome }) => outcome.kind === kind).length;
  return {
    tests: cases.length,
    failures: of("failed"),
    errors: 0,
    skipped: of("skipped"),
  };
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

/** Escapes text and its line ends. */
function onOneLine(text: string): string {
  return escapeXml(text).replaceAll("\n", "&#10;");
}
