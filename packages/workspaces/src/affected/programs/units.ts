import { remember } from "@skein/reporting/group-by";
import {
  CHECKS_IN_BUILDS,
  isCheckScript,
  packagesOf,
  programsOf,
  READERS,
  settingsOf,
  type SettingsName,
  type Tool,
  TOOLS,
} from "@skein/known-tools";
import type { PackageFacts } from "../../project.js";
import type { Settings } from "../../settings/settings.js";
import { includesPath, readsOnlyOthers } from "./named-files.js";
import { openEnds, openMayBeginElsewhere } from "./search-ends.js";
import { openGlobsOf, openLooksUp } from "./plug-ins.js";
import { openCheckScripts, type CheckUse } from "./check-scripts.js";
import { openPrograms, usesIn, type Use } from "./script-uses.js";

/** The scripts of one manifest by name. */
export type Scripts = Readonly<Record<string, string>>;

/** How a unit (a package's script) reads settings that no file names. */
export interface Lookup {
  /** The package's script that reads them. */
  readonly script: string;
  /** The program that it runs. */
  readonly program: string;
  /** Whether the program is known to look up these settings; otherwise it isn't known what it reads. */
  readonly isKnown: boolean;
  /** Whether no program of the package's units is known to read it, neither this one nor a weaker one. */
  readonly isGuess: boolean;
  /** Whether dependents use the result: they use a build's, but not a test's or a linter's. */
  readonly spreads: boolean;
}

/** The facts about packages that determine what their scripts read. */
export interface UnitFacts {
  readonly packages: readonly PackageFacts[];
  readonly packageOf: (name: string) => PackageFacts | undefined;
  readonly root: string;
  /** Returns the scripts of a package's manifest by the package's name; undefined if the manifest is unknown. */
  readonly scriptsOf: (name: string) => Scripts | undefined;
  /** Returns the package that provides a program of this name, if a workspace does. */
  readonly ownerOfBin: (program: string) => string | undefined;
  /** Returns whether files of a package, or of any package, name an external package. */
  readonly names: (workspace: string | undefined, external: string) => boolean;
  /**
   * Returns the packages that may run one of these programs of another language, whose sources have one of these endings;
   * undefined if sources were not read.
   */
  readonly languageUsersOf: (
    programs: ReadonlySet<string>,
    endings: readonly string[],
  ) => ReadonlySet<string> | undefined;
  /** Returns whether a program, a file from the project's root, loads only modules of Node and files that it names. */
  readonly isClosed: (path: string) => boolean;
  /**
   * Returns the commands of a shell script, a file from the project's root, as a manifest would contain them; undefined if not all
   * of them are known.
   */
  readonly shellOf: (path: string) => string | undefined;
  /**
   * Returns the packages that may call one of these external packages, because a file that they read names it; undefined if
   * sources were not read.
   */
  readonly namersOf: (
    externals: readonly string[],
  ) => ReadonlySet<string> | undefined;
  /** Returns whether git has a file: a path from the project's root. */
  readonly hasFile: (path: string) => boolean;
  /** Returns the packages whose files call a script of this name. */
  readonly callersOf: (script: string) => ReadonlySet<string>;
  /** The requested script; undefined for all of them. */
  readonly script: string | undefined;
  /** The scripts that must run before each script. */
  readonly pipeline?: Settings["pipeline"] | undefined;
}

/** Judges units by the programs that their scripts run. */
export interface Units {
  /** Returns how a package's units look up settings; undefined if none does. */
  readonly lookup: (name: string, settings: SettingsName) => Lookup | undefined;
  /**
   * Returns which of these programs a package's units run, or might run because they run an unknown program.
   * @param mayBeRun whether programs count that run any program. Default: true
   * @param findsProject whether only compilers count that may look for a tsconfig in folders above
   */
  readonly runs: (
    name: string,
    programs: ReadonlySet<string>,
    mayBeRun?: boolean,
    findsProject?: boolean,
  ) => Lookup | undefined;
  /** Returns how a package's units run a program by its name, known or not; undefined if none does. */
  readonly calls: (name: string, program: string) => Lookup | undefined;
  /**
   * Returns how a package's units read a file of the package by a tool's convention, or because a script names its folder.
   */
  readonly readsByConvention: (
    name: string,
    matches: (globs: readonly string[]) => boolean,
    path: string,
  ) => Lookup | undefined;
  /** Returns how a reference counts that is in a script of a package which, by its name, only tests or checks. */
  readonly checkUse: (name: string, script: string) => CheckUse;
}

