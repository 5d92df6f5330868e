import {
  packagesOf,
  programsIn,
  settingsOf,
  type ScriptPrograms,
  type SettingsName,
  type Tool,
  TOOLS,
} from "@skein/known-tools";
import type { PackageFacts } from "../project.js";

/** The scripts of one manifest by name. */
export type Scripts = Readonly<Record<string, string>>;

/** How a unit (a package's script) comes to read settings that nobody names. */
export interface Lookup {
  /** The package's script that does it. */
  readonly script: string;
  /** The program that it runs. */
  readonly program: string;
  /** Whether the program is known to look these settings up; otherwise nobody knows what it reads. */
  readonly isKnown: boolean;
  /** Whether the result is used by dependents: a build's is, that of a test or a linter isn't. */
  readonly spreads: boolean;
}

/** What the decision must know of packages to judge what their scripts read. */
export interface UnitFacts {
  readonly packages: readonly PackageFacts[];
  readonly root: string;
  /** The scripts of a package's manifest by the package's name; undefined where the manifest is unknown. */
  readonly scriptsOf: (name: string) => Scripts | undefined;
  /** The package that offers a program of this name, if a workspace does. */
  readonly ownerOfBin: (program: string) => string | undefined;
  /** Whether files of a package name an external package. */
  readonly names: (workspace: string, external: string) => boolean;
  /** The script that is asked for; undefined for all of them. */
  readonly script: string | undefined;
}

/** Judges units by the programs that their scripts run. */
export interface Units {
  /** How a package's units look up settings; undefined if none does. */
  readonly lookup: (name: string, settings: SettingsName) => Lookup | undefined;
  /** Which of these programs a package's units run, or might run because they run a program that nobody knows. */
  readonly runs: (
    name: string,
    programs: ReadonlySet<string>,
  ) => Lookup | undefined;
  /** How a package's units read a file of the package by a tool's convention or because a script names its folder. */
  readonly readsByConvention: (
    name: string,
    matches: (globs: readonly string[]) => boolean,
    path: string,
  ) => Lookup | undefined;
}

/** Settings that influence what a build makes: a change concerns dependents too, whatever script is asked for. */
const BUILDS: ReadonlySet<SettingsName> = new Set(
  TOOLS.filter(({ purpose }) => purpose === "build").flatMap(
    ({ looksUp }) => looksUp,
  ),
);

/** One program of one script. */
interface Use {
  readonly script: string;
  readonly program: string;
  /** Undefined for a program that the table doesn't know. */
  readonly tool: Tool | undefined;
  /** The workspace that offers the program, if one does. */
  readonly offeredBy: string | undefined;
  /** It belongs to the script that is asked for. */
  readonly isAsked: boolean;
}

/** Opens the units of a project. Pure; a package's scripts are read with the first question about it. */
export function openUnits(facts: UnitFacts): Units {
  const byName = new Map(facts.packages.map((each) => [each.name, each]));
  const known = new Map<string, readonly Use[]>();
  const usesOf = (name: string) => {
    let uses = known.get(name);
    if (!uses) known.set(name, (uses = [...usesIn(name, facts)]));
    return uses;
  };
  const holds = (workspace: string, settings: SettingsName) =>
    TOOLS.some(
      (tool) =>
        tool.looksUp.includes(settings) &&
        packagesOf(tool).some(
          (external) =>
            byName
              .get(workspace)
              ?.dependencies.some(({ ident }) => ident === external) === true ||
            facts.names(workspace, external),
        ),
    );

  return {
    lookup(name, settings) {
      const builds = BUILDS.has(settings);
      const { isNamed = false } = settingsOf(settings);
      return strongest(
        usesOf(name).flatMap((use) => {
          const { tool, offeredBy } = use;
          if (tool && !tool.looksUp.includes(settings)) return [];
          const judged = offeredBy ?? (isNamed && !tool ? name : undefined);
          if (judged !== undefined && !holds(judged, settings)) return [];
          const spreads = tool ? tool.purpose === "build" : builds;
          return use.isAsked || spreads ? lookupOf(use, spreads) : [];
        }),
      );
    },
    runs: (name, programs) =>
      strongest(
        usesOf(name).flatMap((use) => {
          const { program, tool, offeredBy } = use;
          const isMeant =
            programs.has(program) ||
            (!tool && offeredBy === undefined && RUNS_ANYTHING.test(program));
          const spreads = tool ? tool.purpose === "build" : true;
          return isMeant && (use.isAsked || spreads)
            ? lookupOf(use, spreads)
            : [];
        }),
      ),
    readsByConvention: (name, matches, path) => {
      const scripts = facts.scriptsOf(name) ?? {};
      return strongest(
        usesOf(name).flatMap((use) => {
          const { tool } = use;
          const { words } = programsIn(scripts[use.script] ?? "");
          const reads =
            (tool?.reads !== undefined && matches(tool.reads)) ||
            words.some((word) => isFolderOf(word, path));
          const spreads = tool?.purpose === "build";
          return reads && (use.isAsked || spreads)
            ? lookupOf(use, spreads)
            : [];
        }),
      );
    },
  };
}

