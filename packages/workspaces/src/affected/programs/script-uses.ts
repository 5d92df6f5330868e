import { posix } from "node:path";
import { remember } from "@skein/reporting/group-by";
import {
  PLAIN_PROGRAMS,
  RUN_MANY,
  RUN_MODULES,
  RUN_SCRIPTS,
  programsIn,
  startsInFolder,
  staysInFolder,
  type ScriptPrograms,
  type Tool,
} from "@skein/known-tools";
import type { Scripts, UnitFacts } from "./units.js";

/** The programs of one script. */
interface CalledPrograms extends Pick<
  ScriptPrograms,
  "tools" | "unknown" | "programs"
> {
  /** The files that Node runs, if the script runs no other unknown program. */
  readonly files?: readonly string[];
  /** The programs run in the package's folder, which isn't the root. */
  readonly isInFolder: boolean;
  /** The same, although their arguments may lead out of it. */
  readonly beginsInFolder: boolean;
  /** @see Use.namesProject */
  readonly namesProject: boolean;
  /** @see Use.words */
  readonly words: readonly string[];
}

/** Opens the programs of scripts; each text is read once. */
export function openPrograms(): (text: string) => ScriptPrograms {
  return remember(programsIn);
}

/** Yields the programs of a script and of every script that it calls; a call that isn't a script is an unknown program. */
function* programsCalled(
  script: string,
  own: Scripts,
  scriptsOf: (workspace: string) => Scripts | undefined,
  root: Scripts,
  readPrograms: (text: string) => ScriptPrograms,
  shellOf: (file: string) => string | undefined,
): Iterable<CalledPrograms> {
  const called: Called[] = [];
  const add = (each: Called) => {
    if (
      !called.some(
        ({ text, from, passed }) =>
          text === each.text &&
          from === each.from &&
          passed.join(" ") === each.passed.join(" "),
      )
    )
      called.push(each);
  };
  add({ text: own[script] ?? "", from: own, passed: [] });
  let isInFolder = own !== root;
  let beginsInFolder = isInFolder;
  for (const { text, from, passed } of called) {
    const read = readPrograms(text);
    const { tools, unknown, unknownBesides, programs, files } = read;
    const isPassed = read.runsPassed && areNames(passed);
    const calls = isPassed ? [...read.calls, ...passed] : read.calls;
    isInFolder &&= from === own && staysInFolder(read.words);
    beginsInFolder &&= from === own && startsInFolder(read.words);
    const shells = from === own ? shellsIn(read, shellOf) : undefined;
    for (const each of shells ?? []) add({ text: each, from: own, passed: [] });
    let unresolved = isPassed ? undefined : unknown;
    if (shells && read.shells.some((each) => each === unresolved))
      unresolved =
        unknownBesides ?? (files.length > 0 ? runnerIn(programs) : undefined);
    // It isn't known in which folder a script of the root runs that a package calls, and another package has a folder of its own.
    let isUnknown = unknownBesides !== undefined || !shells;
    for (const { workspace, script: name } of read.callsElsewhere) {
      const scripts = scriptsOf(workspace);
      // Every object has members such as `constructor`, which are not scripts.
      const text = scripts && Object.hasOwn(scripts, name) && scripts[name];
      if (scripts && typeof text === "string")
        add({ text, from: scripts, passed: read.passed });
      else {
        unresolved ??= "workspace";
        isUnknown = true;
      }
    }
    for (const call of calls) {
      const name = call.replace(/^-T /, "");
      const isTop = from === root || name !== call;
      const found = scriptsCalled(
        name,
        isTop,
        from === root ? own : from,
        root,
      );
      for (const each of found) add({ ...each, passed: read.passed });
      const isKnown = tools.has(name) || KNOWN.some((all) => all.has(name));
      if (found.length === 0 && !isKnown && !/[./*]/.test(name)) {
        unresolved ??= name;
        isUnknown = true;
      }
    }
    yield {
      tools,
      unknown: unresolved,
      programs,
      ...(!isUnknown && { files }),
      isInFolder,
      beginsInFolder,
      namesProject: namesProject(text),
      words: [...read.words, ...passed],
    };
  }
}

/** Returns whether each command with a compiler names its tsconfig in the current folder: `tsc -p tsconfig.build.json`. */
function namesProject(text: string): boolean {
  return text
    .split(/[;&|\n]/)
    .filter((command) => /\btsc\b/.test(command))
    .every((command) =>
      /\btsc(?:\s[^$`]*)?\s(?:-p|--project)[\s=]+(?!\S*\.\.)[\w.][^$`]*$/.test(
        command,
      ),
    );
}

/**
 * Returns the commands of the shell scripts that a script runs in its package's folder; undefined if they aren't all known.
 * @param shellOf returns the commands of a file from that folder
 */
function shellsIn(
  { shells, words }: ScriptPrograms,
  shellOf: (file: string) => string | undefined,
): readonly string[] | undefined {
  if (shells.length > 0 && !startsInFolder(words)) return undefined;
  const texts = shells.map(shellOf);
  const known = texts.filter((each) => each !== undefined);
  return known.length < texts.length ? undefined : known;
}

/** Returns the program that runs files of the project. */
function runnerIn(programs: ReadonlySet<string>): string | undefined {
  return [...programs].find((program) => RUN_MODULES.has(program));
}

/** Programs that read nothing, and those whose arguments are known: `yarn run-s build test`. */
const KNOWN = [PLAIN_PROGRAMS, RUN_MANY, RUN_SCRIPTS];

/** The text of a script, and the scripts of its manifest. A call in a script of the root can mean a script of the root. */
interface Called {
  readonly text: string;
  readonly from: Scripts;
  /** Words that it gets as arguments, or that another script in the same commands gets. */
  readonly passed: readonly string[];
}

/** Returns whether words are names of scripts, or patterns of names, and there is at least one. */
function areNames(words: readonly string[]): boolean {
  return words.length > 0 && words.every((word) => /^[\w:*-]+$/.test(word));
}

/**
 * @param isTop whether it may mean the root's script even if the package has one of that name: `run -T x`,
 *   `cd ../.. && yarn x`
 */
function scriptsCalled(
  call: string,
  isTop: boolean,
  own: Scripts,
  root: Scripts,
): readonly Omit<Called, "passed">[] {
  const [start = "", wild] = call.split("*", 2);
  const isMeant = (name: string) =>
    wild === undefined ? name === call : name.startsWith(start);
  const textsOf = (from: Scripts) =>
    Object.entries(from).flatMap(([name, text]) =>
      isMeant(name) ? [{ text, from }] : [],
    );
  const found = textsOf(own);
  return found.length > 0 && !isTop ? found : [...found, ...textsOf(root)];
}

/** One program of one script. */
export interface Use {
  readonly script: string;
  readonly program: string;
  /** Undefined for a program that isn't in the table. */
  readonly tool: Tool | undefined;
  /** The workspace that provides the program, if one does. */
  readonly offeredBy: string | undefined;
  /** The script runs no other unknown program than files of the project that load none. */
  readonly isClosed?: boolean;
  /** It certainly runs in the package's folder, which isn't the root. */
  readonly isInFolder?: boolean;
  /** It certainly begins there, and its arguments may lead out of it. */
  readonly beginsInFolder?: boolean;
  /** The compiler gets the path of a tsconfig in that folder, so it looks for none above. */
  readonly namesProject?: boolean;
  /** The words of the script that contains it (this one, or one that this one calls), and its arguments. */
  readonly words: readonly string[];
  /** It belongs to the requested script. */
  readonly isAsked: boolean;
  /** The program itself counts, but what it may read is known from another program of the script. */
  readonly isMere?: true;
}

/**
 * Yields the programs of a package's scripts, also through the scripts that these call.
 * @param readPrograms the result of `openPrograms`, if several packages are asked for
 */
export function* usesIn(
  name: string,
  facts: UnitFacts,
  readPrograms = programsIn,
): Iterable<Use> {
  const own = facts.scriptsOf(name);
  if (!own) {
    yield {
      script: facts.script ?? "",
      program: "",
      tool: undefined,
      offeredBy: undefined,
      words: [],
      isAsked: true,
    };
    return;
  }
  const root = name === facts.root ? own : (facts.scriptsOf(facts.root) ?? {});
  const dir = facts.packageOf(name)?.dir;
  const areClosed = (files: readonly string[]) =>
    dir !== undefined &&
    files.every((file) => facts.isClosed(posix.join(dir, file)));
  const shellOf = (file: string) =>
    dir === undefined ? undefined : facts.shellOf(posix.join(dir, file));
  for (const script of Object.keys(own)) {
    const isAsked =
      facts.script === undefined || isPartOf(script, facts.script);
    for (const {
      tools,
      unknown,
      programs,
      files,
      isInFolder,
      beginsInFolder,
      namesProject: isNamed,
      words,
    } of programsCalled(
      script,
      own,
      facts.scriptsOf,
      root,
      readPrograms,
      shellOf,
    )) {
      for (const [program, tool] of tools)
        yield {
          ...{ script, program, tool, isInFolder, beginsInFolder },
          ...{ words, isAsked },
          offeredBy: undefined,
          ...(program === "tsc" && isInFolder && { namesProject: isNamed }),
        };
      for (const program of programs)
        if (!tools.has(program) && program !== unknown)
          yield { script, program, ...MERE, words, isAsked };
      if (unknown !== undefined)
        yield {
          script,
          program: unknown,
          tool: undefined,
          offeredBy: facts.ownerOfBin(unknown),
          isClosed: files !== undefined && areClosed(files),
          beginsInFolder,
          words,
          isAsked,
        };
    }
  }
}

const MERE = { tool: undefined, offeredBy: undefined, isMere: true } as const;

/**
 * Returns whether a script is the requested one, or runs around it. Like npm, Yarn runs `pretest` and `posttest` around `test`
 * in some packages, and people call them by hand.
 */
export function isPartOf(script: string, asked: string): boolean {
  return (
    script === asked || script === `pre${asked}` || script === `post${asked}`
  );
}
