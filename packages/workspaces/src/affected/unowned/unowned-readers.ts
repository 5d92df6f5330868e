import { remember } from "@skein/reporting/group-by";
import { isOfCi, settingsOf } from "@skein/known-tools";
import type { Workspace } from "../../graph.js";
import { isWithin } from "../../paths.js";
import type { Effect } from "../owned/effects.js";
import { compileGlobs } from "../globs.js";
import type { AffectedInput, User } from "../input.js";
import { fieldReaders, type Reader } from "../programs/lookups.js";
import type { Reason, Referrer } from "../reason.js";
import { canonical } from "../root/root-manifest.js";
import { tsconfigUsers, usersOfList } from "./tsconfig-users.js";
import { folderOfEnvironment } from "./unowned-rules.js";
import type { DecisionWorld } from "../world.js";

/** A reason because of a file that no package owns. */
type UseReason = Extract<
  Reason,
  { readonly kind: "referenced-file" | "looked-up-file" }
>;

/** Constraints of Yarn: the root checks all manifests with them, and no other script reads them. */
export const CONSTRAINTS = new Set(["yarn.config.cjs", "constraints.pro"]);

/**
 * Opens the readers of what a project's root files refer to; each file is searched once.
 * @returns the packages that can read a file that no package owns, each with one reason
 */
export function openReaders(
  world: DecisionWorld,
): (path: string) => ReadonlyMap<string, Reason> {
  const isPage = openPages(world.input.settings.documentation);
  return remember((path) => readersOf(path, world, isPage, true));
}

/**
 * Returns the packages that can read a file, also through other files of the root, each with one reason; a reason that
 * concerns dependents takes precedence. The search is breadth first, so the nearest reader is the explanation, and chains
 * with an open end come last. A reason is a guess only if all reasons of the package are.
 * @param isOfUses whether to find the readers of the file's targets instead of those of the file itself
 * @param isExact whether only references count that name one file by its path: no open end, and no name without a folder, with
 *   which programs look for the project's root (`findUp("yarn.lock")`)
 */
export function readersOf(
  path: string,
  world: DecisionWorld,
  isPage: (path: string) => boolean,
  isOfUses = false,
  isExact = false,
): Map<string, Reason> {
  const search = new ReaderSearch(path, world, { isPage, isOfUses, isExact });
  return search.run();
}

interface SearchOptions {
  readonly isPage: (path: string) => boolean;
  readonly isOfUses: boolean;
  readonly isExact: boolean;
}

/** A file on the way to the path, with the references that lead there; it is unsure if one of these is an open end. */
interface Step {
  readonly file: string;
  readonly chain: readonly Referrer[];
  readonly isUnsure: boolean;
}

/** The search for the readers of one file. */
class ReaderSearch {
  readonly #path: string;
  readonly #world: DecisionWorld;
  readonly #options: SearchOptions;
  readonly #found = openReasons();
  /** The files of the root that surely lead to the path, and those that only open ends connect. */
  readonly #sure = new Map<string, readonly Referrer[]>();
  readonly #unsure = new Map<string, readonly Referrer[]>();

  constructor(path: string, world: DecisionWorld, options: SearchOptions) {
    this.#path = path;
    this.#world = world;
    this.#options = options;
  }

