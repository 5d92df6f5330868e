import { execFile } from "node:child_process";
import { gitTestEnv } from "../history.js";

/** A file of a comparison, with GitHub's status. */
export interface DiffEntry {
  readonly status: "added" | "removed" | "modified" | "renamed" | "changed";
  readonly path: string;
  readonly previousPath: string | undefined;
  readonly id: string;
  readonly additions: number;
  readonly deletions: number;
}

export interface TreeEntry {
  readonly mode: string;
  readonly type: string;
  readonly id: string;
  readonly size: number | undefined;
  readonly path: string;
}

export interface StoredCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Signature;
  readonly committer: Signature;
  readonly message: string;
}

/** The author or committer of a commit, and the time. */
export interface Signature {
  readonly name: string;
  readonly email: string;
  /** In ISO 8601, with a precision of seconds. */
  readonly date: string;
}

/** Runs git in a repository and returns its output, or undefined if it fails. */
export function gitBytes(
  dir: string,
  ...args: string[]
): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    execFile(
      "git",
      args,
      { cwd: dir, env: gitTestEnv, encoding: "buffer", maxBuffer: 2 ** 30 },
      (error, stdout) => resolve(error ? undefined : stdout),
    );
  });
}

/**
 * Returns the commit that a full id, a branch or a tag names. It resolves refs as GitHub does, without git's own
 * shorthands.
 */
export async function resolveCommit(
  dir: string,
  ref: string,
): Promise<string | undefined> {
  const names = /^[0-9a-f]{40}$/.test(ref)
    ? [ref]
    : [`refs/heads/${ref}`, `refs/tags/${ref}`, `refs/${ref}`];
  for (const name of names) {
    const found = await gitBytes(
      dir,
      "rev-parse",
      "--verify",
      "--quiet",
      `${name}^{commit}`,
    );
    if (found) return found.toString().trim();
  }
  return undefined;
}

/** Returns the id of the merge base of two commits; undefined if there is none. */
export async function mergeBase(
  dir: string,
  one: string,
  other: string,
): Promise<string | undefined> {
  return (await gitBytes(dir, "merge-base", one, other))?.toString().trim();
}

/** Returns the number of commits that each side has and the other lacks. */
export async function aheadBehind(
  dir: string,
  base: string,
  head: string,
): Promise<{ ahead: number; behind: number }> {
  const counts = await gitBytes(
    dir,
    "rev-list",
    "--left-right",
    "--count",
    `${base}...${head}`,
  );
  const [behind = 0, ahead = 0] = String(counts).trim().split("\t").map(Number);
  return { ahead, behind };
}

/** Returns the commits of the head that the base lacks, oldest first. */
export async function commitsBetween(
  dir: string,
  base: string,
  head: string,
): Promise<readonly string[]> {
  const range = `${base}..${head}`;
  const list = await gitBytes(dir, "rev-list", "--reverse", range);
  return String(list ?? "")
    .split("\n")
    .filter((id) => id !== "");
}

const statuses: Record<string, DiffEntry["status"]> = {
  A: "added",
  D: "removed",
  M: "modified",
  R: "renamed",
  T: "changed",
};

/** A cache, because commits never change: a list of 30 pages needs one diff. */
const diffs = new Map<string, Promise<readonly DiffEntry[]>>();

/**
 * Returns the differences between two commits. Renames are detected as on GitHub: half of the content must be equal.
 */
export function diff(
  dir: string,
  base: string,
  head: string,
): Promise<readonly DiffEntry[]> {
  const key = `${dir} ${base} ${head}`;
  const known = diffs.get(key) ?? runDiff(dir, base, head);
  diffs.set(key, known);
  return known;
}

async function runDiff(
  dir: string,
  base: string,
  head: string,
): Promise<readonly DiffEntry[]> {
  const options = ["diff-tree", "-r", "-z", "--find-renames=50%"];
  const [raw, numbers] = await Promise.all([
    gitBytes(dir, ...options, "--raw", "--no-abbrev", base, head),
    gitBytes(dir, ...options, "--numstat", base, head),
  ]);
  const words = String(raw).split("\0");
  const counts = String(numbers).split("\0");
  const entries: DiffEntry[] = [];
  for (let at = 0, count = 0; words[at] !== undefined && words[at] !== "";) {
    const [, , oldId = "", newId = "", letter = ""] = (words[at++] ?? "").split(
      " ",
    );
    const status = statuses[letter.charAt(0)] ?? "modified";
    const previousPath = status === "renamed" ? words[at++] : undefined;
    const path = words[at++] ?? "";
    // The numbers of a rename have no path. Its two paths follow as separate words.
    const [additions, deletions] = (counts[count] ?? "").split("\t");
    count += status === "renamed" ? 3 : 1;
    entries.push({
      status,
      path,
      previousPath,
      id: status === "removed" ? oldId : newId,
      additions: Number(additions) || 0,
      deletions: Number(deletions) || 0,
    });
  }
  return entries;
}

/** Returns a tree's entries; with `recursive`, also its sub-trees and their entries. */
export async function listTree(
  dir: string,
  id: string,
  recursive: boolean,
): Promise<readonly TreeEntry[] | undefined> {
  const flags = recursive ? ["-r", "-t"] : [];
  const listing = await gitBytes(dir, "ls-tree", "-z", "-l", ...flags, id);
  return listing
    ?.toString()
    .split("\0")
    .filter((line) => line !== "")
    .map((line) => {
      const tab = line.indexOf("\t");
      const [mode = "", type = "", object = "", size = ""] = line
        .slice(0, tab)
        .split(/ +/);
      return {
        mode,
        type,
        id: object,
        size: size === "-" ? undefined : Number(size),
        path: line.slice(tab + 1),
      };
    });
}

/** Returns the bytes of a blob; undefined if it doesn't exist. */
export function readBlob(dir: string, id: string): Promise<Buffer | undefined> {
  return gitBytes(dir, "cat-file", "blob", id);
}

/** Reads a commit; returns undefined if it doesn't exist. */
export async function readCommit(
  dir: string,
  id: string,
): Promise<StoredCommit | undefined> {
  const text = (await gitBytes(dir, "cat-file", "commit", id))?.toString();
  if (text === undefined) return undefined;
  const end = text.indexOf("\n\n");
  const headers = text.slice(0, end).split("\n");
  const values = (name: string) =>
    headers
      .filter((line) => line.startsWith(`${name} `))
      .map((line) => line.slice(name.length + 1));
  return {
    tree: values("tree")[0] ?? "",
    parents: values("parent"),
    author: readSignature(values("author")[0] ?? ""),
    committer: readSignature(values("committer")[0] ?? ""),
    message: text.slice(end + 2),
  };
}

/** @param line `Ada <ada@example.com> 1767225600 +0000` */
function readSignature(line: string): Signature {
  const [, name = "", email = "", seconds = "0"] =
    /^(.*) <(.*)> (\d+) [+-]\d{4}$/.exec(line) ?? [];
  const date = new Date(Number(seconds) * 1000).toISOString();
  return { name, email, date: date.replace(".000", "") };
}
