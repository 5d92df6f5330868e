import { join } from "node:path";
import { ciOf } from "@skein/ci";
import { begin, type EarlyAnswers, type Guess } from "@skein/changes";
import { cacheDirOf } from "./cache-dir.js";
import { COMPARE_FLAGS, nameOf } from "./cli/select-flags.js";
import { findRoot } from "@skein/workspaces/find-root";
import type { AffectedWorld } from "./world.js";

/** The processes of git that started before the command line was parsed. */
export interface HeadStart extends EarlyAnswers {
  /** The project's folder, absolute. */
  readonly root: string;
}

/**
 * Starts git while the rest of the program is being loaded. Its output is used only if it turns out to be the right
 * one.
 */
export function headStart({
  argv,
  cwd,
  env,
  signal,
}: Pick<AffectedWorld, "argv" | "cwd" | "env" | "signal">):
  | HeadStart
  | undefined {
  const guess = guessQuestion(argv, env);
  if (!guess) return undefined;
  const root = findRoot(cwd);
  if (root === undefined) return undefined;
  const keepIn = cacheDirOf(env, { commonDir: join(root, ".git") });
  try {
    const early = begin({ cwd: root, env, signal, keepIn }, guess);
    return early && { ...early, root };
  } catch {
    // Git could not be started. The code that needs git reports that.
    return undefined;
  }
}

/** Options that mean other ends than the default branch and HEAD, or no commits at all. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  ...COMPARE_FLAGS.filter(({ isElsewhere }) => isElsewhere).map(nameOf),
  "--help",
  "-h",
]);

/** Commands that read no changes. A script of such a name needs `run` before it anyway. */
const WITHOUT = new Set([
  ...["audit", "cache", "compare", "help", "init"],
  undefined,
]);

/**
 * Guesses what a command line will need from git. The parser decides later, so this function doesn't have to support
 * all options.
 */
export function guessQuestion(
  argv: readonly string[],
  env: AffectedWorld["env"],
): Guess | undefined {
  const end = argv.indexOf("--");
  const words = end < 0 ? argv : argv.slice(0, end);
  const [verb] = words;
  if (WITHOUT.has(verb) || verb?.startsWith("-")) return undefined;
  if (words.some((word) => ELSEWHERE.has(word.split("=")[0] ?? "")))
    return undefined;
  const at = words.findIndex((word) => /^--base(?:=|$)/.test(word));
  const base = words[at]?.includes("=")
    ? words[at].slice("--base=".length)
    : words[at + 1];
  if (at >= 0 && (base === undefined || base === "last-green"))
    return undefined;
  const compares = verb !== "fingerprint" && !words.includes("--all");
  // The event decides with which commit.
  if (at < 0 && compares && ciOf(env).engine !== undefined) return undefined;
  return {
    base: at < 0 ? undefined : base,
    workingTree: !words.includes("--committed"),
    compares,
  };
}
