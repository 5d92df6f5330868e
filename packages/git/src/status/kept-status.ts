import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileState, type FileState } from "./file-state.js";
import type { Git } from "../git.js";
import { splitNul } from "../split-nul.js";
import {
  OTHERS_ARGS,
  parseOthers,
  parseStatusV2,
  STATUS_ARGS,
} from "./status-v2.js";
import type { Status } from "./status-v2.js";

/** The paths of the index and of its cached copy. */
export interface KeptStatusPlace {
  /** The worktree's git folder. */
  readonly gitDir: string;
  /** The git folder that all worktrees share. */
  readonly commonDir: string;
  /** A folder that Skein owns. It may not exist yet. */
  readonly keepIn: string;
}

/**
 * Reads the state of the working tree with a copy of the index in which git stores what it found in each folder
 * ("untracked cache", git-update-index(1)). Git doesn't read unchanged folders again. Skein never writes the user's
 * index.
 *
 * The copy's name identifies its index, so another index has no copy. The first run with an index creates a mark. The
 * second run makes the copy, which takes longer. The third run is faster. Git's rule for changes within one tick of the
 * clock ("racy") uses the time of the index file. The copy's time is set to two seconds before its creation, because
 * two seconds is the coarsest clock of a file system. So every later change has a time that differs from all times that
 * git trusts.
 * @param git at the top level
 * @param index the user's index in its current state
 * @returns undefined if no copy exists or it cannot be trusted: then run git without it
 */
export async function readKeptStatus(
  git: Git,
  index: FileState,
  place: KeptStatusPlace,
): Promise<Status | undefined> {
  const dir = resolve(place.keepIn, "index", basename(place.gitDir));
  const file = join(dir, nameOf(index, place));
  try {
    if (![git.cwd, place.gitDir].every(tellsChanges)) return undefined;
    const kept = fileState(file);
    if (!kept) mark(dir, file);
    if (!kept || kept.size === USELESS.length) return undefined;
    if (kept.size === 0) return await keepAndAsk(git, index, place, file);
    const status = await askWith(git, file, "keep");
    // Git treats a missing index as an empty one.
    if (fileState(file)?.id !== kept.id) return undefined;
    return status?.folders === undefined
      ? status
      : { ...status, folders: `${basename(file)}_${kept.id}` };
  } catch {
    // The copy cannot be written, or git cannot read it. Git then runs without it.
    remove(file);
    return undefined;
  }
}

/** The content of the mark of an index that cannot be cached. The mark of an index that was seen once is empty. */
const USELESS = "-";

/**
 * Returns the copy's name. It covers the settings, because they can change which files git ignores and are not in the
 * index.
 */
function nameOf(index: FileState, { gitDir, commonDir }: KeptStatusPlace) {
  const settings = [join(commonDir, "config"), join(gitDir, "config.worktree")];
  return [index, ...settings.map(fileState)]
    .map((state) => state?.id ?? "")
    .join("_");
}

/**
 * File systems of Linux that update a folder's time when an entry is added or removed, with this machine's clock
 * (numbers of statfs(2)): ext2 to ext4, XFS, Btrfs, tmpfs, ZFS. For others (network, FUSE) that isn't guaranteed.
 */
const TELLING = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x2fc12fc1, 0x794c7630,
]);

function tellsChanges(path: string): boolean {
  return TELLING.has(statfsSync(path).type);
}

/** Two seconds, the resolution of the coarsest clock of a file system. */
const TICK = 2000;

