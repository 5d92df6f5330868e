import { streamGit, type Git } from "@skein/git";

/** A file of some commit. Its path is that in the first tree that has it. */
export interface StreamedFile {
  readonly path: string;
  readonly blob: string;
  /** In bytes. */
  readonly size: number;
}

/**
 * Streams every file of a history once, name and content, through `rev-list | cat-file --batch`. This process never
 * holds a whole file in memory.
 * @param wanted revisions, one on each line, as for `git rev-list --stdin`
 * @param onPiece called with each part of a file as it arrives; an empty file has one empty part
 * @throws {GitError} also if an object is missing
 */
export async function streamFiles(
  git: Git,
  wanted: string,
  onPiece: (file: StreamedFile, piece: Buffer, isLast: boolean) => void,
): Promise<void> {
  // Git prints only the files, but walks every tree, which also proves that none is missing.
  const list = streamGit(git, [
    "rev-list",
    "--objects",
    "--filter=object:type=blob",
    "--filter-provided-objects",
    "--stdin",
  ]);
  const read = streamGit(git, [
    "cat-file",
    "--buffer",
    "--batch=%(objectsize) %(objectname) %(rest)",
  ]);
  list.stdin.end(wanted);
  list.stdout.pipe(read.stdin);
  const cut = new PieceCutter(onPiece);
  try {
    for await (const chunk of read.stdout) cut.push(chunk as Buffer);
    await Promise.all([list.done, read.done]);
  } finally {
    list.kill();
    read.kill();
  }
}

/** Splits `<size> <id> <path>\n<content>\n…` into files, without joining parts. */
class PieceCutter {
  readonly #onPiece: (
    file: StreamedFile,
    piece: Buffer,
    isLast: boolean,
  ) => void;
  /** The beginning of a header that was split. */
  #header: Buffer = Buffer.alloc(0);
  #file: StreamedFile | undefined;
  /** The number of remaining bytes of the file, including the newline after it. */
  #left = 0;

  constructor(
    onPiece: (file: StreamedFile, piece: Buffer, isLast: boolean) => void,
  ) {
    this.#onPiece = onPiece;
  }

  push(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) {
      if (!this.#file) {
        const end = rest.indexOf(10);
        if (end < 0) {
          this.#header = Buffer.concat([this.#header, rest]);
          return;
        }
        this.#begin(Buffer.concat([this.#header, rest.subarray(0, end)]));
        rest = rest.subarray(end + 1);
        continue;
      }
      const piece = rest.subarray(0, this.#left - 1);
      const isLast = rest.length >= this.#left;
      // The newline isn't part of the file; an empty file still gets a part.
      if (piece.length > 0 || (isLast && this.#file.size === 0))
        this.#onPiece(this.#file, piece, piece.length === this.#left - 1);
      const taken = Math.min(rest.length, this.#left);
      this.#left -= taken;
      rest = rest.subarray(taken);
      if (this.#left === 0) this.#file = undefined;
    }
  }

  #begin(header: Buffer): void {
    const line = header.toString("utf8");
    const [, size = "", blob = "", path = ""] =
      /^(\d+) ([0-9a-f]+) ?([^]*)$/.exec(line) ?? [];
    if (blob === "") throw new Error(`git cat-file cannot read ${line}`);
    this.#header = Buffer.alloc(0);
    this.#file = { path, blob, size: Number(size) };
    this.#left = this.#file.size + 1;
  }
}
