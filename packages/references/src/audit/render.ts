import { count, printable } from "@skein/reporting";
import type { Crossing } from "../graph.js";
import type { AuditProblem } from "./problems.js";

/** The sentence for each kind of problem. A new kind without a sentence doesn't compile. */
const SENTENCES: {
  readonly [Kind in AuditProblem["kind"]]: (
    problem: Extract<AuditProblem, { kind: Kind }>,
  ) => string;
} = {
  "undeclared-dependency": (problem) =>
    `${problem.workspace} uses ${namesOf(problem)} and does not declare ${it(problem)}`,
  "only-dev-dependency": (problem) =>
    `${problem.workspace} needs ${namesOf(problem)} at run time and declares ${it(problem)} only in devDependencies`,
  "path-import": (problem) =>
    `${problem.workspace} loads a file of ${namesOf(problem)} by its path`,
  symlink: ({ workspace, to }) =>
    `a symbolic link of ${workspace} leads to a file of ${to}`,
  settings: (problem) =>
    `settings of ${problem.workspace} name a file of ${namesOf(problem)}, which it does not declare`,
  "path-string": (problem) =>
    problem.others
      ? `${problem.workspace} computes a path that may lead to a file of ${namesOf(problem)}, and does not declare them`
      : `${problem.workspace} names a file of ${namesOf(problem)}, which it does not declare, in a string`,
};

function namesOf({ to, others = [] }: AuditProblem): string {
  return others.length === 0
    ? to
    : `${to} or ${count(others.length, "other package")}`;
}

function it({ others = [] }: AuditProblem): string {
  return others.length === 0 ? "it" : "them";
}

/** The solution, if it isn't one line of a manifest. */
const HINTS: Readonly<Record<AuditProblem["kind"], string | undefined>> = {
  "undeclared-dependency": undefined,
  "only-dev-dependency":
    "name the package in affected.bundlesDependencies of skein.json, if it bundles its dependencies",
  "path-import":
    "import it by the package's name, or move the file into this package",
  symlink: "declare the package it belongs to",
  settings: "declare the package it belongs to",
  "path-string":
    "declare the package, so that changes to the file are detected without searching strings",
};

/** The solution for a path if only its beginning is known. */
const OPEN_END_HINT =
  "write the folder of the package in the path, so that only this package counts, or declare the packages that it means";

/** The number of further places that are listed after the first. */
const MORE_PLACES = 3;

/**
 * Renders problems for people: the place, the sentence, the line with the specifier underlined, other places, and the line of
 * the manifest that would fix it. Problems are separated by a blank line; without problems, the text is empty.
 * @param sources texts of the files by path; without a text, no line is shown
 */
export function renderProblems(
  problems: readonly AuditProblem[],
  sources: ReadonlyMap<string, string>,
): string {
  return problems.map((problem) => renderProblem(problem, sources)).join("\n");
}

function renderProblem(
  problem: AuditProblem,
  sources: ReadonlyMap<string, string>,
): string {
  const [first, ...others] = problem.places;
  const lines = [
    `${first ? `${placeOf(first)}: ` : ""}${sentenceOf(problem)} [${problem.kind}]`,
  ];
  if (first) lines.push(...squiggle(first, sources.get(first.file)));
  if (others.length > 0) {
    const rest = others.length - MORE_PLACES;
    lines.push(
      `  also: ${others.slice(0, MORE_PLACES).map(placeOf).join(", ")}${rest > 0 ? `, and ${rest} more` : ""}`,
    );
  }
  if ("fix" in problem) {
    const { path, line, field, name, range } = problem.fix;
    lines.push(
      `  fix:  ${printable(path)}:${line}: in ${field}: ${JSON.stringify(name)}: ${JSON.stringify(range)}`,
    );
  }
  const hint =
    problem.kind === "path-string" && problem.others
      ? OPEN_END_HINT
      : HINTS[problem.kind];
  if (hint !== undefined) lines.push(`  hint: ${hint}`);
  return `${lines.join("\n")}\n`;
}

function sentenceOf(problem: AuditProblem): string {
  const sentence = SENTENCES[problem.kind] as (problem: AuditProblem) => string;
  return printable(sentence(problem));
}

function placeOf({ file, line, column }: Crossing): string {
  return `${printable(file)}:${line}:${column}`;
}

/** Returns the line, and a mark under the specifier. Tabs become single spaces, so that the mark is in the right column. */
function squiggle(
  { line, column, specifier, kind }: Crossing,
  source: string | undefined,
): readonly string[] {
  const text =
    kind === "symlink"
      ? undefined
      : source?.replace(/^\uFEFF/, "").split("\n")[line - 1];
  if (text === undefined) return [];
  const number = String(line);
  // Of a very long line (generated code), only the part around the place is shown.
  const from = column > 120 ? column - 40 : 1;
  const part = printable(
    text
      .replace(/\r$/, "")
      .replaceAll("\t", " ")
      .slice(from - 1, from + 159),
  );
  const length = Math.max(
    1,
    Math.min(specifier.length, part.length - (column - from)),
  );
  return [
    `  ${number} | ${part}`,
    `  ${" ".repeat(number.length)} | ${" ".repeat(column - from)}^${"~".repeat(length - 1)}`,
  ];
}

/**
 * Renders problems for programs, in the form of the tool's `audit.schema.json`. `version` increases when a field changes its
 * meaning.
 */
export function problemsToJson(problems: readonly AuditProblem[]): string {
  return `${JSON.stringify({ version: 1, problems }, null, 2)}\n`;
}
