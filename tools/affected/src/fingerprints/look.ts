import { readStatus, type Repository, type Status } from "@skein/git";
import type { Settings } from "@skein/workspaces";
import { cacheDirOf } from "../cache-dir.js";
import { fileClock } from "../files/file-clock.js";
import { diskFiles, pathsFromTop } from "../files/files.js";
import { findPlace, type Place } from "../project/place.js";
import { readSettings } from "../project/settings.js";
import type { AffectedWorld } from "../world.js";
import { listOutsideGit, type OutsideGit } from "./outside-git.js";
import type { OpenedTree } from "./open-tree.js";
import { readUnreported, type UnreportedFiles } from "./unreported.js";

/** Facts about trees that machines share. */
export interface SharedFacts {
  /** Reads facts; undefined if no machine has offered facts under this key. */
  readFacts(key: string): Promise<Buffer | undefined>;
  /** Offers facts to other machines. */
  offerFacts(key: string, facts: Buffer): void;
}

/** A tree at one moment: git's answers about it, and the files beside it. Fingerprints of all scripts share it. */
export interface TreeLook {
  readonly place: Place;
  readonly repository: Repository;
  readonly settings: Settings;
  /** The cache folder. */
  readonly keepIn: string;
  /** A commit as the user named it; undefined for the working tree. */
  readonly head: string | undefined;
  /** Git's status of the working tree; undefined for a commit, and if nothing is checked out. */
  readonly status: Status | undefined;
  readonly unreported: UnreportedFiles;
  /** Whether git was called before `begin`. Then no fingerprints that are read now may be cached. */
  readonly isEarly: boolean;
  /** When git was called, by the clock of the file system, in milliseconds. */
  readonly begin: number;
  /** When git was called, in milliseconds since 1970. */
  readonly now: number;
  /** Returns the files that git ignores, and empty folders. It queries git once. */
  readonly listed: () => Promise<OutsideGit>;
  /** Facts that other machines computed. */
  readonly shared: SharedFacts | undefined;
  /** Fingerprints that were opened already, by script. */
  readonly opened: Map<string, Promise<OpenedTree>>;
}

/**
 * Asks git about a tree.
 * @param world with `early`, git's answers from the start of the program are used
 * @param head a commit; undefined for the working tree
 */
export async function lookAtTree(
  world: AffectedWorld,
  head: string | undefined,
  shared?: SharedFacts,
): Promise<TreeLook> {
  const place = await findPlace(world, false, world.early);
  const { root, early, checkedOut } = place;
  const repository = await place.opening;
  const keepIn = cacheDirOf(world.env, repository);
  const begin = clockIn(keepIn);
  const now = world.now();
  const isOnDisk = head === undefined && checkedOut;
  const statusOf = early?.status;
  const asking = isOnDisk
    ? (statusOf ?? readStatus(repository.git, { ...repository, keepIn }))
    : undefined;
  let listing: Promise<OutsideGit> | undefined;
  const listed = () => (listing ??= list(place, repository, asking));
  const [settings, status, unreported] = await Promise.all([
    readSettings(diskFiles(root, () => Promise.resolve(repository))),
    asking,
    isOnDisk ? readUnreported(root, repository) : [],
  ]);
  return {
    ...{ place, repository, settings, keepIn, head, status, unreported },
    isEarly: isOnDisk && statusOf !== undefined,
    ...{ begin, now, listed, shared, opened: new Map() },
  };
}

async function list(
  { root, checkedOut }: Place,
  repository: Repository,
  asking: Promise<Status> | undefined,
): Promise<OutsideGit> {
  if (!checkedOut) return { ignored: [], empty: [] };
  const here = pathsFromTop(root, repository);
  const untracked = asking?.then(({ entries }) =>
    entries.flatMap(({ path, origin }) =>
      origin === "untracked" ? [here(path)] : [],
    ),
  );
  return listOutsideGit(root, repository, untracked);
}

/** Returns the time of a file that is written now; -Infinity for a folder in which no file can be written. */
function clockIn(folder: string): number {
  try {
    return fileClock(folder);
  } catch {
    return -Infinity;
  }
}
