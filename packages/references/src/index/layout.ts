import { createHash } from "node:crypto";
import { builtinModules } from "node:module";
import type { ReferringWorkspace } from "../graph.js";
import { dirOf, foldersAbove } from "../resolve.js";

/** The workspaces of a project by number, and the owners of paths. */
export class Layout {
  readonly workspaces: readonly ReferringWorkspace[];
  /** Numbers by name. A package that moved is listed with both folders; it is one package, the first one. */
  readonly byName: ReadonlyMap<string, number>;
  /** Numbers by folder; the root's folder is empty. */
  readonly byDir: ReadonlyMap<string, number>;
  /** The folder of the workspace that owns a folder: thousands of paths are in the same one. */
  readonly #folders = new Map<string, string>();
  /** All folders above those of workspaces. */
  #holding: ReadonlySet<string> | undefined;
  #installed: ReadonlySet<string> | undefined;

  constructor(workspaces: readonly ReferringWorkspace[]) {
    const byName = new Map<string, number>();
    const byDir = new Map<string, number>();
    for (let index = 0; index < workspaces.length; index++) {
      const { name = "", dir = "" } = workspaces[index] ?? {};
      const number = byName.get(name) ?? index;
      byName.set(name, number);
      byDir.set(dir === "." ? "" : dir, number);
    }
    this.workspaces = workspaces;
    this.byName = byName;
    this.byDir = byDir;
  }

  /** The number of the root workspace, or -1. */
  get root(): number {
    return this.byDir.get("") ?? -1;
  }

  /** Whether a name is that of a package which some workspace declares, or of a module of Node. */
  isInstalled(name: string): boolean {
    this.#installed ??= new Set([
      ...builtinModules,
      ...this.workspaces.flatMap(({ declared }) => [...declared]),
    ]);
    return this.#installed.has(name) || this.#installed.has(`@types/${name}`);
  }

  /** Returns the name of a workspace; empty for -1. */
  nameOf(number: number): string {
    return this.workspaces[number]?.name ?? "";
  }

  /** Returns the folder of a workspace; empty for the root. */
  dirOf(number: number): string {
    const dir = this.workspaces[number]?.dir ?? ".";
    return dir === "." ? "" : dir;
  }

  /** Returns the number of the workspace that owns a path, or -1. */
  ownerOf(path: string): number {
    return this.byDir.get(this.folderOf(path)) ?? -1;
  }

  /** Returns the folder of the workspace that owns a path; empty for the root, and if there is no owner. */
  folderOf(path: string): string {
    if (path === "" || this.byDir.has(path)) return path;
    const dir = dirOf(path);
    let folder = this.#folders.get(dir);
    if (folder === undefined)
      this.#folders.set(dir, (folder = this.folderOf(dir)));
    return folder;
  }

  /** Returns whether a folder (empty for the root) contains workspaces other than the one that owns it. */
  holdsWorkspaces(folder: string): boolean {
    this.#holding ??= new Set([...this.byDir.keys()].flatMap(foldersAbove));
    return folder === "" || this.#holding.has(folder);
  }

  /** Returns a path relative to the folder of the workspace that owns it. */
  withinOwner(path: string): string {
    const folder = this.folderOf(path);
    return folder === "" ? path : path.slice(folder.length + 1);
  }

  /** Whether one workspace's manifest declares the other in a way that makes the one depend on the other. */
  isShown(from: number, to: number): boolean {
    return this.isDeclared(from, to) && !this.isOptionalPeer(from, to);
  }

  /** Whether one workspace declares the other as an optional peer, and not otherwise. */
  isOptionalPeer(from: number, to: number): boolean {
    const { optionalPeers } = this.workspaces[from] ?? {};
    return optionalPeers?.has(this.nameOf(to)) ?? false;
  }

  /** Whether one workspace's manifest declares the other. */
  isDeclared(from: number, to: number): boolean {
    return this.workspaces[from]?.declared.has(this.nameOf(to)) ?? false;
  }
}

/** Returns all facts about workspaces that results depend on. */
export function layoutFacts(workspaces: readonly ReferringWorkspace[]) {
  return workspaces.map(
    ({ name, dir, declared, optionalPeers = [], namedByExternals = [] }) => [
      [name, dir, ...declared],
      [...optionalPeers],
      [...namedByExternals],
    ],
  );
}

/** Facts up to this many characters are their own key: loading the hash module would take longer than most runs. */
const SHORT = 2000;

/** Returns a key of everything that a result depends on; other facts have another key. */
export function keyOfFacts(facts: readonly unknown[]): string {
  const text = JSON.stringify(facts);
  if (text.length <= SHORT) return text;
  return createHash("sha256").update(text).digest("hex");
}
