import { printable } from "@skein/reporting";

/** A problem in words: what is wrong in one sentence, and a hint. */
export interface Words {
  readonly sentence: string;
  readonly hint: string;
}

/** Joins a sentence and its hint in one line. */
export function inOneLine(sentence: string, hint: string | undefined): string {
  return hint === undefined ? sentence : `${sentence}; ${hint}`;
}

/** Words for problems, by code. The parameter of each function is the evidence that its words need. */
export type WordsByCode = Readonly<Record<string, (evidence: never) => Words>>;

/** Evidence that consists of texts with these names. */
export type Texts<Name extends string> = Readonly<Record<Name, string>>;

/** The problems that a table has words for: each is a code with its evidence. */
export type ProblemOf<Table extends WordsByCode> = {
  readonly [Code in keyof Table]: Table[Code] extends (
    evidence: infer Evidence,
  ) => Words
    ? Readonly<{ code: Code } & Evidence>
    : never;
}[keyof Table];

/** Returns a problem in words. */
export function explain<Table extends WordsByCode>(
  table: Table,
  problem: ProblemOf<Table>,
): Words {
  return (table[problem.code] as (evidence: unknown) => Words)(problem);
}

/** A line of a text; false and undefined for no line. */
export type Line = string | false | undefined;

/** Returns the lines that are text. */
export function present(lines: readonly Line[]): readonly string[] {
  return lines.filter((line) => typeof line === "string");
}

/** Returns the name of a branch or a tag as people write it, safe to print. */
export function shortRef(ref: string): string {
  return printable(ref.replace(/^refs\/(?:heads|tags)\//, ""));
}

/** Returns untrusted text in quotes, safe to print. */
export function quote(text: string): string {
  return `"${printable(text)}"`;
}
