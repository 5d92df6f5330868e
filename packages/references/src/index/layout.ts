import { createHash } from "node:crypto";
import type { ReferringWorkspace } from "../graph.js";
import { dirOf } from "../resolve.js";

/** The workspaces of a project by number, and who owns a path. */
export class Layout {
  readonly workspaces: readonly ReferringWorkspace[];
  /** Numbers by name. A package that moved is listed with both its folders: it stays one package, the first. */
  readonly byName: ReadonlyMap<string, number>;
  /** Numbers by folder; the root's is empty. */
  readonly byDir: ReadonlyMap<string, number>;

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

  /** Number of the root workspace, or -1. */
  get root(): number {
    return this.byDir.get("") ?? -1;
  }

  /** Name of a workspace; empty for none. */
  nameOf(number: number): string {
    return this.workspaces[number]?.name ?? "";
  }

  /** Folder of a workspace, empty for the root. */
  dirOf(number: number): string {
    const dir = this.workspaces[number]?.dir ?? ".";
    return dir === "." ? "" : dir;
  }

  /** Number of the workspace that owns a path, or -1. */
  ownerOf(path: string): number {
    return this.byDir.get(this.folderOf(path)) ?? -1;
  }

  /** The folder of the workspace that owns a path, empty for the root and for none. */
  folderOf(path: string): string {
    let at = path;
    while (at !== "" && !this.byDir.has(at)) at = dirOf(at);
    return at;
  }

  /** Whether a folder, empty for the root, holds workspaces besides the one that owns it. */
  holdsWorkspaces(folder: string): boolean {
    if (folder === "") return true;
    for (const dir of this.byDir.keys())
      if (dir.startsWith(`${folder}/`)) return true;
    return false;
  }

  /** A path from the folder of the workspace that owns it. */
  withinOwner(path: string): string {
    const folder = this.folderOf(path);
    return folder === "" ? path : path.slice(folder.length + 1);
  }

  /** Whether one workspace's manifest declares the other. */
  isDeclared(from: number, to: number): boolean {
    return this.workspaces[from]?.declared.has(this.nameOf(to)) ?? false;
  }
}

/** All that is known of workspaces. */
export function layoutFacts(workspaces: readonly ReferringWorkspace[]) {
  return workspaces.map(({ name, dir, declared }) => [name, dir, ...declared]);
}

/** Characters up to which facts are their own key: loading what hashes would take longer than most of what a run does. */
const SHORT = 2000;

/** One word for all that something depends on: of other facts there is another one. */
export function keyOfFacts(facts: readonly unknown[]): string {
  const text = JSON.stringify(facts);
  if (text.length <= SHORT) return text;
  return createHash("sha256").update(text).digest("hex");
}
