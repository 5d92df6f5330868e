import { programsLoading } from "@skein/known-tools";
import { addTo } from "@skein/reporting/group-by";
import { identOf, type LockEntry } from "../../lockfile/lockfile.js";
import type { LockChange } from "../../lockfile/compare.js";
import type { Dependency } from "../../manifest/manifest.js";
import type { PackageFacts, Project } from "../../project.js";
import type { AffectedInput } from "../input.js";
import { fieldReaders, type Lookups } from "../programs/lookups.js";
import type { ExternalUse, Reason } from "../reason.js";
import type { Lookup, Units } from "../programs/units.js";
import { TYPE_CHECKERS } from "../unowned/tsconfig-users.js";
import { COMPARED } from "../unowned/unowned.js";

/** External packages that contain TypeScript's compiler. */
const COMPILERS: ReadonlySet<string> = new Set([
  "typescript",
  "@tsd/typescript",
]);

/** The inputs that determine which packages use changed external packages. */
export interface ExternalsWorld {
  readonly input: AffectedInput;
  readonly units: Units;
  readonly lookups: Lookups;
  /** The packages that can read a file of the root, each with a reason. */
  readonly readersOf: (path: string) => ReadonlyMap<string, Reason>;
}

/** One external package, and its change. */
type Changed = readonly [ident: string, change: LockChange];

/**
 * Finds the packages that use changed external packages other than through their own dependencies: they import them
 * undeclared, expect them as peers, run programs that the root has installed, or load types of the root. If the root declares
 * a package, they use the version that the root resolves.
 * @param changed changes of any version, by ident
 * @param changedOfRoot changes of the versions that the root's own dependencies resolve to, by ident
 */
export function* usersOfExternals(
  changed: ReadonlyMap<string, LockChange>,
  changedOfRoot: ReadonlyMap<string, LockChange>,
  world: ExternalsWorld,
): Iterable<readonly [name: string, reason: Reason]> {
  if (changed.size === 0) return;
  const { head, base } = world.input;
  const byName = new Map(head.packages.map((facts) => [facts.name, facts]));
  const ofRoot = new Set(
    [head, base].flatMap((project) =>
      (project?.root.dependencies ?? []).flatMap(({ ident, field }) =>
        field === "peerDependencies" ? [] : [ident],
      ),
    ),
  );
  for (const [ident, changeOfAny] of changed) {
    const change = ofRoot.has(ident) ? changedOfRoot.get(ident) : changeOfAny;
    if (change) yield* referenceSeeds([ident, change], byName, world);
  }
  for (const facts of head.packages)
    for (const { ident, isOptional } of facts.dependencies) {
      const change = changed.get(ident);
      // A package that uses an optional peer names it.
      if (isOptional && world.input.references) continue;
      if (change && !resolves(facts, ident))
        yield [facts.name, { kind: "external", change, use: { kind: "peer" } }];
    }
  if (head.lock?.lockfile.written?.leavesOutPeers)
    yield* possiblePeers(changedOfRoot, head);
  const binsOf = openBins(base && base !== head ? [head, base] : [head]);
  let loadsTypes: boolean | undefined;
  for (const [ident, change] of changedOfRoot) {
    if (!ofRoot.has(ident)) continue;
    const { programs, mayExist } = binsOf(ident);
    yield* runners(programs, "program", [ident, change], world, mayExist);
    yield* runners(programsLoading(ident), "program", [ident, change], world);
    if (
      ident.startsWith("@types/") &&
      (loadsTypes ??= mayLoadAllTypes(world.input))
    )
      yield* runners(TYPE_CHECKERS, "types", [ident, change], world);
  }
}

/**
 * Returns whether compilers may load each package in `@types`. TypeScript 6 and later load only those that settings name, unless
 * the settings contain `"types": ["*"]` (https://github.com/microsoft/TypeScript/issues/62195).
 */
function mayLoadAllTypes({ base, head, references }: AffectedInput): boolean {
  const versions = [head, base ?? head].flatMap(({ lock, npmLock }) =>
    ((lock ?? npmLock)?.lockfile.entries ?? [])
      .filter(({ resolution }) => COMPILERS.has(identOf(resolution)))
      .map(({ resolution }) =>
        Number(/@npm(?::|%3A)(\d+)\./.exec(resolution)?.[1] ?? 0),
      ),
  );
  return (
    versions.length === 0 ||
    Math.min(...versions) < 6 ||
    (references?.referencesToExternal("*") ?? []).length > 0
  );
}

/**
 * Yields the packages that have dependencies, because each of these may need any package of the root as a peer. Only type
 * checkers load peers in `@types`.
 */
function* possiblePeers(
  changedOfRoot: ReadonlyMap<string, LockChange>,
  { packages }: Project,
): Iterable<readonly [name: string, reason: Reason]> {
  for (const [ident, change] of changedOfRoot)
    for (const facts of ident.startsWith("@types/") ? [] : packages) {
      if (facts.dependencies.length === 0 || facts.dir === ".") continue;
      if (resolves(facts, ident)) continue;
      const use: ExternalUse = { kind: "possiblePeer" };
      yield [facts.name, { kind: "external", change, use, isGuess: true }];
    }
}

