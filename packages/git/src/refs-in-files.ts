import { lstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";

/** The state of the files that git's answers about two refs depend on. */
export interface RefState {
  /** A key that changes when any part of the state changes. */
  readonly key: string;
  /** The commit that HEAD names. */
  readonly head: string;
  /** The commit that the other ref names. */
  readonly other: string;
}

/** The maximum size of `packed-refs` in bytes. Above it, running git is as fast. */
const LARGE = 4_000_000;

/** Files besides refs that git's answers depend on. */
const OTHERS = ["config", "config.worktree", "commondir", "shallow"];

/**
 * Reads the commits of HEAD and of another ref as git does if refs are files (gitrepository-layout(5)): from a loose
 * file, else from a line of `packed-refs`. It also reads everything else that git's answers about the two commits
 * depend on: the format of the repository, and the commits at which its history was cut.
 * @param gitDir of a plain clone, not of a linked worktree
 * @param ref a full name
 * @returns undefined if the refs don't exist, may be stored elsewhere, or commits may be replaced by others
 * @throws if a file has another form than in usual clones; the state is then unknown too
 */
export function readRefState(
  gitDir: string,
  ref: string,
): RefState | undefined {
  const { ino, dev } = statSync(gitDir);
  if (["reftable", "info/grafts"].some((name) => stateOf(join(gitDir, name))))
    return undefined;
  const replaced = join(gitDir, "refs/replace");
  if (stateOf(replaced) && readdirSync(replaced).length > 0) return undefined;
  const packed = read(gitDir, "packed-refs") ?? Buffer.alloc(0);
  if (packed.length > LARGE || packed.includes(" refs/replace/"))
    return undefined;
  const head = resolve(gitDir, packed, "HEAD");
  const other = resolve(gitDir, packed, ref);
  const headId = head?.at(-1);
  const otherId = other?.at(-1);
  if (headId === undefined || otherId === undefined) return undefined;
  const others = OTHERS.map((name) => {
    const bytes = read(gitDir, name);
    // The checksum instead of the content: a config may contain a password.
    return bytes && [bytes.length, crc32(bytes)];
  });
  return {
    key: JSON.stringify([gitDir, ino, dev, head, other, others]),
    head: headId,
    other: otherId,
  };
}

/** The maximum number of symbolic refs to follow, as in git. */
const STEPS = 5;

/** Returns the chain of names that a ref refers to, with the id at the end. */
function resolve(
  gitDir: string,
  packed: Buffer,
  ref: string,
): readonly string[] | undefined {
  const names = [ref];
  for (let name = ref; names.length <= STEPS;) {
    const text = read(gitDir, name)?.toString("utf8") ?? line(packed, name);
    if (text === undefined) return undefined;
    const id = /^([0-9a-f]{40}|[0-9a-f]{64})\n$/.exec(text)?.[1];
    if (id !== undefined) return [...names, id];
    const next = /^ref: (refs\/\S+)\n$/.exec(text)?.[1];
    if (next === undefined || /(?:^|\/)\.\.?(?:\/|$)/.test(next))
      return undefined;
    names.push(next);
    name = next;
  }
  return undefined;
}

/** Returns the id and line end that `packed-refs` has for a ref, in the form of a loose file. */
function line(packed: Buffer, name: string): string | undefined {
  const end = packed.indexOf(` ${name}\n`);
  if (end < 0) return undefined;
  const start = packed.lastIndexOf(10, end) + 1;
  return `${packed.toString("latin1", start, end)}\n`;
}

function stateOf(path: string) {
  return lstatSync(path, { throwIfNoEntry: false });
}

/** @throws if it isn't a plain file: a symlink's target would matter too */
function read(gitDir: string, name: string): Buffer | undefined {
  const path = join(gitDir, name);
  const state = stateOf(path);
  if (!state) return undefined;
  if (!state.isFile()) throw new Error(`${path} isn't a file`);
  return readFileSync(path);
}
