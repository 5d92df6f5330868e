import { rm } from "node:fs/promises";
import { join } from "node:path";
import { openObjects, withEnv, type Git } from "@skein/git";

/** A file of a tree. */
export interface TreeFile {
  readonly path: string;
  /** Six digits: `100644`, `100755`, `120000` (symlink), `160000` (submodule). */
  readonly mode: string;
  readonly id: string;
}

/** A tree to look at. Paths are from its top, `/` between their parts. */
export interface TreeView {
  /** Files at or below a path, in git's order; `""` is everything. */
  list(under: string): Promise<readonly TreeFile[]>;
  /** A file's bytes (a symlink's target); undefined where there is none. */
  read(path: string): Promise<Buffer | undefined>;
  /** A listed file's bytes: cheaper than by path, for many. Undefined for a submodule. */
  content(file: TreeFile): Promise<Buffer | undefined>;
  /** One file; undefined where there is none. */
  stat(path: string): Promise<TreeFile | undefined>;
}

/** A tree that can be changed without a working tree: what was written shows at once, and `save` makes it a git tree. */
export interface Draft extends TreeView {
  /** @param mode default: the mode it has, or `100644` */
  write(path: string, content: Buffer | string, mode?: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Puts a whole tree below a path where nothing is. */
  place(path: string, tree: string): Promise<void>;
  /** Puts one file that git has already. */
  link(path: string, file: Omit<TreeFile, "path">): Promise<void>;
  /** Writes the tree. @returns its id */
  save(): Promise<string>;
  /** Writes the files into an empty folder, as they are: no filter program, no line ends of anybody's settings. */
  checkOut(dir: string): Promise<void>;
  /** Closes what is open and removes the temporary index. */
  close(): Promise<void>;
}

/**
 * Opens a draft of a tree in a temporary index.
 * @param git where objects are read and written: the quarantine
 * @param tree a tree or commit id
 * @param scratch a folder for the index
 * @param label part of the index's file name; one draft per label at a time
 */
export async function openDraft(
  git: Git,
  tree: string,
  scratch: string,
  label: string,
): Promise<Draft> {
  const file = join(scratch, `index-${label}`);
  const index = withEnv(git, { GIT_INDEX_FILE: file });
  await index.run(["read-tree", tree]);
  const objects = openObjects(git);

  const list = async (under: string): Promise<readonly TreeFile[]> => {
    const { stdout } = await index.run([
      "ls-files",
      "-z",
      "--stage",
      "--",
      ...(under === "" ? [] : [under]),
    ]);
    return parseStaged(stdout.toString("utf8"));
  };
  const stat = async (path: string) =>
    (await list(path)).find((entry) => entry.path === path);
  const update = async (mode: string, id: string, path: string) => {
    await index.run(["update-index", "-z", "--index-info"], {
      input: `${mode} ${id}\t${path}\0`,
    });
  };

  const content = async ({ mode, id }: TreeFile) =>
    mode === "160000" ? undefined : (await objects.read(id))?.content;

  return {
    list,
    stat,
    content,
    async read(path) {
      const entry = await stat(path);
      return entry && content(entry);
    },
    async write(path, content, mode) {
      const kept = mode ?? (await stat(path))?.mode ?? "100644";
      const { stdout } = await git.run(["hash-object", "-w", "--stdin"], {
        input: content,
      });
      await update(kept, stdout.toString().trim(), path);
    },
    async remove(path) {
      const entry = await stat(path);
      if (entry) await update("0", "0".repeat(entry.id.length), path);
    },
    async place(path, tree) {
      // -i: the index alone, for there is no working tree.
      await index.run(["read-tree", "-i", `--prefix=${path}/`, tree]);
    },
    link: (path, entry) => update(entry.mode, entry.id, path),
    save: async () =>
      (await index.run(["write-tree"])).stdout.toString().trim(),
    async checkOut(dir) {
      const bare = withEnv(
        index,
        {
          GIT_WORK_TREE: dir,
          GIT_CONFIG_GLOBAL: "/dev/null",
          GIT_CONFIG_NOSYSTEM: "1",
        },
        dir,
      );
      await bare.run(["checkout-index", "--all"]);
    },
    async close() {
      objects.close();
      await rm(file, { force: true });
    },
  };
}

/** Parses `git ls-files -z --stage`: `<mode> <id> <stage>\t<path>\0`. */
function parseStaged(text: string): readonly TreeFile[] {
  return text
    .split("\0")
    .filter((line) => line !== "")
    .map((line) => ({
      mode: line.slice(0, 6),
      id: line.slice(7, line.indexOf(" ", 7)),
      path: line.slice(line.indexOf("\t") + 1),
    }));
}
