import { isCheckScript, toolCalled } from "@skein/known-tools";
import type { Collector } from "../positions.js";

/** One word of a command, and its position. */
export interface Word {
  readonly word: string;
  readonly index: number;
}

/** `cd ../..`, `yarn --cwd=..`, `npm --prefix ../../`. */
const UP = /^(\.\.\/?)+$/;
const CHANGES_FOLDER = /^(cd|--cwd|--prefix|--dir|-C)$/;
const RUNS = /^(yarn|jlpm|npm|pnpm|run)$/;

/**
 * Notes the words that may be scripts of another workspace. For Yarn, these are all words with a colon. For the root, these
 * are the words after `-T`, and those that run in a folder above (`cd ../.. && yarn x`). A word in `.bin` may be a
 * program that the root has installed, which `-T` finds too; one after `npx` is a program, and no script.
 * @param own names that are scripts of the same manifest, if it is a root's
 * @param offset of the text that contains the words
 * @returns whether there is such a word
 */
export function addCalls(
  words: readonly Word[],
  own: ReadonlySet<string>,
  offset: number,
  found: Collector,
): boolean {
  let calls = false;
  let before = "";
  // `turbo run x --filter=//`: Turborepo's name of the root.
  let isAbove = words.some(({ word }) => word === "//");
  let isRun = false;
  for (const { word, index } of words) {
    isAbove ||= UP.test(word) && CHANGES_FOLDER.test(before);
    const isTop =
      /^(-T|--top-level)$/.test(before) ||
      own.has(word) ||
      (isAbove && isRun && /^[^-./]/.test(word));
    // `npx x` runs an installed program, and no script.
    if (before === "npx" && /^\w[\w.-]*$/.test(word)) {
      addProgram(word, offset + index, found);
      calls = true;
    }
    isRun ||= RUNS.test(word);
    before = word;
    // `run-s "gen:*"`, `concurrently "yarn:gen:*"`.
    const pattern = word.includes("*")
      ? word.replace(/^(?:yarn|npm):/, "")
      : "";
    const meant = Array.from(own).filter((name) => isMatch(name, pattern));
    for (const name of meant)
      found.add(`-T ${name}`, "script-call", offset + index);
    calls ||= meant.length > 0;
    const bin = /node_modules\/\.bin\/([\w.-]+)$/.exec(word)?.[1];
    const called =
      bin !== undefined || isTop
        ? `-T ${bin ?? word}`
        : (/^[^-/*:][^/*]*:[^/*]+$/.exec(word)?.[0] ?? taskOfRoot(word));
    if (called === undefined) continue;
    found.add(called, "script-call", offset + index);
    calls = true;
  }
  return calls;
}

/** Returns a call of the root's script that Turborepo runs as a task: `//#x`. */
function taskOfRoot(word: string): string | undefined {
  return word.startsWith("//#") ? `-T ${word.slice(3)}` : undefined;
}

/** Returns whether a pattern of scripts may mean this one. */
function isMatch(name: string, pattern: string): boolean {
  const [start = "", ...rest] = pattern.split(/\*+/);
  const end = rest.at(-1) ?? "";
  return start !== "" && name.startsWith(start) && name.endsWith(end);
}

/** A word that may be the name of a script that tests or checks. */
const CHECK = /(?<=[\s"'`])[a-z][\w:.-]*\w/g;

/**
 * Notes the words of a command that may be scripts of the package that test or check: `yarn lint:types`.
 * @param offset where the command begins
 */
export function addCheckCalls(
  command: string,
  offset: number,
  found: Collector,
): void {
  for (const { 0: part, index: start } of command.matchAll(ONE_COMMAND)) {
    const [, program = ""] = /^\s*(?:\w+=\S+\s+)*([\w.-]+)/.exec(part) ?? [];
    if (runsNoScript(program)) continue;
    for (const { 0: word, index } of part.matchAll(CHECK))
      if (isCheckScript(word))
        found.add(`run ${word}`, "script-call", offset + start + index);
  }
}

/** One command of several. */
const ONE_COMMAND = /[^;&|\n]+/g;

/** Returns whether the words of a program's command are known to be no scripts: `vitest lint`, `tsc`. */
function runsNoScript(program: string): boolean {
  const tool = toolCalled(program);
  return tool?.runsTests === true || (tool && tool.purpose !== "run") === true;
}

/** The word that a command starts with, after programs that start other programs and their options. */
const PROGRAM =
  /(?<=(?:^|[;&|(\n"'`]|(?<![\w./-])(?:npx|bunx|yarn|jlpm|npm|pnpm|run|exec|env|cross-env|time)\s)\s*(?:(?:--?[A-Za-z][\w-]*(?:=\S+)?|\w+=\S*)\s+)*)[a-z][\w.-]*(?=\s|["'`;&|)]|$)/g;
/** Programs of the shell and of package managers, which no workspace provides. */
const COMMON =
  /^(?:cd|cp|rm|mkdir|echo|node|npx|bunx|yarn|jlpm|npm|pnpm|run|exec|env|cross-env|time|cat|mv|sh|bash|true|exit|test|export|workspaces?)$/;
/** Further words of shell scripts. */
const IN_SHELL =
  /^(?:false|if|then|else|elif|fi|for|in|do|done|while|case|esac|function|return|local|set|shift|source|unset|printf|read|grep|sed|awk|find|ls|ln|touch|chmod|git|curl|tar|zip|unzip|head|tail|sort|xargs|tee|wc|tr|cut|sleep|pwd|pushd|popd|kill|command|which|dirname|basename|trap|eval|make|apt-get|apk|sudo|docker|include|ifeq|ifneq|endif)$/;

/**
 * Notes the programs that the commands of a script run. One of them may be a program that another workspace provides; a call
 * by the name of a `bin` can mean no script.
 */
export function addPrograms(
  text: string,
  offset: number,
  found: Collector,
): void {
  for (const { 0: program, index } of text.matchAll(PROGRAM))
    addProgram(program, offset + index, found);
  if (text.includes("yarn bin"))
    for (const { 1: program = "", index } of text.matchAll(FINDS_PROGRAM))
      addProgram(program, offset + index, found);
}

/** A question for the path of a program: `node $(yarn bin x)`. */
const FINDS_PROGRAM = /\byarn bin\s+([a-z][\w.-]*)/g;

/** A command that starts an installed program. */
const STARTS = /\b(?:npx|bunx|exec)[ \t]+(?:-\S+[ \t]+)*$/;

/** Does the same for a shell script, and notes the packages that contain these programs. */
export function addProgramsOfShell(text: string, found: Collector): void {
  for (const { 0: program, index } of text.matchAll(PROGRAM)) {
    if (IN_SHELL.test(program)) continue;
    addProgram(program, index, found);
    const tool = toolCalled(program);
    if (tool || STARTS.test(text.slice(Math.max(0, index - 40), index)))
      for (const name of [program, ...(tool?.packages ?? [])])
        found.add(name, "name-string", index);
  }
}

/** Notes a program that something starts. */
export function addProgram(
  program: string,
  offset: number,
  found: Collector,
): void {
  if (!COMMON.test(program)) found.add(`bin ${program}`, "script-call", offset);
}
