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
import { fileState } from "./file-state.js";
import type { FileState } from "./file-state.js";
import type { Git } from "./git.js";
import { splitNul } from "./split-nul.js";
import {
  OTHERS_ARGS,
  parseOthers,
  parseStatusV2,
  STATUS_ARGS,
} from "./status-v2.js";
import type { Status } from "./status-v2.js";

/** Where the index lies, and where a copy of it may be kept. */
export interface KeptStatusPlace {
  /** The worktree's git folder. */
  readonly gitDir: string;
  /** The git folder of all worktrees. */
  readonly commonDir: string;
  /** A folder of ours, which need not exist. */
  readonly keepIn: string;
}

/**
 * Asks for the state of the working tree by way of a copy of the index in which git itself remembers what it found in
 * each folder ("untracked cache", git-update-index(1)): folders that did not change are not read again. The user's
 * index is never written.
 *
 * The copy's name says of which index it is, so another index has none. The first run that meets an index leaves a mark,
 * the second makes the copy, which takes longer; the third is quicker. Git's rule for what may have changed within the
 * clock's tick ("racy") goes by the time of the index file. The copy's is set to two seconds before it was begun: the
 * coarsest clock of a file system, so whatever changes from then on gets a time that differs from every time that git
 * trusts.
 * @param git at the top level
 * @param index the user's, as it is now
 * @returns undefined where there is no copy, or it cannot be trusted: ask without it
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
    // Git takes an index that is gone for an empty one.
    return fileState(file)?.id === kept.id ? status : undefined;
  } catch {
    // It cannot be written, or git cannot read it: the question is asked without it.
    remove(file);
    return undefined;
  }
}

/** The content of the mark of an index that cannot be kept; the mark of an index that was seen once is empty. */
const USELESS = "-";

/** Settings can change what git ignores, and are not in the index. */
function nameOf(index: FileState, { gitDir, commonDir }: KeptStatusPlace) {
  const settings = [join(commonDir, "config"), join(gitDir, "config.worktree")];
  return [index, ...settings.map(fileState)]
    .map((state) => state?.id ?? "")
    .join("_");
}

/**
 * File systems of Linux in which a folder gets another time when a name in it comes or goes, by this machine's clock
 * (numbers of statfs(2)): ext2 to ext4, XFS, Btrfs, tmpfs, ZFS. Of others (network, FUSE) nobody knows.
 */
const TELLING = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x2fc12fc1, 0x794c7630,
]);

function tellsChanges(path: string): boolean {
  return TELLING.has(statfsSync(path).type);
}

/** Two seconds: the coarsest clock of a file system. */
const TICK = 2000;

/** Makes the copy, and has git fill it while it answers. */
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
    // While the index is that young, much of what it knows would be looked at again each time.
    if (index.modified >= trusted || !tellsChanges(folder)) return undefined;
    const asBefore = () => {
      setTime(copy, index.modified - 1);
    };
    asBefore();
    if (bytes.includes("UNTR")) {
      // Git's own cache for the user follows git's less careful rule.
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
 * Settings that rule out a copy. Git runs `git status` in each submodule, which would write the submodule's
 * own index as freely as ours. And files that git was told not to look at (sparse checkouts, --assume-unchanged) hide
 * what lies where they were, where new folders are named instead of their files.
 */
async function holdsUnusual(git: Git): Promise<boolean> {
  const { stdout } = await git.run(["ls-files", "-z", "-v", "--stage"]);
  return /(?:^|\0)(?:[^HM]|. 160000)/.test(stdout.toString("latin1"));
}

/** New folders that are looked into one by one; with more, all is asked anew. */
const MANY = 100;

async function askWith(
  git: Git,
  index: string,
  untrackedCache: "keep" | "true",
): Promise<Status | undefined> {
  const { stdout } = await git.run(
    [
      ...["-c", `core.untrackedCache=${untrackedCache}`],
      ...["-c", "status.showUntrackedFiles=normal"], // What the cache is made for; the folders follow.
      ...["-c", "core.splitIndex=false"], // Else a part of the copy would be in a file of the user's index.
      ...["-c", "core.checkStat=default"], // All that is known of a file, whatever the user trusts:
      ...["-c", "core.trustctime=true"], // a folder's time can be set back.
      ...STATUS_ARGS,
      "--untracked-files=normal", // The last one counts.
    ],
    on(index, untrackedCache === "keep" ? "0" : "1"),
  );
  const status = parseStatusV2(stdout);
  const folders = [
    ...newFolders(stdout),
    // Where a file was, "normal" says nothing of the folder that is there now.
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
  const found = [...splitNul(inside)];
  // Asked for a folder in a repository that holds files of this one, git says nothing.
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

/** Returns folders without any tracked file, which "normal" names instead of their files; with a final slash. */
function newFolders(stdout: Buffer): string[] {
  return [...splitNul(stdout)]
    .filter((line) => line.startsWith("? ") && line.endsWith("/"))
    .map((line) => line.slice(2));
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** @param locks "1" lets git write the index that it is given */
function on(index: string, locks: "0" | "1") {
  return {
    env: { GIT_INDEX_FILE: index, GIT_OPTIONAL_LOCKS: locks },
    isQuestion: locks === "0",
  };
}

/** Leaves the mark of an index, and nothing of those before. */
function mark(dir: string, file: string): void {
  mkdirSync(dir, { recursive: true });
  for (const name of readdirSync(dir)) remove(join(dir, name));
  writeFileSync(file, "", { flag: "wx" });
}

function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // It is in the way of nothing.
  }
}
