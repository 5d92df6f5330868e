import { join } from "node:path";
import { ciOf } from "@skein/ci";
import { begin } from "@skein/changes";
import type { Begun, Guess } from "@skein/changes";
import { cacheDirOf } from "./cache-dir.js";
import { COMPARE_FLAGS, nameOf } from "./cli/select-flags.js";
import { findProjectRoot } from "./find-root.js";
import type { AffectedWorld } from "./world.js";

/** What git was asked before the command line was understood. */
export interface HeadStart extends Begun {
  /** The project's folder, absolute. */
  readonly root: string;
}

/**
 * Lets git begin while the rest of the program is being loaded. What it answers is used only where it turns out to be
 * what was asked for.
 */
export function headStart({
  argv,
  cwd,
  env,
  signal,
}: Pick<AffectedWorld, "argv" | "cwd" | "env" | "signal">):
  HeadStart | undefined {
  const guess = guessQuestion(argv, env);
  if (!guess) return undefined;
  const root = findProjectRoot(cwd);
  if (root === undefined) return undefined;
  const keepIn = cacheDirOf(env, { commonDir: join(root, ".git") });
  try {
    const begun = begin({ cwd: root, env, signal, keepIn }, guess);
    return begun && { ...begun, root };
  } catch {
    // Git could not be started. Whoever asks for real reports it.
    return undefined;
  }
}

/** Options that name other ends than the default branch and HEAD, or no commits at all. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  ...COMPARE_FLAGS.filter(({ isElsewhere }) => isElsewhere).map(nameOf),
  "--help",
  "-h",
]);

/** Commands that read no changes; `run` takes its script's name in any case. */
const WITHOUT = new Set([
  ...["audit", "cache", "compare", "help", "init"],
  undefined,
]);

/**
 * What a command line will probably ask of git. The parser has the last word: this is no more than a guess, and need
 * not know all options.
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
  if (at < 0 && ciOf(env).engine !== undefined) return undefined;
  return {
    base: at < 0 ? undefined : base,
    workingTree: !words.includes("--committed"),
  };
}
