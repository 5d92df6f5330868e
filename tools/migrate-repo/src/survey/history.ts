import { openObjects, type Git } from "@skein/git";
import type { LfsPointer } from "../lfs/pointers.js";
import { BEHIND_AND_AHEAD, holdsForm } from "../secrets/find-forms.js";
import { findSecrets, isReadAsSettings } from "../secrets/find-secrets.js";
import { askGitleaks, withGitleaks } from "../secrets/gitleaks.js";
import type { Quarantine } from "../quarantine/quarantine.js";
import { nameCommits } from "../secrets/name-commits.js";
import type { SecretFound } from "../secrets/secret-found.js";
import { openCommitSurvey, revisions, surveyCommits } from "./commits.js";
import type { LargeFile } from "./large-file.js";
import { streamFiles, type StreamedFile } from "./file-stream.js";

/** Facts about the whole history that people should know before it is merged. */
export interface HistoryFacts {
  /** Credentials in files. Those in messages are found when commits and tags are read. */
  readonly secrets: readonly SecretFound[];
  /** Files of at least `largeFrom` bytes, largest first. */
  readonly large: readonly LargeFile[];
  /** Git LFS pointers in any commit. */
  readonly lfs: readonly LfsPointer[];
}

/** The most bytes of a pointer of Git LFS (its specification says under 1,024). */
const LONGEST_POINTER = 1024;

/** The first line of each pointer: git-lfs, docs/spec.md. */
const POINTER = Buffer.from("version https://git-lfs.github.com/spec/v1\n");

/**
 * Streams every file of a history once, and checks its name, size and content. Files with a match are read a second
 * time, to find the line.
 * @param largeFrom in bytes
 * @throws {GitError}
 */
export async function surveyHistory(
  git: Git,
  tips: readonly string[],
  exclude: readonly string[],
  largeFrom: number,
): Promise<HistoryFacts> {
  const wanted = revisions(tips, exclude);
  // In a partial history, the .gitattributes may be in the other part.
  let usesLfs = exclude.length > 0;
  const suspects: StreamedFile[] = [];
  const pointers: StreamedFile[] = [];
  const large: LargeFile[] = [];
  const seeFile = (file: StreamedFile) => {
    const { path, size } = file;
    if (size >= largeFrom) large.push({ path, size });
    if (path.endsWith(".gitattributes")) usesLfs = true;
    if (isReadAsSettings(path, size)) suspects.push(file);
  };
  let seen: StreamedFile | undefined;
  let suspect: StreamedFile | undefined;
  /** The end of the file's previous parts. */
  let before: Buffer = Buffer.alloc(0);
  await streamFiles(git, wanted, (file, piece, isLast) => {
    const isFirst = seen !== file;
    if (isFirst) seeFile(file);
    seen = file;
    if (isFirst && mayBePointer(file, piece)) pointers.push(file);
    if (suspects.at(-1) === file || suspect === file) return;
    const bytes = isFirst ? piece : Buffer.concat([before, piece]);
    if (holdsForm(bytes)) suspects.push((suspect = file));
    if (!isLast) before = Buffer.from(bytes.subarray(-BEHIND_AND_AHEAD));
  });
  const found = await readEach(git, suspects, findSecrets);
  return {
    secrets: await nameCommits(git, wanted, found),
    large: large.sort((a, b) => b.size - a.size),
    lfs: usesLfs ? await readEach(git, pointers, findPointer) : [],
  };
}

/**
 * Surveys the new part of a history: its files, the messages of its commits, and the findings of gitleaks.
 * @param largeFrom in bytes
 * @throws {GitError}
 * @throws {Failure} if gitleaks fails
 */
export async function surveyNews(
  { git, scratch }: Pick<Quarantine, "git" | "scratch">,
  tips: readonly string[],
  exclude: readonly string[],
  largeFrom: number,
): Promise<HistoryFacts> {
  const commits = openCommitSurvey(new Set());
  const [history, theirs] = await Promise.all([
    surveyHistory(git, tips, exclude, largeFrom),
    askGitleaks(git, tips, exclude, scratch),
    surveyCommits(git, tips, commits, exclude),
  ]);
  const ours = [...history.secrets, ...commits.facts().secrets];
  return { ...history, secrets: withGitleaks(ours, theirs) };
}

/** Returns whether a file may be a pointer. @param piece the file's first part */
function mayBePointer({ size }: StreamedFile, piece: Buffer): boolean {
  const length = Math.min(piece.length, POINTER.length);
  return (
    size > 100 &&
    size < LONGEST_POINTER &&
    piece.subarray(0, length).equals(POINTER.subarray(0, length))
  );
}

/** The number of files in memory at once. */
const AT_ONCE = 20;

async function readEach<T extends object>(
  git: Git,
  files: readonly StreamedFile[],
  find: (path: string, content: Buffer) => readonly T[],
): Promise<(T & { path: string; blob: string })[]> {
  using objects = openObjects(git);
  const found: (T & { path: string; blob: string })[] = [];
  for (let at = 0; at < files.length; at += AT_ONCE) {
    const some = await Promise.all(
      files.slice(at, at + AT_ONCE).map(async ({ path, blob }) => {
        const object = await objects.read(blob);
        return find(path, object?.content ?? Buffer.alloc(0)).map((one) => ({
          path,
          blob,
          ...one,
        }));
      }),
    );
    found.push(...some.flat());
  }
  return found;
}

/** Parses a pointer file: git-lfs, docs/spec.md. */
function findPointer(
  _path: string,
  content: Buffer,
): readonly { oid: string; size: number }[] {
  const [, oid, size] =
    /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n[^]*^oid sha256:([0-9a-f]{64})\nsize (\d+)$/m.exec(
      content.toString("utf8"),
    ) ?? [];
  return oid === undefined ? [] : [{ oid, size: Number(size) }];
}
