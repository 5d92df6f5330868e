import { addTo, addToSet } from "@skein/reporting/group-by";
import type { PackageFacts } from "../project.js";
import { resolveFrom } from "../paths.js";
import {
  decode,
  identOf,
  rangeOf,
  workspaceDirOf,
  locatorOf,
} from "./lockfile.js";
import type { LockDependency, LockEntry, Lockfile } from "./lockfile.js";
import { withProtocol } from "./resolutions.js";
import type { ResolutionContext } from "./resolver.js";

/**
 * A function that returns the parts of a local folder's package.json that its dependents use; undefined if it cannot be
 * read.
 */
export type ReadFolder = (dir: string) => Promise<
  | {
      readonly dependencies: readonly LockDependency[];
      readonly peerDependencies: readonly LockDependency[];
    }
  | undefined
>;

/**
 * Adds the entries to a lockfile of Yarn 6 that only Yarn 4 writes: workspaces, aliases, patches and local folders.
 * Both kinds of lockfile then support the same queries. Each entry follows from its dependents, as in Yarn.
 * @param written the parsed lockfile
 * @param packages all workspaces, including the dependencies from their profiles
 * @param readFolder reads the folder of a `portal:` or `file:`, from the project's root
 */
export async function completeLockfile(
  written: Lockfile,
  packages: readonly PackageFacts[],
  context: ResolutionContext,
  readFolder: ReadFolder,
): Promise<Lockfile> {
  const completion = new Completion(written, packages, context);
  const root = packages.find(({ dir }) => dir === ".");
  const rootLocator = root ? locatorOf(root) : "@workspace:.";
  for (const { ident, to } of context.resolutions)
    completion.use(rootLocator, [ident, to]);
  for (const facts of packages)
    for (const { ident, range, field } of facts.dependencies)
      if (field !== "peerDependencies")
        completion.use(locatorOf(facts), [ident, range]);
  for (const { resolution, dependencies } of written.entries)
    for (const dependency of dependencies)
      completion.use(resolution, dependency);
  for (
    let folder = completion.folders.pop();
    folder;
    folder = completion.folders.pop()
  )
    completion.addFolder(folder, await readFolder(folder.dir));
  return { entries: completion.entries(), written };
}

/** A local folder that a package depends on and that must be read. */
interface Folder {
  /** The descriptor, bound to its dependent. It is also used as the locator. */
  readonly descriptor: string;
  /** The path from the project's root; the file's path for an archive. */
  readonly dir: string;
  readonly isArchive: boolean;
}

const ALIAS = /^npm:(@[^/@]+\/[^@]+|[^@]+)@(.+)$/;
const FOLDER = /^(?:(?:portal|file):|\.{1,2}\/)/;

class Completion {
  readonly folders: Folder[] = [];
  readonly #written: readonly LockEntry[];
  readonly #context: ResolutionContext;
  readonly #byDescriptor = new Map<string, LockEntry>();
  readonly #byIdent = new Map<string, LockEntry[]>();
  readonly #byName = new Map<string, PackageFacts>();
  readonly #byDir = new Map<string, PackageFacts>();
  /** Descriptors that resolve to a workspace, by its name. */
  readonly #toWorkspace = new Map<string, Set<string>>();
  /** Descriptors of aliases, by the entry that they resolve to. */
  readonly #aliases = new Map<LockEntry, Set<string>>();
  readonly #added = new Map<string, LockEntry>();
  readonly #packages: readonly PackageFacts[];