/** Programs that run whatever program the project has installed. */
const RUNS_ANYTHING =
  /^(?:(?:ba|z|da)?sh|make|gmake|just|task|gulp|grunt|jake|nx|turbo|lerna|lage|wireit|bazel|moon|nodemon|workspaces?|foreach|.*\.(?:sh|bash|cmd|bat|ps1))$/;

function lookupOf(
  { script, program, tool }: Use,
  spreads: boolean,
): readonly [Lookup] {
  return [{ script, program, isKnown: tool !== undefined, spreads }];
}

/** One that spreads says more than one that doesn't, and a known program more than an unknown one. */
function strongest(lookups: readonly Lookup[]): Lookup | undefined {
  const weight = ({ spreads, isKnown }: Lookup) =>
    (spreads ? 2 : 0) + (isKnown ? 1 : 0);
  let best: Lookup | undefined;
  for (const each of lookups)
    if (!best || weight(each) > weight(best)) best = each;
  return best;
}

/** `vite build docs` reads what lies in `docs`. */
function isFolderOf(word: string, path: string): boolean {
  const folder = word.replace(/^\.\//, "").replace(/\/$/, "");
  return folder !== "" && path.startsWith(`${folder}/`);
}

/** The programs of a package's scripts, also by way of the scripts that these call. */
function* usesIn(name: string, facts: UnitFacts): Iterable<Use> {
  const own = facts.scriptsOf(name);
  if (!own) {
    yield {
      script: facts.script ?? "",
      program: "",
      tool: undefined,
      offeredBy: undefined,
      isAsked: true,
    };
    return;
  }
  const root = name === facts.root ? own : (facts.scriptsOf(facts.root) ?? {});
  for (const script of Object.keys(own)) {
    const isAsked =
      facts.script === undefined || isPartOf(script, facts.script);
    for (const { tools, unknown } of closureOf(script, own, root)) {
      for (const [program, tool] of tools)
        yield { script, program, tool, offeredBy: undefined, isAsked };
      if (unknown !== undefined)
        yield {
          script,
          program: unknown,
          tool: undefined,
          offeredBy: facts.ownerOfBin(unknown),
          isAsked,
        };
    }
  }
}

/** Yarn runs `pretest` and `posttest` around `test` for npm's sake in some packages, and people call them by hand. */
function isPartOf(script: string, asked: string): boolean {
  return (
    script === asked || script === `pre${asked}` || script === `post${asked}`
  );
}

/** The programs of a script and of every script that it calls; a call that is no script is an unknown program. */
function* closureOf(
  script: string,
  own: Scripts,
  root: Scripts,
): Iterable<Pick<ScriptPrograms, "tools" | "unknown">> {
  const texts = new Set([own[script] ?? ""]);
  for (const text of texts) {
    const { tools, unknown, calls } = programsIn(text);
    let unresolved = unknown;
    for (const call of calls) {
      const called = scriptsCalled(call, own, root);
      for (const each of called) texts.add(each);
      if (called.length === 0 && !tools.has(call) && !/[./*]/.test(call))
        unresolved ??= call;
    }
    yield { tools, unknown: unresolved };
  }
}

function scriptsCalled(
  call: string,
  own: Scripts,
  root: Scripts,
): readonly string[] {
  const [start = "", wild] = call.split("*", 2);
  const isMeant = (name: string) =>
    wild === undefined ? name === call : name.startsWith(start);
  const texts = (scripts: Scripts) =>
    Object.entries(scripts).flatMap(([name, text]) =>
      isMeant(name) ? [text] : [],
    );
  // `run -T x` and `yarn x:y` find the root's; of a name that both have, either may be meant.
  return [...texts(own), ...texts(root)];
}
