import { posix } from "node:path";
import { isWithin } from "@skein/workspaces";

/** The role of a path in a project. */
export type Place =
  /** A file that git tracks or would track: untracked, and not ignored. `path` is relative to the project's root. */
  | { readonly kind: "source"; readonly path: string }
  /** A folder that contains such files. */
  | { readonly kind: "folder"; readonly path: string }
  /** Any other path of the project: ignored by git, new, or missing. */
  | { readonly kind: "generated"; readonly path: string }
  /** A file of an installed package. */
  | {
      readonly kind: "external";
      /** The package's name. */
      readonly name: string;
      /** Its folder, absolute. */
      readonly folder: string;
    }
  /** A file that an install writes beside packages: `.bin`, `.pnp.cjs`, archives. */
  | { readonly kind: "install"; readonly path: string }
  /** Git's own files. */
  | { readonly kind: "git"; readonly path: string }
  /** The recorder's own folder, made for this run. */
  | { readonly kind: "private" }
  /** A path in a folder of caches, which other runs fill too. */
  | { readonly kind: "cache"; readonly path: string }
  /** A path of the repository outside of the project. `path` is relative to the project's root: `../x`. */
  | { readonly kind: "outside"; readonly path: string }
  /** Any other path on this machine: the system, Node, devices. */
  | { readonly kind: "machine"; readonly path: string };

/** The inputs of `Places`. All folders are absolute, and without symlinks. */
export interface PlacesInput {
  readonly root: string;
  /** All sources, relative to the project's root: tracked, or untracked and not ignored. */
  readonly sources: readonly string[];
  /** Folders that are private to this run. */
  readonly private: readonly string[];
  /** Folders outside the root without stable content: caches, and the system's temporary folder. */
  readonly caches: readonly string[];
  /** The repository's folder; undefined if it is the root. */
  readonly repository?: string | undefined;
  /** Git's folders, if they aren't `.git` in the root. */
  readonly git: readonly string[];
}

/** Entries that Yarn itself writes into `node_modules`. Other names with a dot are caches of tools. */
const INSTALLED = new Set([".bin", ".yarn-state.yml", ".store", ".pnpm"]);

/** Classifies the paths of a project. Pure. */
export class Places {
  private readonly input: PlacesInput;
  private readonly sources: ReadonlySet<string>;
  private readonly folders: ReadonlySet<string>;

  constructor(input: PlacesInput) {
    this.input = input;
    this.sources = new Set(input.sources);
    this.folders = foldersOf(input.sources);
  }

  /** Returns the role of a path. @param path absolute, without symlinks */
  of(path: string): Place {
    const { root, git } = this.input;
    if (this.input.private.some((folder) => within(path, folder)))
      return { kind: "private" };
    if (git.some((folder) => within(path, folder)))
      return { kind: "git", path };
    if (!within(path, root)) return this.beyond(path);
    const inside = path === root ? "." : path.slice(root.length + 1);
    if (/^\.git(\/|$)/.test(inside)) return { kind: "git", path: inside };
    if (this.sources.has(inside)) return { kind: "source", path: inside };
    const external = installed(path);
    if (external) return external;
    const dotted = /(?:^|\/)node_modules\/(\.[^/]+)/.exec(inside)?.[1];
    if (dotted !== undefined && !INSTALLED.has(dotted))
      return { kind: "generated", path: inside };
    if (/(?:^|\/)node_modules(?:\/|$)/.test(inside))
      return { kind: "install", path: inside };
    if (/^(?:\.pnp\.|\.yarn\/)/.test(inside))
      return { kind: "install", path: inside };
    if (this.folders.has(inside)) return { kind: "folder", path: inside };
    return { kind: "generated", path: inside };
  }

  private beyond(path: string): Place {
    const { root, caches, repository = "" } = this.input;
    // A clone may be in the temporary folder.
    if (within(path, repository) && installed(path) === undefined)
      return { kind: "outside", path: posix.relative(root, path) };
    return caches.some((folder) => within(path, folder))
      ? { kind: "cache", path }
      : (installedAbove(path, root) ?? { kind: "machine", path });
  }

  /** Returns an absolute path in its printed form: relative to the project's root if it is below the root. */
  fromRoot(path: string): string {
    const { root } = this.input;
    return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
  }

  /**
   * Returns the highest folder that contains a generated path and no source; the path itself if sources are beside it.
   */
  generatedFolder(path: string): string {
    let at = path;
    for (;;) {
      const slash = at.lastIndexOf("/");
      const above = slash === -1 ? "." : at.slice(0, slash);
      if (above === "." || this.folders.has(above)) return at;
      if (/(?:^|\/)node_modules$/.test(above)) return at;
      at = above;
    }
  }
}

/** Returns the installed package that contains a path: the innermost `node_modules` followed by a name. */
function installed(
  path: string,
): Extract<Place, { kind: "external" }> | undefined {
  const at = path.lastIndexOf("/node_modules/");
  if (at === -1) return undefined;
  const name = /^(?:@[^/]+\/[^/]+|[^@./][^/]*)/.exec(
    path.slice(at + "/node_modules/".length),
  )?.[0];
  return name === undefined
    ? undefined
    : {
        kind: "external",
        name,
        folder: path.slice(0, at + "/node_modules/".length + name.length),
      };
}

/**
 * Returns the installed package that contains a path outside the project. Node only finds packages in folders above the
 * project, so npm's own packages don't count.
 */
function installedAbove(path: string, root: string) {
  const above = path.slice(0, path.indexOf("/node_modules/") + 1);
  return above !== "" && root.startsWith(above) ? installed(path) : undefined;
}

function foldersOf(paths: readonly string[]): Set<string> {
  const folders = new Set(["."]);
  for (const path of paths)
    for (
      let slash = path.lastIndexOf("/");
      slash > 0 && !folders.has(path.slice(0, slash));
      slash = path.lastIndexOf("/", slash - 1)
    )
      folders.add(path.slice(0, slash));
  return folders;
}

function within(path: string, folder: string): boolean {
  return folder !== "" && isWithin(path, folder);
}