/** Makes the copy. Git fills it while it answers. */
async function keepAndAsk(
  git: Git,
  index: FileState,
  { gitDir }: KeptStatusPlace,
  file: string,
): Promise<Status | undefined> {
  const bytes = readFileSync(join(gitDir, "index"));
  if (await holdsUnusual(git)) {
    writeFileSync(file, USELESS);
    return undefined;
  }
  const folder = mkdtempSync(join(dirname(file), "new-"));
  try {
    const copy = join(folder, "index");
    writeFileSync(copy, bytes);
    const trusted = (fileState(copy)?.modified ?? 0) - TICK - 1;
    // With so young an index, git would check many files again in each run.
    if (index.modified >= trusted || !tellsChanges(folder)) return undefined;
    const asBefore = () => {
      setTime(copy, index.modified - 1);
    };
    asBefore();
    if (bytes.includes("UNTR")) {
      // Git's cache in the user's index follows git's less strict rule.
      await git.run(["update-index", "--no-untracked-cache"], on(copy, "1"));
      asBefore();
    }
    const status = await askWith(git, copy, "true");
    setTime(copy, trusted);
    renameSync(copy, file);
    return status;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function setTime(file: string, milliseconds: number): void {
  utimesSync(file, milliseconds / 1000, milliseconds / 1000);
}

/**
 * Returns whether the index has entries that rule out a copy. In each submodule git runs `git status`, which would
 * write the submodule's own index just like ours. Files that git must not check (sparse checkouts, --assume-unchanged)
 * hide new content at their paths, because git then reports new folders instead of their files.
 */
async function holdsUnusual(git: Git): Promise<boolean> {
  const { stdout } = await git.run(["ls-files", "-z", "-v", "--stage"]);
  return /(?:^|\0)(?:[^HM]|. 160000)/.test(stdout.toString("latin1"));
}

/** The maximum number of new folders to list one by one. With more of them, git runs without the copy. */
const MANY = 100;

async function askWith(
  git: Git,
  index: string,
  untrackedCache: "keep" | "true",
): Promise<Status | undefined> {
  const { stdout, stderr } = await git.run(
    [
      ...["-c", `core.untrackedCache=${untrackedCache}`],
      ...["-c", "status.showUntrackedFiles=normal"], // The cache supports only this mode. The folders are listed afterwards.
      ...["-c", "core.splitIndex=false"], // Otherwise a part of the copy would be in a file of the user's index.
      ...STATUS_ARGS,
      "--untracked-files=normal", // Overrides the same option in STATUS_ARGS.
    ],
    on(index, untrackedCache === "keep" ? "0" : "1"),
  );
  const status = {
    ...parseStatusV2(stdout),
    ...(untrackedCache === "keep" && isSameFolders(stderr) && { folders: "" }),
  };
  const folders = [
    ...newFolders(stdout),
    // If a folder replaces a file, "normal" doesn't report the folder.
    ...status.entries
      .filter(
        ({ path, kind, origin }) =>
          origin === "unstaged" &&
          (kind === "deleted" || kind === "unmerged") &&
          isFolder(join(git.cwd, path)),
      )
      .map(({ path }) => `${path}/`),
  ];
  if (folders.length === 0) return status;
  if (folders.length > MANY) return undefined;
  const { stdout: inside } = await git.run([...OTHERS_ARGS, "--", ...folders]);
  const found = splitNul(inside);
  // For a folder inside another repository that also contains tracked files of this one, git prints nothing.
  if (!folders.every((dir) => found.some((path) => path.startsWith(dir))))
    return undefined;
  const names = new Set(folders.map((folder) => folder.slice(0, -1)));
  return {
    ...status,
    entries: [
      ...status.entries.filter(
        ({ path, origin }) => origin !== "untracked" || !names.has(path),
      ),
      ...parseOthers(inside),
    ],
  };
}

/** Returns the folders without tracked files, which "normal" prints instead of their files, with a final slash. */
function newFolders(stdout: Buffer): string[] {
  return splitNul(stdout)
    .filter((line) => line.startsWith("? ") && line.endsWith("/"))
    .map((line) => line.slice(2));
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/**
 * The counts that git reports for folders that it looks at with its untracked cache (dir.c, `emit_traverse_statistics`, since
 * git 2.33). All are 0 if the names in all folders are the same as when the cache was filled.
 */
const CHANGES_OF_FOLDERS = [
  "node-creation",
  "gitignore-invalidation",
  "directory-invalidation",
  "opendir",
];

/**
 * Returns whether git used its untracked cache and found every folder unchanged.
 * @param trace lines of JSON (https://git-scm.com/docs/api-trace2, "Event Format")
 */
function isSameFolders(trace: string): boolean {
  const counts = new Map<unknown, unknown>();
  for (const line of trace.split("\n")) {
    if (!line.includes('"read_directory"')) continue;
    const { event, key, value } = JSON.parse(line) as Readonly<
      Record<string, unknown>
    >;
    if (event !== "data") continue;
    // Git looks at several places only if it was asked about several.
    if (counts.has(key)) return false;
    counts.set(key, value);
  }
  return CHANGES_OF_FOLDERS.every((key) => Number(counts.get(key)) === 0);
}

/** @param locks "1" allows git to write this index */
function on(index: string, locks: "0" | "1") {
  return {
    env: {
      GIT_INDEX_FILE: index,
      GIT_OPTIONAL_LOCKS: locks,
      // Git writes a line for each event to stderr.
      GIT_TRACE2_EVENT: locks === "0" ? "2" : "0",
      GIT_TRACE2_EVENT_BRIEF: "1",
      GIT_TRACE2_EVENT_NESTING: "9",
    },
  };
}

/** Creates the mark of an index, and removes all earlier marks and copies. */
function mark(dir: string, file: string): void {
  mkdirSync(dir, { recursive: true });
  for (const name of readdirSync(dir)) remove(join(dir, name));
  writeFileSync(file, "", { flag: "wx" });
}

function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // A file that stays behind does no harm.
  }
}
