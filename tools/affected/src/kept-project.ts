import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Changeset } from "@skein/changes";
import { blobId, readKept, writeKept } from "@skein/git";
import type { Repository } from "@skein/git";
import {
  isJsonLockfile,
  KEPT_VERSION,
  keepProject,
  openKeptProject,
  readProject,
} from "@skein/workspaces";
import type { Project, ProjectFiles } from "@skein/workspaces";
import { isOnDisk } from "./files.js";

/** Files of a project that tell their content's id without being read. */
export interface FilesWithIds extends ProjectFiles {
  /** Git's id of a file's content; undefined where there is no file. */
  id(path: string): Promise<string | undefined>;
  /** The same, of the bytes that `read` answers with. */
  idOfBytes(path: string): Promise<string | undefined>;
}

interface Where {
  readonly changeset: Changeset;
  /** The project's folder from the top of the repository. */
  readonly prefix: string;
}

/**
 * Adds ids to the files at the head of a changeset. What opening the repository told is not asked again: of a commit, all
 * of it; of a working tree, the ids of files that are in the commit and that git found unchanged, as all that is known of
 * a tree's other files rests on what git found.
 * @param files at the changeset's head: on the disk, or at a commit
 */
export function withIds(
  files: ProjectFiles,
  { known, head, objectFormat, prefix }: Repository,
  { changeset, prefix: wanted }: Where,
): FilesWithIds {
  const { source, changes } = changeset;
  const onDisk = isOnDisk(changeset);
  const told =
    source.kind !== "list" &&
    changeset.head?.commit === head &&
    wanted === prefix;
  const idOfBytes = async (path: string) => {
    const bytes = await files.read(path);
    return bytes && blobId(bytes, objectFormat === "sha1" ? 40 : 64);
  };
  return {
    ...files,
    idOfBytes,
    async id(path) {
      const id = known.blobs.get(path);
      const isTold = onDisk
        ? id !== undefined &&
          !changes.some(
            (change) =>
              change.origin !== "committed" && change.path === prefix + path,
          )
        : known.blobs.has(path);
      return told && isTold ? id : idOfBytes(path);
    },
  };
}

/** A project, and a word for all that it was made of. */
export interface KeyedProject {
  readonly project: Project;
  readonly key: string;
}

const FILE = "graph.bin";

/** All that a project is made of where no manifest may say something else than yarn.lock. */
const SOURCES = ["package.json", "yarn.lock", ".yarnrc.yml"];

/** Whether the project of any commit is kept: not so in the first run. */
export function isAnyKept(dir: string): boolean {
  return existsSync(join(dir, FILE));
}

/** Opens the project of HEAD, if it is kept: what will probably be asked for, while git looks at the working tree. */
export async function openKeptHead(
  { known }: Repository,
  dir: string,
): Promise<KeyedProject | undefined> {
  const key = await keyOf((path) => Promise.resolve(known.blobs.get(path)));
  return openKept(join(dir, FILE), key);
}

/**
 * Reads a project of which no manifest is touched, as an earlier run kept it where the files it is made of have the very
 * same content; else as it is, and keeps it.
 * @param dir where it is kept
 * @param opened what was opened there before; taken if it turns out to be of this content
 * @returns undefined where there is no package.json, or no lockfile that tells the packages
 */
export async function readKeptProject(
  files: FilesWithIds,
  dir: string,
  opened?: KeyedProject,
): Promise<KeyedProject | undefined> {
  const file = join(dir, FILE);
  const told = await keyOf((path) => files.id(path));
  const known = opened?.key === told ? opened : openKept(file, told);
  if (known) return known;
  // What is kept is kept under what it was made of, whatever was told of it: a filter may make other bytes of a blob.
  const key = await keyOf((path) => files.idOfBytes(path));
  const same = key === told ? undefined : openKept(file, key);
  if (same) return same;
  // The lockfile of Yarn 6 tells no package: what all manifests say is not kept.
  const lock = await files.read("yarn.lock");
  if (lock && isJsonLockfile(lock.toString("utf8", 0, 64))) return undefined;
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
  // The columns of numbers behind it begin at a multiple of four.
  return key.padEnd(Math.ceil(key.length / 4) * 4);
}

function openKept(file: string, key: string): KeyedProject | undefined {
  const bytes = readKept(file);
  if (bytes?.toString("latin1", 0, key.length) !== key) return undefined;
  const project = openKeptProject(bytes.subarray(key.length));
  return project && { project, key };
}
