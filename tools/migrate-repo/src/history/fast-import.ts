import { mkdtemp, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { splitStream, streamGit, writeTo, type Git } from "@skein/git";

/** One path of a commit's tree: a tree or blob that exists already, or nothing. */
export interface TreeEntry {
  /** Six digits as git writes them; `040000` is a folder. */
  readonly mode: string;
  readonly id: string;
}

export interface ImportedCommit {
  readonly mark: number;
  readonly author: Buffer;
  readonly committer: Buffer;
  readonly encoding: string | undefined;
  readonly message: Buffer;
  /** `:mark` or a commit id, first parent first. */
  readonly parents: readonly string[];
  /** By path; undefined removes the path. */
  readonly entries: readonly (readonly [string, TreeEntry | undefined])[];
}

export interface ImportedTag {
  readonly name: string;
  /** `:mark` or an object id. */
  readonly target: string;
  /** The tagger line; undefined in very old tags. */
  readonly tagger: Buffer | undefined;
  readonly message: Buffer;
}

/** One run of `git fast-import`. Nothing is visible before `finish`; the quarantine's refs hold tags only. */
export interface FastImport {
  commit(commit: ImportedCommit): void;
  tag(tag: ImportedTag): void;
  /** Sends what was said so far, waiting while the pipe is full. */
  flush(): Promise<void>;
  /** Ends the run and answers with each mark's object id, in order of mark. @throws {GitError} */
  finish(): Promise<readonly string[]>;
}

/** All commits are made on one ref: what matters are their parents, and one ref keeps fast-import's memory flat. */
const WORK_REF = "refs/skein/import";

/** @param scratch a folder for the marks file */
export async function startFastImport(
  git: Git,
  scratch: string,
): Promise<FastImport> {
  const dir = await mkdtemp(join(scratch, "import-"));
  const marks = join(dir, "marks");
  const stream = streamGit(git, [
    "fast-import",
    "--quiet",
    "--force",
    // `done` makes a stream that was cut off an error instead of a short history.
    "--done",
    // Zones like +051800 exist in real histories; they are bytes to us.
    "--date-format=raw-permissive",
    `--export-marks=${marks}`,
  ]);
  stream.stdout.resume();
  // One character a byte: bytes of any charset pass unchanged, and strings cost less memory than thousands of buffers.
  let said = "";
  const text = (line: string) => {
    said += line;
  };
  const raw = (bytes: Buffer) => text(bytes.toString("latin1"));
  const data = (bytes: Buffer) => {
    text(`data ${bytes.length}\n`);
    raw(bytes);
    text("\n");
  };
  const flush = async () => {
    const bytes = said;
    said = "";
    await writeTo(stream.stdin, bytes, "latin1");
  };
  return {
    commit({ mark, author, committer, encoding, message, parents, entries }) {
      // Without this a commit with no `from` would continue from whatever came before it.
      if (parents.length === 0) text(`reset ${WORK_REF}\n`);
      text(`commit ${WORK_REF}\nmark :${mark}\nauthor `);
      raw(author);
      text("\ncommitter ");
      raw(committer);
      text(encoding === undefined ? "\n" : `\nencoding ${encoding}\n`);
      data(message);
      parents.forEach((parent, index) =>
        text(`${index === 0 ? "from" : "merge"} ${parent}\n`),
      );
      for (const [path, entry] of entries) {
        if (entry) text(`M ${entry.mode} ${entry.id} ${quotePath(path)}\n`);
        else text(`D ${quotePath(path)}\n`);
      }
      text("\n");
    },
    tag({ name, target, tagger, message }) {
      text(`tag ${Buffer.from(name).toString("latin1")}\nfrom ${target}\n`);
      if (tagger) {
        text("tagger ");
        raw(tagger);
        text("\n");
      }
      data(message);
    },
    flush,
    async finish() {
      text("done\n");
      await flush();
      stream.stdin.end();
      await stream.done;
      const ids: string[] = [];
      await using file = await open(marks);
      for await (const line of splitStream(
        file.createReadStream({ autoClose: false }),
        10,
      )) {
        const [mark = "", id = ""] = line.split(" ");
        ids[Number(mark.slice(1)) - 1] = id;
      }
      await rm(dir, { recursive: true, force: true });
      return ids;
    },
  };
}

/** C-style quoting, as fast-import reads paths; UTF-8, one character a byte. */
function quotePath(path: string): string {
  return `"${Buffer.from(path).toString("latin1").replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;
}