/** Yields packages that name an external package in one of their files, or in a file of the root that they read. */
function* referenceSeeds(
  [ident, change]: Changed,
  byName: ReadonlyMap<string, PackageFacts>,
  { input, lookups, readersOf }: ExternalsWorld,
): Iterable<readonly [name: string, reason: Reason]> {
  const { references, head } = input;
  for (const name of namesOf(ident)) {
    const all = references?.referencesToExternal(name) ?? [];
    const isTyped = all.length > 0 && name === ident && hasTypes(ident, input);
    for (const reference of isTyped
      ? (references?.referencesToExternal(name, true) ?? [])
      : all) {
      const { workspace } = reference;
      const facts = byName.get(workspace);
      const isRoot = workspace === head.graph.root;
      if (!isRoot && (!facts || resolves(facts, ident))) continue;
      const user = reference.user();
      const { referrer, testOnly } = user;
      // Settings that name a package load no types of it.
      if (name !== ident && user.isSetting) continue;
      const reason = (
        aside: boolean,
        isGuess = user.isGuess === true,
      ): Reason => ({
        kind: "external",
        change,
        use: { kind: "named", referrer },
        ...(isGuess && { isGuess }),
        ...(aside && { testOnly: true }),
      });
      if (!isRoot) yield [workspace, reason(testOnly)];
      else if (!COMPARED.has(referrer.file)) {
        for (const [reader, why] of readersOf(referrer.file))
          yield [
            reader,
            reason(
              "testOnly" in why,
              "isGuess" in why || user.isGuess === true,
            ),
          ];
      } else if (user.isSetting && referrer.file === "package.json") {
        const { specifier } = referrer;
        for (const reader of fieldReaders(specifier, lookups, head))
          yield [
            reader.workspace.name,
            reason(
              !reader.lookup.spreads,
              reader.lookup.isGuess || user.isGuess === true,
            ),
          ];
      }
    }
  }
}

/**
 * Returns whether compilers find the types of a package in `@types`, which they search first: the root declares that package, or
 * Yarn puts its only version into the root. With `pnpFallbackMode`, they may find the package itself instead.
 */
function hasTypes(ident: string, { base, head }: AffectedInput): boolean {
  const types = `@types/${ident.replace(/^@(.+)\//, "$1__")}`;
  return [head, base ?? head].every(({ lock, root }) => {
    const entries = (lock?.lockfile.entries ?? []).filter(
      ({ resolution }) => identOf(resolution) === types,
    );
    const settings = lock?.yarnSettingsRest ?? "";
    const isInRoot =
      new Set(entries.map(({ resolution }) => resolution)).size === 1 &&
      !/\bnmHoistingLimits\b/.test(settings);
    return (
      entries.length > 0 &&
      !/\bpnpFallbackMode\b/.test(settings) &&
      (isInRoot || root.dependencies.some((each) => each.ident === types))
    );
  });
}

/** Returns the names with which files mean a package: `@types/x` contains the types of `x`. */
function namesOf(ident: string): readonly string[] {
  const types = /^@types\/(?:(.+)__)?(.+)$/.exec(ident);
  if (!types) return [ident];
  const [, scope, name = ""] = types;
  return [ident, scope === undefined ? name : `@${scope}/${name}`];
}

/** Returns whether yarn.lock resolves the package's own dependency; a peer is resolved by others. */
function resolves({ dependencies }: PackageFacts, ident: string): boolean {
  return dependencies.some(
    (each: Dependency) =>
      each.ident === ident && each.field !== "peerDependencies",
  );
}

function* runners(
  programs: ReadonlySet<string>,
  kind: "program" | "types",
  [ident, change]: Changed,
  { input, units }: ExternalsWorld,
  mayBeRun = true,
): Iterable<readonly [name: string, reason: Reason]> {
  if (programs.size === 0) return;
  for (const facts of input.head.packages) {
    if (facts.dir === "." || resolves(facts, ident)) continue;
    const lookup: Lookup | undefined = units.runs(
      facts.name,
      programs,
      mayBeRun,
    );
    if (!lookup) continue;
    const { script, program, isGuess, spreads } = lookup;
    const use: ExternalUse = { kind, script, program };
    yield [
      facts.name,
      {
        kind: "external",
        change,
        use,
        ...(isGuess && { isGuess }),
        ...(!spreads && { testOnly: true }),
      },
    ];
  }
}

/** The names of programs. */
interface Bins {
  readonly programs: ReadonlySet<string>;
  /** Whether the external package may have such programs: the lockfile lists none, but not all lockfiles do. */
  readonly mayExist: boolean;
}

/**
 * @returns the names of the programs that an external package provides or provided, at any version in yarn.lock; a program of
 *   its own name, if yarn.lock lists none
 */
function openBins(projects: readonly Project[]): (ident: string) => Bins {
  let entries: Map<string, LockEntry[]> | undefined;
  return (ident) => {
    if (!entries) {
      entries = new Map();
      for (const { lock, npmLock } of projects)
        for (const entry of (lock ?? npmLock)?.lockfile.entries ?? [])
          addTo(entries, identOf(entry.resolution), entry);
    }
    const own = entries.get(ident) ?? [];
    const programs = own.flatMap(binsIn);
    if (programs.length > 0)
      return { programs: new Set(programs), mayExist: true };
    return {
      programs: new Set([ident.slice(ident.indexOf("/") + 1)]),
      mayExist:
        own.length === 0 || !own.every(({ text }) => LISTS_BINS.test(text)),
    };
  };
}

/** Entries of lockfiles that list the programs of each package: of Yarn 2 and later, and of npm in the same form. */
const LISTS_BINS = /^ {2}(?:languageName|bin):/m;

/** Returns the `bin` section of an entry's text, in the form of Yarn 2 and later. */
function binsIn({ text }: LockEntry): readonly string[] {
  const [, section = ""] = /^ {2}bin:\n((?: {4}.*\n?)+)/m.exec(text) ?? [];
  return Array.from(
    section.matchAll(/^ {4}"?([^":\s]+)"?:/gm),
    ([, name = ""]) => name,
  );
}