  constructor(
    { entries }: Lockfile,
    packages: readonly PackageFacts[],
    context: ResolutionContext,
  ) {
    this.#context = context;
    this.#packages = packages;
    for (const facts of packages) {
      this.#byName.set(facts.name, facts);
      this.#byDir.set(facts.dir, facts);
    }
    // A workspace that satisfies a range of the registry may be in the file nevertheless.
    this.#written = entries.filter(
      ({ resolution }) => workspaceDirOf(resolution) === undefined,
    );
    for (const { resolution, descriptors } of entries)
      if (workspaceDirOf(resolution) !== undefined)
        for (const descriptor of descriptors)
          this.#leadTo(this.#byName.get(identOf(resolution)), descriptor);
    for (const entry of this.#written)
      for (const descriptor of entry.descriptors) {
        this.#byDescriptor.set(descriptor, entry);
        addTo(this.#byIdent, identOf(descriptor), entry);
      }
  }

  /**
   * Records a dependency of a package.
   * @param locator the dependent's
   */
  use(locator: string, [ident, range]: LockDependency): void {
    const catalogued = range.startsWith("catalog:")
      ? this.#context.catalogs.get(range.slice("catalog:".length))?.get(ident)
      : range;
    if (catalogued === undefined) return;
    const descriptor = `${ident}@${catalogued}`;
    if (catalogued.startsWith("workspace:")) {
      const place = catalogued.slice("workspace:".length);
      const target =
        this.#byDir.get(resolveFrom(".", place)) ??
        this.#byName.get(place) ??
        this.#byName.get(ident);
      this.#leadTo(target, descriptor);
    } else if (catalogued.startsWith("patch:"))
      this.#addPatch(locator, ident, catalogued);
    else if (catalogued.startsWith("link:"))
      this.#add(bound(descriptor, locator), []);
    else if (FOLDER.test(catalogued)) this.#openFolder(locator, descriptor);
    else this.#useRegistry(ident, catalogued);
  }

  /** Adds a folder. If it could not be read, it may depend on everything. */
  addFolder(
    { descriptor, isArchive }: Folder,
    read: Awaited<ReturnType<ReadFolder>>,
  ): void {
    const isKnown = read !== undefined && !isArchive;
    const dependencies = isKnown
      ? read.dependencies
      : this.#written.flatMap(({ descriptors: [first = ""] }) => [
          [identOf(first), rangeOf(first)] as const,
        ]);
    this.#add(descriptor, dependencies, isKnown ? read.peerDependencies : []);
    for (const dependency of dependencies) this.use(descriptor, dependency);
  }

  entries(): LockEntry[] {
    const workspaces = this.#packages.map((facts): LockEntry => {
      const { name, dependencies } = facts;
      const own = locatorOf(facts);
      const among = (arePeers: boolean) =>
        dependencies
          .filter(({ field }) => (field === "peerDependencies") === arePeers)
          .map(({ ident, range }): LockDependency => [ident, range]);
      return {
        key: own,
        descriptors: [own, ...(this.#toWorkspace.get(name) ?? [])],
        resolution: own,
        dependencies: among(false),
        peerDependencies: among(true),
        text: "",
      };
    });
    const written = this.#written.map((entry) => {
      const more = this.#aliases.get(entry);
      return more
        ? { ...entry, descriptors: [...entry.descriptors, ...more] }
        : entry;
    });
    return [...workspaces, ...written, ...this.#added.values()];
  }

  #useRegistry(ident: string, range: string): void {
    const [, name = ident, inner = range] = ALIAS.exec(range) ?? [];
    const isAlias = name !== ident || inner !== range;
    const entry = this.#byDescriptor.get(`${name}@${withProtocol(inner)}`);
    if (!entry) this.#leadTo(this.#byName.get(name), `${ident}@${range}`);
    if (!isAlias) return;
    // If Yarn writes the range differently, it may be any entry of the same name.
    for (const target of entry ? [entry] : (this.#byIdent.get(name) ?? []))
      this.#aliases.set(
        target,
        (this.#aliases.get(target) ?? new Set()).add(`${ident}@${range}`),
      );
  }

  #leadTo(target: PackageFacts | undefined, descriptor: string): void {
    if (target) addToSet(this.#toWorkspace, target.name, withRange(descriptor));
  }

  #addPatch(locator: string, ident: string, range: string): void {
    const source = decode(range.slice("patch:".length).split("#", 1)[0] ?? "");
    const inner: LockDependency = [identOf(source), rangeOf(source)];
    const isNew = this.#add(bound(`${ident}@${range}`, locator), [inner]);
    if (isNew) this.use(locator, inner);
  }

  #openFolder(locator: string, descriptor: string): void {
    const own = bound(descriptor, locator);
    if (this.#added.has(own)) return;
    // Recorded before it is read, because folders may depend on one another.
    this.#add(own, []);
    const path = rangeOf(descriptor).replace(/^[a-z]+:/, "");
    const dir = resolveFrom(this.#dirOf(locator), decode(path));
    const isArchive = /\.(tgz|tar\.gz)$/.test(path);
    this.folders.push({ descriptor: own, dir, isArchive });
  }

  /** Returns the folder of a dependent; the root for downloaded packages. */
  #dirOf(locator: string): string {
    const dir = workspaceDirOf(locator);
    if (dir !== undefined) return dir;
    const range = rangeOf(locator);
    const parent = /::locator=(.*)$/.exec(range)?.[1];
    if (parent === undefined || !FOLDER.test(range)) return ".";
    const path = range.replace(/^[a-z]+:/, "").split("::", 1)[0] ?? "";
    return resolveFrom(this.#dirOf(decode(parent)), decode(path));
  }

  #add(
    descriptor: string,
    dependencies: readonly LockDependency[],
    peerDependencies: readonly LockDependency[] = [],
  ): boolean {
    const isNew = !this.#added.has(descriptor);
    this.#added.set(descriptor, {
      key: descriptor,
      descriptors: [descriptor],
      resolution: descriptor,
      dependencies,
      peerDependencies,
      text: JSON.stringify([dependencies, peerDependencies]),
    });
    return isNew;
  }
}

/** Returns a descriptor whose path is relative to its dependent. */
function bound(descriptor: string, locator: string): string {
  return `${descriptor}::locator=${encodeURIComponent(locator)}`;
}

/** Returns the descriptor as lockfiles write it: `a@npm:^1.0.0` for `a@^1.0.0`. */
function withRange(descriptor: string): string {
  return `${identOf(descriptor)}@${withProtocol(rangeOf(descriptor))}`;
}
