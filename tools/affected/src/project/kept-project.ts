import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Changeset } from "@skein/changes";
import { blobId, idLengthOf, readKept, writeKept } from "@skein/git";
import type { Repository } from "@skein/git";
import type { Project, ProjectFiles } from "@skein/workspaces";
import { keepProject, KEPT_VERSION } from "@skein/workspaces/keep-project";
import { openKeptProject } from "@skein/workspaces/kept";
import { isOnDisk } from "../files/files.js";

/** Files of a project, with the ids of their contents, which are often known without reading. */
export interface FilesWithIds extends ProjectFiles {
  /** Returns git's id of a file's content; undefined if the file doesn't exist. */
  id(path: string): Promise<string | undefined>;
  /** Returns the id of the bytes that `read` returns. */
  idOfBytes(path: string): Promise<string | undefined>;
}

interface Where {
  readonly changeset: Changeset;
  /** The project's folder, relative to the top of the repository. */
  readonly prefix: string;
}

/**
 * Adds ids to the files at the head of a changeset. It reuses the ids that were read when the repository was opened. At
 * a commit, it uses all of them. In a working tree, it uses those of committed files that git found unchanged: all
 * other knowledge about a tree relies on git's status, too.
 * @param files at the changeset's head: on the disk, or at a commit
 */
export function withIds(
  files: ProjectFiles,
  { known, head, objectFormat, prefix }: Repository,
  { changeset, prefix: wanted }: Where,
): FilesWithIds {
  const { source, changes } = changeset;
  const onDisk = isOnDisk(changeset);
  const isHead =
    source.kind !== "list" &&
    changeset.head?.commit === head &&
    wanted === prefix;
  const idOfBytes = async (path: string) => {
    const bytes = await files.read(path);
    return bytes && blobId(bytes, idLengthOf({ objectFormat }));
  };
  return {
    ...files,
    idOfBytes,
    async id(path) {
      const id = known.blobs.get(path);
      const isListed = onDisk
        ? id !== undefined &&
          !changes.some(
            (change) =>
              change.origin !== "committed" && change.path === prefix + path,
          )
        : known.blobs.has(path);
      return isHead && isListed ? id : idOfBytes(path);
    },
  };
}

/** A project, and a key of all its inputs. */
export interface KeyedProject {
  readonly project: Project;
  readonly key: string;
}

const FILE = "graph.bin";

/** The inputs of a project, if every manifest is sure to agree with yarn.lock. */
const SOURCES = ["package.json", "yarn.lock", ".yarnrc.yml"];

/** Returns whether the project of any commit is cached. It isn't in the first run. */
export function isAnyKept(dir: string): boolean {
  return existsSync(join(dir, FILE));
}

/**
 * Opens the cached project of HEAD, if there is one. It will probably be needed, and git is still reading the working
 * tree.
 */
export async function openKeptHead(
  { known }: Repository,
  dir: string,
): Promise<KeyedProject | undefined> {
  const key = await keyOf((path) => Promise.resolve(known.blobs.get(path)));
  return openKept(join(dir, FILE), key);
}

/**
 * Reads a project without touched manifests. It uses the result of an earlier run if the inputs have the same content;
 * otherwise it reads the files and caches the result.
 * @param dir the folder of the cache
 * @param opened a project that was opened early; used if its inputs turn out to have this content
 * @returns undefined if there is no package.json, or no lockfile that lists the packages
 */
export async function readKeptProject(
  files: FilesWithIds,
  dir: string,
  opened?: KeyedProject,
): Promise<KeyedProject | undefined> {
  const file = join(dir, FILE);
  const listed = await keyOf((path) => files.id(path));
  const known = opened?.key === listed ? opened : openKept(file, listed);
  if (known) return known;
  // The cache's key is always made from the bytes that were read, because a filter of git may turn a blob into other
  // bytes.
  const key = await keyOf((path) => files.idOfBytes(path));
  const same = key === listed ? undefined : openKept(file, key);
  if (same) return same;
  // A project that was read from all manifests isn't cached.
  const lock = await files.read("yarn.lock");
  const { listsWorkspaces, readProject } =
    await import("@skein/workspaces/read-project");
  if (lock && !listsWorkspaces(lock.toString("utf8", 0, 500))) return undefined;
  const project = await readProject(files, {
    touchedManifests: [],
    complete: false,
  });
  if (!project?.lock) return undefined;
  const root = await files.read("package.json");
  const kept = keepProject(project, root?.toString("utf8") ?? "");
  if (kept) writeKept(file, Buffer.concat([Buffer.from(key), kept]));
  return { project, key };
}

async function keyOf(
  idOf: (path: string) => Promise<string | undefined>,
): Promise<string> {
  const ids = await Promise.all(SOURCES.map(idOf));
  const key = JSON.stringify([KEPT_VERSION, ...ids.map((id) => id ?? "")]);
  // The columns of numbers after the key must start at a multiple of four.
  return key.padEnd(Math.ceil(key.length / 4) * 4);
}

function openKept(file: string, key: string): KeyedProject | undefined {
  const bytes = readKept(file);
  if (bytes?.toString("latin1", 0, key.length) !== key) return undefined;
  const project = openKeptProject(bytes.subarray(key.length));
  return project && { project, key };
}
