import { remember } from "@skein/reporting/group-by";
import { isCheckScript, programsIn } from "@skein/known-tools";
import { scriptsBefore } from "../owned/classify.js";
import { isPartOf, type Use } from "./script-uses.js";
import type { Scripts, UnitFacts } from "./units.js";

/** How a reference counts that is in a package's script which, by its name, only tests or checks. */
export interface CheckUse {
  /** The requested script is this one, or may run it. */
  readonly isAsked: boolean;
  /** Something else than tests and checks may run it, so dependents may use what it does. */
  readonly spreads: boolean;
}

/** Programs that run tasks by settings of their own: any of them may run any script. */
const TASK_RUNNERS =
  /^(?:make|gmake|just|task|gulp|grunt|jake|nx|turbo|lerna|lage|wireit|bazel|moon)$/;

/** Words of a command that runs in other packages. */
const ELSEWHERE =
  /(?<![\w-])(?:workspaces?|foreach|cd|--?filter|-F|--cwd|--prefix|--dir|-C|-w|-r|recursive|--scope|lerna|turbo|nx|lage|wsrun|ultra)(?![\w-])/;

/**
 * Opens the judgement of scripts that only test or check. A script may run another one if one of its words is that one's
 * name, or a pattern of it.
 * @param usesOf returns the programs of a package's scripts
 */
export function openCheckScripts(
  facts: UnitFacts,
  usesOf: (name: string) => readonly Use[],
): (name: string, script: string) => CheckUse {
  const { script: asked, pipeline = {} } = facts;
  const before = new Set(scriptsBefore(pipeline, asked));
  /** Returns whether a script of a package must run before scripts of other packages. */
  const isBeforeOthers = (script: string) =>
    Object.values(pipeline)
      .flat()
      .some((entry) => entry === `^${script}` || entry.endsWith(`#${script}`));
  const readWords = openWords();
  let others: readonly Caller[] | undefined;
  /** Returns whether another package may run a script of a package. */
  const isRunFrom = (name: string, script: string) => {
    others ??= callersIn(facts, readWords);
    return others.some(
      (each) =>
        each.name !== name &&
        (each.isElsewhere || (script.includes(":") && !each.has(script))) &&
        mayRun(each.words, script),
    );
  };
  const judge = (name: string, script: string): CheckUse => {
    const own = facts.scriptsOf(name);
    if (!own) return { isAsked: true, spreads: true };
    const isReached = (isStart: (each: string) => boolean) =>
      reachedFrom(Object.keys(own).filter(isStart), own, readWords).has(script);
    const uses = usesOf(name);
    const callers = facts.callersOf(script);
    return {
      isAsked:
        asked === undefined ||
        before.has(script) ||
        callers.has(name) ||
        uses.some(
          ({ isAsked, tool, isMere, isClosed }) =>
            isAsked && !tool && !isMere && !isClosed,
        ) ||
        isReached((each) => isPartOf(each, asked)),
      spreads:
        isBeforeOthers(script) ||
        callers.size > 0 ||
        uses.some(
          (use) => !isCheckScript(use.script) && TASK_RUNNERS.test(use.program),
        ) ||
        isReached((each) => !isCheckScript(each)) ||
        isRunFrom(name, script),
    };
  };
  // A script may make an edge to each package.
  const usesIn = remember((name: string) =>
    remember((script: string) => judge(name, script)),
  );
  return (name, script) => usesIn(name)(script);
}

/** The words of a script that may be names of scripts. */
interface Words {
  readonly names: ReadonlySet<string>;
  /** The beginnings of patterns: `run-s lint:*` runs all scripts that begin with `lint:`. */
  readonly beginnings: readonly string[];
}

/** A script that may run scripts of other packages. */
interface Caller {
  /** The package of the script. */
  readonly name: string;
  /** Returns whether this package has a script of a name. Otherwise, Yarn runs `x:y` in the only package that has it. */
  readonly has: (script: string) => boolean;
  /** A command of it runs in other packages. */
  readonly isElsewhere: boolean;
  readonly words: Words;
}

/** Returns the scripts of all packages; of the root, only those that do more than tests and checks. */
function callersIn(
  { packages, root, scriptsOf }: UnitFacts,
  readWords: (text: string) => Words,
): readonly Caller[] {
  return packages.flatMap(({ name }) => {
    const own = scriptsOf(name) ?? {};
    return Object.entries(own)
      .filter(([script]) => name !== root || !isCheckScript(script))
      .map(([, text]) => ({
        name,
        has: (script: string) => Object.hasOwn(own, script),
        isElsewhere: ELSEWHERE.test(text),
        words: readWords(text),
      }));
  });
}

function mayRun({ names, beginnings }: Words, script: string): boolean {
  return (
    names.has(script) || beginnings.some((start) => script.startsWith(start))
  );
}

/** Returns the scripts of a package that some of its scripts may run, including these. */
function reachedFrom(
  starts: readonly string[],
  own: Scripts,
  readWords: (text: string) => Words,
): ReadonlySet<string> {
  const reached = new Set(starts);
  for (const each of reached) {
    const words = readWords(own[each] ?? "");
    for (const next of Object.keys(own))
      if (isPartOf(next, each) || mayRun(words, next)) reached.add(next);
  }
  return reached;
}

/** Opens the words of scripts; each text is read once. */
function openWords(): (text: string) => Words {
  return remember(wordsOf);
}

function wordsOf(text: string): Words {
  const names = programsIn(text)
    .words.flatMap((word) => word.split(/\s+/))
    .map((word) => word.replace(/^(?:npm|yarn|pnpm|node):/, ""));
  // A pattern with a slash means files.
  const patterns = names.filter((name) => /^[^*/]+\*[^/]*$/.test(name));
  return {
    names: new Set(names),
    beginnings: patterns.map((pattern) =>
      pattern.slice(0, pattern.indexOf("*")),
    ),
  };
}