/** Checkers by their names. Builds that run one (`next build`) have the same output with any settings of it. */
const CHECK_PROGRAMS: ReadonlySet<string> = new Set(
  TOOLS.filter(({ purpose }) => purpose === "check").flatMap(
    ({ programs }) => programs,
  ),
);
/** Settings that influence the output of a build: a change concerns dependents too, for any requested script. */
const BUILDS: ReadonlySet<SettingsName> = new Set(
  TOOLS.filter(({ purpose }) => purpose === "build")
    .flatMap(({ looksUp }) => looksUp)
    .filter((name) => !CHECK_PROGRAMS.has(name)),
);

/**
 * Opens the units of a project. The result depends only on the facts; a package's scripts are read at the first question
 * about it.
 */
export function openUnits(facts: UnitFacts): Units {
  const readPrograms = openPrograms();
  const usesOf = remember((name: string) => [
    ...usesIn(name, facts, readPrograms),
  ]);
  const looksUp = openLooksUp(facts);
  const globsOf = openGlobsOf(facts);

  /** Returns whether an unknown program runs any other program, or code in the script itself. */
  const runsAnything = ({ program, words }: Use) =>
    RUNS_ANYTHING.test(program) || words.some((word) => INLINE.test(word));

  /**
   * Returns the strongest of the uses of a package that read something and that count for the requested script.
   * @param unknownSpreads whether dependents use the result of a program that isn't in the table
   * @param isSure whether a program that reads it according to `reads` certainly does so
   */
  const find = (
    name: string,
    reads: (use: Use) => boolean,
    unknownSpreads: (use: Use) => boolean,
    isSure = ({ tool }: Use) => tool !== undefined,
    uses: readonly Use[] = usesOf(name).filter(({ isMere }) => isMere !== true),
  ): Lookup | undefined =>
    strongest(
      uses.flatMap((use) => {
        const { script, program, tool, isAsked } = use;
        if (!reads(use)) return [];
        const spreads = tool ? tool.purpose === "build" : unknownSpreads(use);
        const isKnown = tool !== undefined;
        return isAsked || spreads
          ? [{ script, program, isKnown, isGuess: !isSure(use), spreads }]
          : [];
      }),
    );
  const isNoAside = ({ script }: Use) => !isAsideScript(script);
  const reads = openSettingsReads(facts, looksUp, runsAnything);

  return {
    checkUse: openCheckScripts(facts, usesOf),
    lookup(name, settings) {
      const builds = BUILDS.has(settings);
      return find(
        name,
        (use) =>
          use.tool
            ? reads.byTool(name, settings, use, use.tool)
            : reads.byUnknown(name, settings, use),
        (use) => builds && isNoAside(use),
      );
    },
    runs: (name, programs, mayBeRun = true, findsProject = false) =>
      find(
        name,
        (use) =>
          (programs.has(use.program) && !(findsProject && use.namesProject)) ||
          (mayBeRun && mayRunAny(use)),
        isNoAside,
        ({ program }) => programs.has(program),
        usesOf(name),
      ),
    calls(name, program) {
      const isCalled = ({ words }: Use) => words.includes(program);
      const found = find(name, isCalled, () => true, undefined, usesOf(name));
      return found && { ...found, program };
    },
    readsByConvention: (name, matches, path) =>
      find(
        name,
        (use) =>
          (use.tool !== undefined &&
            matches(globsOf(use.tool)) &&
            !readsOnlyOthers(use, use.words, path)) ||
          use.words.some((word) => includesPath(word, path)),
        () => false,
        undefined,
        usesOf(name).filter(
          ({ isMere, program }) => isMere !== true || READERS.has(program),
        ),
      ),
  };
}

