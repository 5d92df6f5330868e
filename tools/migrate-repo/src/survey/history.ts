import { openObjects, splitStream, streamGit, type Git } from "@skein/git";
import type { LfsPointer } from "../lfs/lfs.js";
import { findSecrets, mayHoldSecrets } from "../secrets.js";

/** GitHub refuses a push with a file of this many bytes or more (docs.github.com, "About large files on GitHub"). */
export const PUSH_LIMIT = 100 * 1024 * 1024;

/** A token in a file of some commit. Never the token itself. */
export interface SecretFound {
  readonly path: string;
  readonly blob: string;
  /** What was recognised, in words. */
  readonly kind: string;
  /** 1-based. */
  readonly line: number;
}

export interface LargeFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

/** What the whole history holds that somebody should know of before it is merged. */
export interface HistoryFacts {
  readonly secrets: readonly SecretFound[];
  /** Files of at least `largeFrom` bytes, largest first. */
  readonly large: readonly LargeFile[];
  /** Git LFS pointers of any commit. */
  readonly lfs: readonly LfsPointer[];
}

/** Longer files with such names are not settings but data. */
const LONGEST_SETTINGS = 1_000_000;

/** Git LFS writes pointers of at most this many bytes (its specification says under 1,024). */
const LONGEST_POINTER = 1024;

/**
 * Walks every object of a history once, by name and size; reads only small files whose names or sizes tell of secrets
 * or LFS pointers.
 * @param largeFrom bytes
 */
export async function surveyHistory(
  git: Git,
  tips: readonly string[],
  exclude: readonly string[],
  largeFrom: number,
): Promise<HistoryFacts> {
  const wanted = [...tips, ...exclude.map((id) => `^${id}`), ""].join("\n");
  // Git walks every tree all the same, so that this also proves that nothing is missing; it names the files alone.
  const list = streamGit(git, [
    "rev-list",
    "--objects",
    "--filter=object:type=blob",
    "--filter-provided-objects",
    "--stdin",
  ]);
  const check = streamGit(git, [
    "cat-file",
    "--buffer",
    "--batch-check=%(objectsize) %(objectname) %(rest)",
  ]);
  list.stdin.end(wanted);
  list.stdout.pipe(check.stdin);
  // Of a part of a history nobody knows whether the other part says so.
  let usesLfs = exclude.length > 0;
  const suspects: { path: string; blob: string }[] = [];
  const pointers: { path: string; blob: string }[] = [];
  const large: LargeFile[] = [];
  for await (const line of splitStream(check.stdout, 10)) {
    const [size = "", blob = ""] = line.split(" ", 2);
    const path = line.slice(size.length + blob.length + 2);
    const bytes = Number(size);
    if (bytes >= largeFrom) large.push({ path, size: bytes });
    if (bytes <= LONGEST_SETTINGS && mayHoldSecrets(path))
      suspects.push({ path, blob });
    if (path.endsWith(".gitattributes")) usesLfs = true;
    if (bytes > 100 && bytes < LONGEST_POINTER && !/\.[cm]?[jt]sx?$/.test(path))
      pointers.push({ path, blob });
  }
  await Promise.all([list.done, check.done]);
  return {
    secrets: await readEach(git, suspects, findSecrets),
    large: large.sort((a, b) => b.size - a.size),
    lfs: usesLfs ? await readEach(git, pointers, findPointer) : [],
  };
}

/** Files that are held at once. */
const AT_ONCE = 200;

async function readEach<T extends object>(
  git: Git,
  files: readonly { path: string; blob: string }[],
  find: (content: string) => readonly T[],
): Promise<(T & { path: string; blob: string })[]> {
  const objects = openObjects(git);
  try {
    const found: (T & { path: string; blob: string })[] = [];
    for (let at = 0; at < files.length; at += AT_ONCE) {
      const some = await Promise.all(
        files.slice(at, at + AT_ONCE).map(async (file) => {
          const object = await objects.read(file.blob);
          const text = object?.content.toString("utf8") ?? "";
          return find(text).map((one) => ({ ...file, ...one }));
        }),
      );
      found.push(...some.flat());
    }
    return found;
  } finally {
    objects.close();
  }
}

/** The form of a pointer file: git-lfs, docs/spec.md. */
function findPointer(
  content: string,
): readonly { oid: string; size: number }[] {
  const [, oid, size] =
    /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n[^]*^oid sha256:([0-9a-f]{64})\nsize (\d+)$/m.exec(
      content,
    ) ?? [];
  return oid === undefined ? [] : [{ oid, size: Number(size) }];
}
