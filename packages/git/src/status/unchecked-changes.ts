import { existsSync, lstatSync, readFileSync, readlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { blobId } from "../objects/blob-id.js";
import { side, type DiffKind } from "../diff-raw.js";
import type { Git } from "../git.js";
import type { StatusEntry } from "./status-v2.js";
import { splitNul } from "../split-nul.js";
import { uncheckedEntries, type UncheckedEntry } from "./unchecked-entries.js";

const LINK = "120000";
const SUBMODULE = "160000";

/**
 * Lists tracked files that differ from the index although git is configured not to check them (`git update-index
 * --assume-unchanged`, `--skip-worktree`). Scripts read these files all the same. In a sparse checkout, a missing file
 * with the second flag is unchanged.
 * @param git at the top level
 * @param gitDir the worktree's git folder
 */
export async function readUnchecked(
  git: Git,
  gitDir: string,
): Promise<readonly StatusEntry[]> {
  const all = await listUnchecked(git, gitDir);
  const entries = all.filter(({ path }) => !path.endsWith("/"));
  if (entries.length === 0) return [];
  const modeOf = openModes(git.cwd);
  const found = entries.map((entry) => ({ entry, mode: modeOf(entry.path) }));
  const [ids, settings] = await Promise.all([
    idsOf(
      git,
      found.flatMap(({ entry: { path }, mode }) =>
        isFile(mode) ? [path] : [],
      ),
    ),
    readSettings(git),
  ]);
  return found.flatMap(({ entry, mode }) => {
    const kind = kindOf(entry, mode, {
      ...settings,
      id:
        mode === LINK
          ? blobId(
              readlinkSync(join(git.cwd, entry.path), "buffer"),
              entry.id.length,
            )
          : ids.get(entry.path),
    });
    return kind === undefined
      ? []
      : [
          {
            ...{ path: entry.path, kind, origin: "unstaged" as const },
            ...side("old", entry.mode, entry.id),
            ...side("new", mode ?? "000000", "0"),
          },
        ];
  });
}

/**
 * Lists tracked files that a sparse checkout excludes. They are unchanged for git, but scripts don't find them.
 * @returns paths from the top of the repository. One with a final `/` means all files of a folder
 */
export async function readAbsent(
  git: Git,
  gitDir: string,
): Promise<readonly string[]> {
  if (!existsSync(join(gitDir, "info/sparse-checkout"))) return [];
  const entries = await listUnchecked(git, gitDir);
  return entries.flatMap(({ path, isSkipped }) =>
    isSkipped && !existsSync(join(git.cwd, path)) ? [path] : [],
  );
}

interface Settings {
  readonly isSparse: boolean;
  /** Whether permissions count. */
  readonly hasModes: boolean;
}

/** Returns how a file differs; undefined if it doesn't. @param mode that of the disk; undefined if there is no file */
function kindOf(
  { mode: known, id, isSkipped }: UncheckedEntry,
  mode: string | undefined,
  now: Settings & { readonly id: string | undefined },
): DiffKind | undefined {
  if (mode === undefined)
    return isSkipped && now.isSparse ? undefined : "deleted";
  // A submodule's own content is unknown here, so it may have changed.
  if (known === SUBMODULE) return "modified";
  if (isFile(mode) !== isFile(known)) return "type-changed";
  const isSameMode = mode === known || !now.hasModes;
  return isSameMode && now.id === id ? undefined : "modified";
}

function isFile(mode: string | undefined): boolean {
  return mode?.startsWith("100") === true;
}

/** Returns a function from a path to its mode on the disk. It doesn't look for files in folders that don't exist. */
function openModes(top: string): (path: string) => string | undefined {
  const missing = new Set<string>();
  return (path) => {
    for (let dir = dirname(path); dir !== "."; dir = dirname(dir))
      if (missing.has(dir)) return undefined;
    const stats = lstatSync(join(top, path), { throwIfNoEntry: false });
    if (stats?.isSymbolicLink()) return LINK;
    if (stats?.isFile())
      return (stats.mode & 0o100) === 0 ? "100644" : "100755";
    if (stats) return "040000";
    const dir = dirname(path);
    if (!lstatSync(join(top, dir), { throwIfNoEntry: false })) missing.add(dir);
    return undefined;
  };
}

async function listUnchecked(
  git: Git,
  gitDir: string,
): Promise<readonly UncheckedEntry[]> {
  const named = git.env["GIT_INDEX_FILE"];
  const file = named ? resolve(git.cwd, named) : join(gitDir, "index");
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch {
    return []; // Before the first `git add` there is no index.
  }
  return uncheckedEntries(bytes) ?? (await askForUnchecked(git));
}

/** The flags of an entry, its mode, its id, its stage and its path. */
const LINE = /^(\S) (\d{6}) ([0-9a-f]+) \d\t([^]+)$/;

async function askForUnchecked(git: Git): Promise<readonly UncheckedEntry[]> {
  const { stdout } = await git.run(["ls-files", "-z", "-v", "--stage"]);
  return splitNul(stdout).flatMap((line) => {
    const [, tag = "H", mode = "", id = "", path = ""] = LINE.exec(line) ?? [];
    const isSkipped = /s/i.test(tag);
    return isSkipped || /[a-z]/.test(tag)
      ? [{ path, mode, id, isSkipped }]
      : [];
  });
}

/** Returns the ids that git would give these files; the filters of .gitattributes apply. */
async function idsOf(
  git: Git,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (paths.length === 0) return new Map();
  const { stdout, exitCode } = await git.run(["hash-object", "--stdin-paths"], {
    input: paths.map((path) => `${quoted(path)}\n`).join(""),
    answers: [0, 128], // A file that can't be read any more has changed.
  });
  const ids = stdout.toString("latin1").split("\n");
  return exitCode === 0
    ? new Map(paths.map((path, at) => [path, ids[at] ?? ""]))
    : new Map();
}

/** Quotes a path as git reads it in a list. */
function quoted(path: string): string {
  const escaped = path.replaceAll(/["\\]/g, "\\$&").replaceAll("\n", "\\n");
  return `"${escaped}"`;
}

async function readSettings(git: Git): Promise<Settings> {
  const { stdout } = await git.run(
    [
      ...["config", "--bool", "--get-regexp"],
      String.raw`^core\.(sparsecheckout|filemode)$`,
    ],
    { answers: [0, 1] },
  );
  // The last value of a setting counts.
  const values = new Map(
    stdout
      .toString("utf8")
      .split("\n")
      .map((line) => line.split(" ") as [string, string | undefined]),
  );
  return {
    isSparse: values.get("core.sparsecheckout") === "true",
    hasModes: values.get("core.filemode") !== "false",
  };
}
