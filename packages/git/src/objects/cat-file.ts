import { spawn, type ChildProcessByStdio } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { GitError, type Git } from "../git.js";
import { assertPipes } from "../has-pipes.js";

/** An object of the repository. */
export interface GitObject {
  readonly id: string;
  readonly type: "blob" | "tree" | "commit" | "tag";
  readonly content: Buffer;
}

/** A long-lived `git cat-file --batch`. It reads thousands of objects for the cost of one process. */
export interface ObjectReader extends Disposable {
  /**
   * Reads one object. Calls may overlap; answers arrive in the order of the calls.
   * @param name an object id, or `<commit>:<path>`; a name that contains a newline matches no object
   * @returns the object, or undefined if it doesn't exist
   */
  read(name: string): Promise<GitObject | undefined>;
  /** Ends the process, if no other reader uses it. Disposal does the same. */
  close(): void;
}

interface Waiting {
  readonly resolve: (object: GitObject | undefined) => void;
  readonly reject: (error: Error) => void;
}

interface Process {
  /** The names that were requested in this turn. They are written together. */
  asked: string;
  readonly spawned: ChildProcessByStdio<Writable, Readable, null>;
  readonly waiting: Waiting[];
}

/** The number of open readers of this git, and the process that they share after the first request. */
interface Shared {
  readers: number;
  process: Process | undefined;
}

const shared = new WeakMap<Git, Shared>();

/**
 * Opens a reader of objects in this repository. All readers of one `Git` that are open at a time share a process. It
 * starts with the first request, and ends when the last reader is closed.
 */
export function openObjects(git: Git): ObjectReader {
  const ours = shared.get(git) ?? { readers: 0, process: undefined };
  shared.set(git, ours);
  let open = false;
  const enter = () => {
    if (!open) ours.readers += 1;
    open = true;
  };
  enter();
  const close = () => {
    if (!open) return;
    open = false;
    ours.readers -= 1;
    if (ours.readers > 0) return;
    if (ours.process) flush(ours.process);
    ours.process?.spawned.stdin.end();
    ours.process = undefined;
  };
  return {
    read(name) {
      if (name.includes("\n")) return Promise.resolve(undefined);
      enter();
      const process = (ours.process ??= start(git));
      return new Promise((resolve, reject) => {
        process.waiting.push({ resolve, reject });
        if (process.asked === "") queueMicrotask(() => flush(process));
        process.asked += `${name}\n`;
      });
    },
    close,
    [Symbol.dispose]: close,
  };
}

function flush(process: Process): void {
  if (process.asked !== "") process.spawned.stdin.write(process.asked);
  process.asked = "";
}

function start(git: Git): Process {
  const waiting: Waiting[] = [];
  // --buffer is off: git writes each answer as soon as it is requested, so overlapping reads never deadlock.
  const args = ["cat-file", "--batch"];
  const spawned = spawn("git", args, {
    cwd: git.cwd,
    env: git.env,
    stdio: ["pipe", "pipe", "ignore"],
    windowsHide: true,
    ...(git.signal && { signal: git.signal }),
  });
  const parser = new BatchParser((object) => waiting.shift()?.resolve(object));
  assertPipes(spawned, args);
  const fail = (why: string) => {
    for (const { reject } of waiting.splice(0))
      reject(new GitError(args, undefined, why));
  };
  spawned.stdout.on("data", (chunk: Buffer) => parser.push(chunk));
  spawned.on("error", (error) => fail(error.message));
  spawned.on("close", () => fail("ended early"));
  spawned.stdin.on("error", () => undefined);
  return { asked: "", spawned, waiting };
}

/** Splits the stream of `--batch` answers (`<id> <type> <size>\n<content>\n`, or `<name> missing\n`) into objects. */
export class BatchParser {
  readonly #emit: (object: GitObject | undefined) => void;
  /** The chunks of an incomplete header, or of the incomplete content that follows the header. */
  #cut: Buffer[] = [];
  #length = 0;
  #header: { id: string; type: GitObject["type"]; size: number } | undefined;

  constructor(emit: (object: GitObject | undefined) => void) {
    this.#emit = emit;
  }

  push(chunk: Buffer): void {
    let rest = chunk;
    if (this.#length > 0) {
      const end = this.#header
        ? this.#header.size + 1 - this.#length
        : chunk.indexOf(10) + 1;
      // A large blob arrives in many chunks. They are joined once, when the blob is complete.
      if (end === 0 || end > chunk.length) {
        this.#keep(chunk);
        return;
      }
      // Only the incomplete part is joined: copying each chunk would double the time that reading a history takes.
      const joined = Buffer.concat([...this.#cut, chunk.subarray(0, end)]);
      this.#cut = [];
      this.#length = 0;
      this.#parse(joined);
      rest = chunk.subarray(end);
    }
    const left = this.#parse(rest);
    if (left.length > 0) this.#keep(left);
  }

  #keep(part: Buffer): void {
    this.#cut.push(part);
    this.#length += part.length;
  }

  /** @returns the bytes of the last, incomplete answer */
  #parse(bytes: Buffer): Buffer {
    let rest = bytes;
    for (;;) {
      if (!this.#header) {
        const end = rest.indexOf(10);
        if (end < 0) return rest;
        const words = rest.toString("utf8", 0, end).split(" ");
        rest = rest.subarray(end + 1);
        const [type, size] = words.slice(-2);
        if (words.length !== 3 || !/^\d+$/.test(size ?? "")) {
          this.#emit(undefined);
          continue;
        }
        this.#header = {
          id: words[0] ?? "",
          type: type as GitObject["type"],
          size: Number(size),
        };
      }
      const { id, type, size } = this.#header;
      if (rest.length < size + 1) return rest;
      this.#emit({ id, type, content: rest.subarray(0, size) });
      rest = rest.subarray(size + 1);
      this.#header = undefined;
    }
  }
}
