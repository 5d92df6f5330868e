import { displayWidth, printable } from "@skein/reporting";
import { usageOf, type QueryProblem, type Span } from "./syntax.js";

/** A message about a place in a query. */
export interface Remark {
  /** The sentence, then the query's text with the place underlined: three lines, without a newline at the end. */
  readonly message: string;
  /** The user's next step, if there is one. */
  readonly hint: string | undefined;
}

/** Returns the message for a problem, with its place in the query's text. */
export function describeProblem(text: string, problem: QueryProblem): Remark {
  return {
    message: pointAt(problemSentence(problem), text, problem.at),
    hint: problemHint(problem),
  };
}

type NoMatch = Extract<QueryProblem, { kind: "no-match" }>;

function problemSentence(problem: QueryProblem): string {
  switch (problem.kind) {
    case "empty-query":
      return "the filter is empty";
    case "empty-text":
      return "there is nothing between the quotes";
    case "unclosed-quote":
      return "this quote is never closed";
    case "unclosed-parenthesis":
      return "this parenthesis is never closed";
    case "bang":
      return "! isn't an operator here";
    case "too-deep":
      return "the filter is nested too deeply";
    case "unexpected":
      return problem.found === undefined
        ? `the filter ends where ${problem.expected} is expected`
        : `${problem.expected} is expected here, not ${printable(problem.found)}`;
    case "unknown-function":
      return `there is no function ${printable(problem.name)}()`;
    case "wrong-arguments":
      return `${problem.name}() needs an argument`;
    case "bad-depth":
      return "a depth is a whole number from 1";
    case "no-match":
      return `${NO_PACKAGE[problem.what]} ${printable(problem.text)}`;
  }
}

const NO_PACKAGE: Readonly<Record<NoMatch["what"], string>> = {
  name: "no package is named",
  folder: "no package has the folder",
  glob: "no package's name matches",
  "folder-glob": "no package's folder matches",
  owner: "no package is owned by",
  tag: "no package has the tag",
};

const WHERE_TO_LOOK: Readonly<Partial<Record<NoMatch["what"], string>>> = {
  owner: "`affected graph --format json` shows the owners of each package",
  tag: 'tags are given in skein.json, in "tags"',
};

function problemHint(problem: QueryProblem): string | undefined {
  switch (problem.kind) {
    case "bang":
      return "for everything but x write: not x";
    case "wrong-arguments":
      return `write ${usageOf[problem.name]}`;
    case "unknown-function":
      return (
        didYouMean(problem.meant.map((name) => `${name}()`)) ??
        `the functions are ${Object.keys(usageOf)
          .map((name) => `${name}()`)
          .join(", ")}`
      );
    case "no-match":
      return didYouMean(problem.meant) ?? WHERE_TO_LOOK[problem.what];
    case "empty-query":
      return "for every package write **";
    case "empty-text":
    case "unclosed-quote":
    case "unclosed-parenthesis":
    case "too-deep":
    case "bad-depth":
      return undefined;
    case "unexpected":
      return problem.found?.startsWith("-")
        ? "the operator - needs spaces around it"
        : undefined;
  }
}

function didYouMean(meant: readonly string[]): string | undefined {
  return meant.length === 0
    ? undefined
    : `did you mean ${meant.map(printable).join(" or ")}?`;
}

function pointAt(sentence: string, text: string, { start, length }: Span) {
  const before = displayWidth(printable(text.slice(0, start)));
  const under = displayWidth(printable(text.slice(start, start + length)));
  return `${sentence}\n  ${printable(text)}\n  ${" ".repeat(before)}${"^".repeat(Math.max(1, under))}`;
}