  run(): Map<string, Reason> {
    this.#sure.set(this.#path, []);
    for (const [file, chain] of this.#sure)
      this.#visit({ file, chain, isUnsure: false });
    for (const [file, chain] of this.#unsure)
      if (!this.#sure.has(file)) this.#visit({ file, chain, isUnsure: true });
    return this.#found.reasons();
  }

  #visit(step: Step): void {
    const { input, lookups } = this.#world;
    const { file } = step;
    if (file === this.#path)
      for (const [name, user] of pathTargetUsers(file, input))
        this.#addUser(step, name, user);
    for (const reader of lookups.readersOf(file))
      this.#addReader(step, file, reader);
    for (const [name, user] of tsconfigUsers(file, input))
      this.#addUser(step, name, user);
    for (const [name, user] of environmentUsers(file, input))
      this.#addUser(step, name, user);
    const users =
      file === this.#path
        ? (input.references?.usersOf(file) ?? [])
        : this.#world.usersOfOther(file);
    for (const user of users)
      if (this.#counts(user, file)) this.#follow(step, user);
  }

  /** Returns whether a reference to a file counts in this search. */
  #counts(user: User, file: string): boolean {
    const isOpen = user.isGuess === true || user.folder !== undefined;
    if (this.#options.isExact && (isOpen || isName(user.referrer)))
      return false;
    if (file === this.#path && isSameFor(user, file, this.#world.input))
      return false;
    if (isOfProject(user) && IN_HIDDEN.test(file)) return false;
    // An open end may lead to a workflow, but nothing runs its commands because of that.
    return file === this.#path || !(isOpen && isOfCi(file));
  }

  /** Adds the package that a reference is in; continues from a file of the root. */
  #follow(step: Step, user: User): void {
    const { input, lookups, above } = this.#world;
    const { head, references } = input;
    const { referrer, isGuess } = user;
    const owner = head.graph.ownerOf(referrer.file);
    const next = { ...step, chain: [referrer, ...step.chain] };
    if (owner.dir !== ".") {
      this.#addUser(step, owner.name, user);
      const others = user.testOnly
        ? references?.usersOfAside(referrer.file)
        : [];
      for (const other of others ?? [])
        this.#addUser(
          next,
          head.graph.ownerOf(other.referrer.file).name,
          other,
        );
    } else if (user.isListed) {
      this.#addUsersOfList(next, user);
    } else if (referrer.file === "package.json") {
      this.#addUser(step, owner.name, user);
      for (const reader of user.isSetting
        ? fieldReaders(referrer.specifier, lookups, head)
        : [])
        this.#addReader(next, referrer.file, reader);
    } else if (!this.#options.isPage(referrer.file) && isMeant(user, above)) {
      if (CONSTRAINTS.has(referrer.file)) this.#addUser(step, owner.name, user);
      const users = step.isUnsure || isGuess ? this.#unsure : this.#sure;
      if (!users.has(referrer.file)) users.set(referrer.file, next.chain);
    }
  }

  /** A compiler reads a file that is listed, but not the files that its code opens. */
  #addUsersOfList(step: Step, user: User): void {
    const { file, suffix = "" } = user.referrer;
    const isOfOther = /^\.\w+$/.test(suffix) && !this.#path.endsWith(suffix);
    if (step.file !== this.#path || isOfOther) return;
    const mayBeRun = isMeant(user, this.#world.above);
    for (const [name, found] of usersOfList(file, this.#world, mayBeRun))
      this.#addUser(step, name, found);
  }

  #addUser({ chain, isUnsure }: Step, name: string, user: User): void {
    const check =
      user.check === undefined
        ? undefined
        : this.#world.units.checkUse(name, user.check);
    if (check && !check.isAsked && !check.spreads) return;
    const testOnly =
      user.testOnly ||
      check?.spreads === false ||
      (this.#options.isOfUses && user.isApart === true);
    const isGuess = isUnsure || user.isGuess === true;
    const reason = referenced(this.#path, { ...user, testOnly });
    this.#found.add(name, { ...reason, ...onTheWay(chain) }, isGuess);
  }

  #addReader({ chain, isUnsure }: Step, from: string, reader: Reader): void {
    const isGuess = isUnsure || reader.lookup.isGuess;
    const reason = readBy(this.#path, from, reader);
    this.#found.add(
      reader.workspace.name,
      { ...reason, ...onTheWay(chain) },
      isGuess,
    );
  }
}

/** A file in a hidden folder of the root: `.github/…`, `.changeset/…`. */
const IN_HIDDEN = /^\.[^./][^/]*\//;

/**
 * Returns whether a reference means the whole project. Patterns and most listings skip hidden folders, and a program that needs
 * one names it.
 */
function isOfProject({ folder, referrer }: User): boolean {
  return folder === "" && !referrer.suffix;
}

/** Opens a collection of one reason for each package. */
function openReasons() {
  const readers = new Map<string, UseReason>();
  /** The packages whose reasons are all guesses. */
  const guesses = new Set<string>();
  return {
    /** Adds a reason. The first one of a package counts, and the first that concerns dependents. */
    add(name: string, reason: UseReason, isGuess: boolean): void {
      const known = readers.get(name);
      if (!known || ("testOnly" in known && !("testOnly" in reason)))
        readers.set(name, reason);
      if (!isGuess) guesses.delete(name);
      else if (!known) guesses.add(name);
    },
    /** Returns the reasons by package. */
    reasons(): Map<string, Reason> {
      for (const name of guesses) {
        const reason = readers.get(name);
        if (reason) readers.set(name, { ...reason, isGuess: true });
      }
      return readers;
    },
  };
}

function onTheWay(via: readonly Referrer[]) {
  return via.length > 0 && { via };
}

/**
 * Returns whether a file is the root's package.json, and none of the fields differs that a reader uses. Between equal trees,
 * nothing does, and the question is who can read the file.
 */
function isSameFor(
  { fields }: User,
  path: string,
  { base, head }: AffectedInput,
): boolean {
  if (!fields || path !== "package.json" || !base || base === head)
    return false;
  return fields.every(
    (field) =>
      canonical(base.root.fields[field]) === canonical(head.root.fields[field]),
  );
}

/** Returns whether a reference is only a file's name. */
function isName({ specifier }: Referrer): boolean {
  return !specifier.includes("/");
}

/**
 * Finds packages in the folder of another package that look up its settings: ESLint searches the folders above, also if they
 * are a package.
 * @returns a function of a file and its owner
 */
export function openInnerReaders({
  input,
  lookups,
  above,
}: DecisionWorld): (path: string, owner: Workspace) => readonly Effect[] {
  return (path, { name, dir }) => {
    if (!above().has(dir)) return [];
    const users = [
      ...tsconfigUsers(path, input),
      ...environmentUsers(path, input),
    ];
    return [
      ...lookups.readersOf(path).map((reader): Effect => ({
        kind: "package",
        name: reader.workspace.name,
        reason: lookupReason(path, path, reader),
      })),
      ...users.map(([user, found]) => use(path, user, found)),
    ].filter((effect) => effect.kind === "package" && effect.name !== name);
  };
}

/**
 * Returns whether a file of the root means another one. Patterns of settings select files and use none. A pattern that
 * includes the whole root, or a folder that contains packages, doesn't show the purpose of a file.
 */
function isMeant(
  { folder, isSelection }: User,
  above: () => ReadonlySet<string>,
): boolean {
  if (isSelection) return false;
  return folder === undefined || (folder !== "" && !above().has(folder));
}

/** Yields packages that depend on a path by `link:`, `portal:`, `file:` or `patch:`, at the base or the head. */
function* pathTargetUsers(
  path: string,
  { head, base }: AffectedInput,
): Iterable<readonly [name: string, user: User]> {
  // A patch or folder that was removed now resolves to something else.
  for (const { workspace, path: target, evidence } of [
    ...head.pathTargets,
    ...(base?.pathTargets ?? []),
  ]) {
    const dir = head.graph.workspaces.get(workspace)?.dir;
    if (dir === undefined || !isWithin(path, target)) continue;
    const file = dir === "." ? "package.json" : `${dir}/package.json`;
    const referrer = { file, line: 1, specifier: evidence };
    yield [workspace, { referrer, testOnly: false }];
  }
}

/** Yields packages below a folder with a file that is the environment of scripts: `packages/.env`. */
function* environmentUsers(
  file: string,
  { head }: AffectedInput,
): Iterable<readonly [name: string, user: User]> {
  const folder = folderOfEnvironment(file);
  for (const { name, dir } of folder === undefined ? [] : head.packages)
    if (dir.startsWith(`${folder}/`)) {
      const referrer = { file, line: 1, specifier: `found from ${dir}` };
      yield [name, { referrer, testOnly: false }];
    }
}

/**
 * Returns the reason of a package whose units look up settings.
 * @param file the settings that lead to the path, or the path itself
 */
export function lookupReason(
  path: string,
  file: string,
  reader: Reader,
): Reason {
  const { isGuess } = reader.lookup;
  return { ...readBy(path, file, reader), ...(isGuess && { isGuess }) };
}

/** Returns the same, as if it weren't a guess. */
function readBy(
  path: string,
  file: string,
  { settings, lookup }: Reader,
): UseReason {
  const { script, program, isKnown, spreads } = lookup;
  return {
    kind: "looked-up-file",
    path,
    ...(file !== path && { by: file }),
    role: settingsOf(settings).role,
    script,
    program,
    isKnown,
    ...(!spreads && { testOnly: true }),
  };
}

function referenced(path: string, { referrer, testOnly }: User): UseReason {
  return {
    kind: "referenced-file",
    path,
    referrer,
    ...(testOnly && { testOnly }),
  };
}

/** Returns the effect of a changed file on a package that refers to it. */
export function use(path: string, name: string, user: User): Effect {
  return { kind: "package", name, reason: referenced(path, user) };
}

/** @returns whether a file is documentation: a folder that isn't a package's has pages like the root */
export function openPages(globs: readonly string[]): (path: string) => boolean {
  const matches = compileGlobs(globs);
  return (path) =>
    matches(path) || matches(path.slice(path.lastIndexOf("/") + 1));
}