/** Opens the questions whether a program, known or not, reads settings. */
function openSettingsReads(
  facts: UnitFacts,
  looksUp: ReturnType<typeof openLooksUp>,
  runsAnything: (use: Use) => boolean,
) {
  const holds = openHolds(facts, looksUp);
  const speaks = openSpeaks(facts);
  const ends = openEnds(facts);
  const mayBeginElsewhere = openMayBeginElsewhere(facts);
  return {
    /** Returns whether a known program reads settings in a script of this package. */
    byTool(
      name: string,
      settings: SettingsName,
      use: Use,
      tool: Tool,
    ): boolean {
      const {
        isOfLibrary,
        stopsAtManifest,
        surelyOf = [],
        partOf = settings,
      } = settingsOf(settings);
      const { isInFolder, program } = use;
      const staysHere = !tool.choosesRoot || surelyOf.includes(program);
      if (stopsAtManifest && isInFolder === true && staysHere) return false;
      if (
        (isInFolder === true || CALLS_BABEL.has(program)) &&
        (tool.here?.includes(settings) === true || ends(name, settings, use)) &&
        (surelyOf.includes(program) || !mayBeginElsewhere(name, settings))
      )
        return false;
      return (
        looksUp(tool, partOf) ||
        (isOfLibrary === true &&
          tool.purpose === "run" &&
          holds(name, settings)) ||
        checksInBuild(tool, partOf, (plugin) => facts.names(name, plugin))
      );
    },
    /** Returns whether a program that isn't in the table may read settings in a script of this package. */
    byUnknown(name: string, settings: SettingsName, use: Use): boolean {
      const { isNamed, foreignEndings, partOf } = settingsOf(settings);
      if (use.isClosed === true && !OF_ANY_PROGRAM.has(settings)) return false;
      const judged = use.offeredBy ?? (isNamed ? name : undefined);
      if (judged !== undefined && !holds(judged, partOf ?? settings))
        return false;
      if (
        !runsAnything(use) &&
        ends(name, settings, use) &&
        !mayBeginElsewhere(name, settings)
      )
        return false;
      return !foreignEndings || runsAnything(use) || speaks(name, settings);
    },
  };
}

/** Programs that search for Babel's settings in the current directory, wherever their arguments lead. */
const CALLS_BABEL: ReadonlySet<string> = new Set(["babel", "babel-node"]);

/**
 * Opens the check whether an unknown program of a package may load a program that looks up these settings of another language.
 */
function openSpeaks({
  languageUsersOf,
}: UnitFacts): (name: string, settings: SettingsName) => boolean {
  const speakersOf = remember((settings: SettingsName) =>
    languageUsersOf(
      programsOf(settings),
      settingsOf(settings).foreignEndings ?? [],
    ),
  );
  return (name, settings) => speakersOf(settings)?.has(name) ?? true;
}

/** Opens the check whether a workspace uses a program that looks up a group of settings. */
function openHolds(
  { packageOf, names }: UnitFacts,
  looksUp: (tool: Tool, settings: SettingsName) => boolean,
): (workspace: string, settings: SettingsName) => boolean {
  return (workspace, settings) =>
    TOOLS.some(
      (tool) =>
        looksUp(tool, settings) &&
        packagesOf(tool).some(
          (external) =>
            packageOf(workspace)?.dependencies.some(
              ({ ident }) => ident === external,
            ) === true || names(workspace, external),
        ),
    );
}

/** Returns whether a package's build also checks its code with these settings. */
function checksInBuild(
  { purpose }: Tool,
  settings: SettingsName,
  names: (plugin: string) => boolean,
): boolean {
  return (
    purpose === "build" &&
    CHECKS_IN_BUILDS.some(
      ([plugin, checks]) => checks === settings && names(plugin),
    )
  );
}

/** Settings whose readers aren't known. */
const OF_ANY_PROGRAM: ReadonlySet<SettingsName> = new Set<SettingsName>([
  "unknown",
  "anyTool",
]);

/** Options of Node that code follows. */
const INLINE = /^-(?:[a-z]*[ep]|-eval|-print)$/;

/** Names of scripts whose output dependents don't use: an unknown program in such a script isn't treated as a build. */
const isAsideScript = (script: string) =>
  isCheckScript(script) || /^(?:pre|post)?(?:clean|docs?)\b/.test(script);

/** Returns whether a program that Skein doesn't know runs any program that the project has installed. */
function mayRunAny({ program, tool, offeredBy }: Use): boolean {
  return !tool && offeredBy === undefined && RUNS_ANYTHING.test(program);
}

/** Programs that run any program that the project has installed. */
const RUNS_ANYTHING =
  /^(?:(?:ba|z|da)?sh|make|gmake|just|task|gulp|grunt|jake|nx|turbo|lerna|lage|wireit|bazel|moon|nodemon|workspaces?|foreach|.*\.(?:sh|bash|cmd|bat|ps1))$/;

/**
 * Returns the strongest lookup: one that spreads is stronger than one that doesn't, and a known program is stronger than an
 * unknown one. It is a guess only if all of them are.
 */
function strongest(lookups: readonly Lookup[]): Lookup | undefined {
  const weight = ({ spreads, isKnown, isGuess }: Lookup) =>
    (spreads ? 4 : 0) + (isKnown ? 2 : 0) + (isGuess ? 0 : 1);
  let best: Lookup | undefined;
  for (const each of lookups)
    if (!best || weight(each) > weight(best)) best = each;
  return best && { ...best, isGuess: lookups.every((each) => each.isGuess) };
}
