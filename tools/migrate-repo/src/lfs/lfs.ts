import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { GitError, type Git } from "@skein/git";
import { printable } from "@skein/reporting";
import type { SourceAddress } from "../migration.js";
import type { Quarantine } from "../quarantine/quarantine.js";
import { lfsRemote, parseSource } from "../names/source-address.js";
import type { TargetFacts } from "../survey/target.js";
import { distinct, type LfsPointer } from "./pointers.js";

/** The objects that git-lfs fetched into the quarantine, and their places after the landing. */
export interface LfsObjects {
  readonly count: number;
  /** In bytes. */
  readonly size: number;
  readonly moves: readonly { readonly from: string; readonly to: string }[];
}

export const NO_LFS_OBJECTS: LfsObjects = { count: 0, size: 0, moves: [] };

export type LfsOutcome =
  | { readonly kind: "fetched"; readonly objects: LfsObjects }
  /** Some objects aren't available; `message` is git-lfs's message. */
  | {
      readonly kind: "missing";
      readonly pointers: readonly LfsPointer[];
      readonly message: string;
    };

/** Returns whether git finds git-lfs on this machine. */
export async function hasGitLfs(git: Git): Promise<boolean> {
  const { exitCode } = await git.run(["lfs", "version"], {
    answers: [0, 1, 2, 127],
  });
  return exitCode === 0;
}

/**
 * Fetches the objects of pointers into the quarantine, from the source's own LFS server or the one in its `.lfsconfig`.
 * git-lfs checks each object's hash.
 * @param tip the source's commit whose `.lfsconfig` is used
 */
export async function fetchLfsObjects(
  { git, dir }: Quarantine,
  target: Pick<TargetFacts, "git" | "commonDir">,
  address: SourceAddress,
  tip: string,
  pointers: readonly LfsPointer[],
): Promise<LfsOutcome> {
  const server = await serverOf(git, tip);
  const settings = {
    "remote.source.url": lfsRemote(address),
    ...(server !== undefined && { "lfs.url": server }),
  };
  for (const [key, value] of Object.entries(settings))
    await git.run(["config", key, value]);
  let message = "";
  try {
    await git.run(["lfs", "fetch", "--all", "source"]);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    message = error.stderr;
  }
  const storage = await storageOf({ git, commonDir: dir });
  const home = await storageOf(target);
  const moves = [];
  const missing = [];
  let size = 0;
  for (const pointer of distinct(pointers)) {
    const from = pathIn(storage, pointer.oid);
    const to = pathIn(home, pointer.oid);
    if (await holds(to, pointer.size)) continue;
    if (await holds(from, pointer.size)) {
      moves.push({ from, to });
      size += pointer.size;
    } else missing.push(pointer);
  }
  if (missing.length > 0)
    return {
      kind: "missing",
      pointers: missing,
      message: printable(message.trim().split("\n").slice(-3).join(" | ")),
    };
  return { kind: "fetched", objects: { count: moves.length, size, moves } };
}

/** Reads the LFS server from `.lfsconfig`, if its transport is encrypted and runs no program. */
async function serverOf(git: Git, tip: string): Promise<string | undefined> {
  const { stdout, exitCode } = await git.run(
    ["config", "--blob", `${tip}:.lfsconfig`, "--get", "lfs.url"],
    { answers: [0, 1, 128] },
  );
  const url = stdout.toString("utf8").trim();
  if (exitCode !== 0 || !/^(?:https|ssh):\/\//i.test(url)) return undefined;
  const parsed = parseSource(url, undefined);
  return "code" in parsed ? undefined : parsed.fetchFrom;
}

/** Returns the folder in which git-lfs stores objects of the target (git-lfs-config(5), `lfs.storage`). */
async function storageOf({
  git,
  commonDir,
}: Pick<TargetFacts, "git" | "commonDir">): Promise<string> {
  const { stdout } = await git.run(
    ["config", "--type=path", "--get", "lfs.storage"],
    { answers: [0, 1] },
  );
  return resolve(commonDir, stdout.toString("utf8").trim() || "lfs");
}

/** Returns the path of an object: git-lfs, docs/spec.md, "The Server", local storage. */
function pathIn(storage: string, oid: string): string {
  return join(storage, "objects", oid.slice(0, 2), oid.slice(2, 4), oid);
}

async function holds(file: string, size: number): Promise<boolean> {
  return stat(file).then(
    (stats) => stats.isFile() && stats.size === size,
    () => false,
  );
}
