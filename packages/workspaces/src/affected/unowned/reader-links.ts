import { isOfCi, settingsOf } from "@skein/known-tools";
import { isWithin } from "../../paths.js";
import type { AffectedInput, User } from "../input.js";
import { fieldReaders, type Reader } from "../programs/lookups.js";
import type { Reason, Referrer } from "../reason.js";
import { canonical } from "../root/root-manifest.js";
import { tsconfigUsers, usersOfList } from "./tsconfig-users.js";
import { folderOfEnvironment } from "./unowned-rules.js";
import type { DecisionWorld } from "../world.js";

/** A reason because of a file that no package owns. */
export type UseReason = Extract<
  Reason,
  { readonly kind: "referenced-file" | "looked-up-file" }
>;

/** A package that reads a file. */
export interface Reading {
  readonly name: string;
  readonly isGuess: boolean;
  readonly spreads: boolean;
  /** The reference on the way from the file to the reader, if it reads another one. */
  readonly through?: Referrer;
  /** Returns the reason of the package, if the file leads to a path. */
  readonly reasonOf: (path: string) => UseReason;
}

/** A file of the root that leads to a file, so that its readers may read that, too. */
export interface Passage {
  readonly file: string;
  readonly referrer: Referrer;
  readonly isGuess: boolean;
}

/** One way from a file to its readers. */
export type Link = Reading | Passage;

/** The rules of a search for readers. */
export interface LinkOptions {
  readonly isPage: (path: string) => boolean;
  /** Whether to find the readers of the file's targets instead of those of the file itself. */
  readonly isOfUses: boolean;
  /**
   * Whether only references count that name one file by its path: no open end, and no name without a folder, with which
   * programs look for the project's root (`findUp("yarn.lock")`).
   */
  readonly isExact: boolean;
}

/** Constraints of Yarn: the root checks all manifests with them, and no other script reads them. */
export const CONSTRAINTS = new Set(["yarn.config.cjs", "constraints.pro"]);

/**
 * Returns the links from a file, in the order in which they count.
 * @param isFirst whether the file is the one whose readers are searched, and not one on the way to it
 */
export function linksOf(
  file: string,
  isFirst: boolean,
  world: DecisionWorld,
  options: LinkOptions,
): readonly Link[] {
  return new FileLinks(file, isFirst, world, options).list();
}

/** Collects the links from one file. */
class FileLinks {
  readonly #links: Link[] = [];
  readonly #file: string;
  readonly #isFirst: boolean;
  readonly #world: DecisionWorld;
  readonly #options: LinkOptions;

  constructor(
    file: string,
    isFirst: boolean,
    world: DecisionWorld,
    options: LinkOptions,
  ) {
    this.#file = file;
    this.#isFirst = isFirst;
    this.#world = world;
    this.#options = options;
  }

  list(): readonly Link[] {
    const { input, lookups, usersOf } = this.#world;
    const file = this.#file;
    for (const [name, user] of this.#isFirst
      ? pathTargetUsers(file, input)
      : [])
      this.#addUser(name, user);
    for (const reader of lookups.readersOf(file)) this.#addReader(file, reader);
    for (const [name, user] of tsconfigUsers(file, input))
      this.#addUser(name, user);
    for (const [name, user] of environmentUsers(file, input))
      this.#addUser(name, user);
    for (const user of usersOf(file))
      if (this.#counts(user)) this.#follow(user);
    return this.#links;
  }

  /** Returns whether a reference to the file counts in this search. */
  #counts(user: User): boolean {
    const file = this.#file;
    if (user.isSearched && (!this.#isFirst || this.#options.isOfUses))
      return false;
    const isOpen = user.isGuess === true || user.folder !== undefined;
    if (this.#options.isExact && (isOpen || isName(user.referrer)))
      return false;
    if (this.#isFirst && isSameFor(user, file, this.#world.input)) return false;
    if (isOfProject(user) && IN_HIDDEN.test(file)) return false;
    // An open end may lead to a workflow, but nothing runs its commands because of that.
    return this.#isFirst || !(isOpen && isOfCi(file));
  }

  /** Adds the package that a reference is in, or the file of the root. */
  #follow(user: User): void {
    const { input, lookups, above } = this.#world;
    const { head, references } = input;
    const { referrer, isGuess = false } = user;
    const owner = head.graph.ownerOf(referrer.file);
    if (owner.dir !== ".") {
      this.#addUser(owner.name, user);
      const others = user.testOnly
        ? references?.usersOfAside(referrer.file)
        : [];
      for (const other of others ?? []) {
        const { name } = head.graph.ownerOf(other.referrer.file);
        this.#addUser(name, other, referrer);
      }
    } else if (user.isListed) {
      this.#addUsersOfList(user);
    } else if (referrer.file === "package.json") {
      this.#addUser(owner.name, user);
      for (const reader of user.isSetting
        ? fieldReaders(referrer.specifier, lookups, head)
        : [])
        this.#addReader(referrer.file, reader, referrer);
    } else if (!this.#options.isPage(referrer.file) && isMeant(user, above)) {
      if (CONSTRAINTS.has(referrer.file)) this.#addUser(owner.name, user);
      this.#addBehind(user);
      this.#links.push({ file: referrer.file, referrer, isGuess });
    }
  }

  /** Adds the workspace that contains the file by another path, if a folder with workspaces is a symlink. */
  #addBehind(user: User): void {
    const { input, above } = this.#world;
    const { referrer, folder } = user;
    if (folder === undefined || !above().has(referrer.file)) return;
    const within = this.#file.slice(folder === "" ? 0 : folder.length + 1);
    const owner = input.head.graph.ownerOf(`${referrer.file}/${within}`);
    if (owner.dir !== ".") this.#addUser(owner.name, user);
  }

  /** A compiler reads a file that is listed, but not the files that its code opens. */
  #addUsersOfList(user: User): void {
    const { referrer } = user;
    const { file, suffix = "" } = referrer;
    const isOfOther = /^\.\w+$/.test(suffix) && !this.#file.endsWith(suffix);
    if (!this.#isFirst || isOfOther) return;
    const mayBeRun = isMeant(user, this.#world.above);
    for (const [name, found] of usersOfList(file, this.#world, mayBeRun))
      this.#addUser(name, found, referrer);
  }

  #addUser(name: string, user: User, through?: Referrer): void {
    const check =
      user.check === undefined
        ? undefined
        : this.#world.units.checkUse(name, user.check);
    if (check && !check.isAsked && !check.spreads) return;
    const testOnly =
      user.testOnly ||
      check?.spreads === false ||
      (this.#options.isOfUses && user.isApart === true);
    this.#links.push({
      name,
      isGuess: user.isGuess === true,
      spreads: !testOnly,
      ...(through && { through }),
      reasonOf: (path) => referenced(path, { ...user, testOnly }),
    });
  }

  #addReader(from: string, reader: Reader, through?: Referrer): void {
    const { workspace, lookup } = reader;
    this.#links.push({
      name: workspace.name,
      isGuess: lookup.isGuess,
      spreads: lookup.spreads,
      ...(through && { through }),
      reasonOf: (path) => readBy(path, from, reader),
    });
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
export function* environmentUsers(
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
 * Returns the reason of a package whose units look up settings, as if it weren't a guess.
 * @param file the settings that lead to the path, or the path itself
 */
export function readBy(
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

/** Returns the reason of a package with a reference that leads to a path. */
export function referenced(
  path: string,
  { referrer, testOnly }: User,
): UseReason {
  return {
    kind: "referenced-file",
    path,
    referrer,
    ...(testOnly && { testOnly }),
  };
}
