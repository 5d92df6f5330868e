import { lstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";

/** The files that git's answers about two refs depend on. */
export interface RefState {
  /** Another one where anything of it is another. */
  readonly key: string;
  /** The commit that HEAD names. */
  readonly head: string;
  /** The commit that the other ref names. */
  readonly other: string;
}

/** Bytes of `packed-refs` from which on asking git takes no longer. */
const LARGE = 4_000_000;

/** Files that what git says depends on, besides refs. */
const OTHERS = ["config", "config.worktree", "commondir", "shallow"];

/**
 * Reads what HEAD and another ref name, as git does where refs are files (gitrepository-layout(5)): a loose file first,
 * else a line of `packed-refs`; with all else that what git says of the two commits depends on: the format of the
 * repository, where its history is cut off.
 * @param gitDir of a plain clone: not of a linked worktree
 * @param ref by its full name
 * @returns undefined where the refs are not there, may be elsewhere, or commits may be replaced by others
 * @throws where something is not what it is in every clone: then nothing is known either
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
    // Not the content itself: a config may hold a password.
    return bytes && [bytes.length, crc32(bytes)];
  });
  return {
    key: JSON.stringify([gitDir, ino, dev, head, other, others]),
    head: headId,
    other: otherId,
  };
}

/** Git follows as many. */
const STEPS = 5;

/** Returns the names that a ref stands for one after the other, and the id at the end. */
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

/** The id and the end of a line that `packed-refs` has for a ref, as its loose file would say it. */
function line(packed: Buffer, name: string): string | undefined {
  const end = packed.indexOf(` ${name}\n`);
  if (end < 0) return undefined;
  const start = packed.lastIndexOf(10, end) + 1;
  return `${packed.toString("latin1", start, end)}\n`;
}

function stateOf(path: string) {
  return lstatSync(path, { throwIfNoEntry: false });
}

/** @throws where it is no plain file: what a symlink is called would matter too */
function read(gitDir: string, name: string): Buffer | undefined {
  const path = join(gitDir, name);
  const state = stateOf(path);
  if (!state) return undefined;
  if (!state.isFile()) throw new Error(`${path} is no file`);
  return readFileSync(path);
}
