import { copyFile, lstat, mkdir, readdir, rm, stat } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import {
  splitNul,
  configEnv,
  DIFF_RAW_ARGS,
  isObjectId,
  parseDiffRaw,
  withEnv,
  withoutRepository,
  openGit,
  type Git,
  type RefUpdate,
} from "@skein/git";
import { Failure, some } from "@skein/reporting";
import type { Quarantine } from "../quarantine/quarantine.js";
import type { TargetFacts } from "../survey/target.js";
import type { FileMove, Landing } from "./journal.js";

export interface StageRequest extends StageFilesRequest {
  readonly refs: readonly RefUpdate[];
  readonly message: string;
}

/**
 * Prepares a landing outside the working tree: the new files, checked out in the quarantine's folder, the new index,
 * and the list of all moves. It reads the target and doesn't change it.
 */
export async function stageLanding({
  refs,
  message,
  ...request
}: StageRequest): Promise<Landing> {
  return completeLanding(await stageFiles(request), request, refs, message);
}

export interface StageFilesRequest {
  readonly target: TargetFacts;
  readonly quarantine: Quarantine;
  readonly newHead: string;
}

/** The part of a landing that is known as soon as the branch's new commit exists. */
export type StagedFiles = Omit<Landing, "refs" | "message" | "objects">;

/**
 * Adds the parts that were unknown when the files were staged: the refs, and all objects that the quarantine has by
 * now.
 */
export async function completeLanding(
  files: StagedFiles,
  { quarantine, target }: Pick<StageFilesRequest, "quarantine" | "target">,
  refs: readonly RefUpdate[],
  message: string,
): Promise<Landing> {
  const objects = await newObjects(quarantine, target.objects);
  return { ...files, refs, message, objects };
}

/** Prepares the files and the index of a landing. Other parts of the migration may be built at the same time. */
export async function stageFiles({
  target,
  quarantine,
  newHead,
}: StageFilesRequest): Promise<StagedFiles> {
  const { topLevel, head: oldHead, branch } = target;
  if (topLevel === undefined || oldHead === undefined || branch === undefined)
    throw new Error("a landing needs a branch that is checked out");
  const tree = join(quarantine.scratch, "tree");
  const backups = join(quarantine.scratch, "backups");
  const prepared = join(quarantine.scratch, "index-prepared");
  const before = join(quarantine.scratch, "index-before");
  await mkdir(tree, { recursive: true });
  await mkdir(backups, { recursive: true });
  const [git] = await Promise.all([
    stagingGit(target, quarantine, tree, prepared),
    copyFile(target.index, before),
    copyFile(target.index, prepared),
  ]);
  const [{ stdout }] = await Promise.all([
    git.run([...DIFF_RAW_ARGS, oldHead, newHead]),
    // -i: update only the index, without comparing it with the files in the working tree.
    git.run(["read-tree", "-i", "-m", oldHead, newHead]),
  ]);
  const changes = parseDiffRaw(stdout);
  await refuseHidden(
    openGit({ cwd: topLevel, env: withoutRepository(target.git.env) }),
    changes.flatMap(({ path, kind }) => (kind === "added" ? [] : [path])),
  );
  const written = changes.filter(({ kind }) => kind !== "deleted");
  await git.run(["checkout-index", "-u", "-z", "--stdin"], {
    input: written.map(({ path }) => `${path}\0`).join(""),
  });
  const moves = new Map<string, FileMove>();
  /** Later paths below a new folder move with it; they follow it in the list. */
  let newFolder: string | undefined;
  for (const [index, { path, kind }] of changes.entries()) {
    const backup = join(backups, String(index));
    const absolute = join(topLevel, path);
    const staged = join(tree, path);
    if (kind === "deleted")
      moves.set(absolute, { kind: "remove", path: absolute, backup });
    else if (kind !== "added")
      moves.set(absolute, { kind: "replace", staged, path: absolute, backup });
    else if (newFolder === undefined || !absolute.startsWith(newFolder)) {
      const top = await newTop(topLevel, path);
      newFolder = `${top}${sep}`;
      moves.set(top, {
        kind: "place",
        staged: join(tree, top.slice(topLevel.length + 1)),
        path: top,
      });
    }
  }
  return {
    topLevel,
    branch,
    oldHead,
    newHead,
    moves: [...moves.values()],
    index: { path: target.index, prepared, before },
  };
}

/**
 * Refuses to replace files that the user has hidden from git: their changes are in no status, and would be lost.
 * @param git in the top-level folder
 * @param paths files that the landing replaces or removes
 */
async function refuseHidden(git: Git, paths: readonly string[]): Promise<void> {
  const { stdout } = await git.run(["ls-files", "-v", "-z"]);
  const flagged = new Set(
    // A small letter means assume-unchanged, S means skip-worktree.
    splitNul(stdout).flatMap(
      (line) => /^(?:[a-z]|S) ([^]+)$/.exec(line)?.[1] ?? [],
    ),
  );
  const hidden = paths.filter((path) => flagged.has(path));
  if (hidden.length === 0) return;
  throw new Failure(
    `git does not look at ${some(hidden)} (assume-unchanged or skip-worktree), so changes in it would be lost`,
    {
      hint: "let git look at it: git update-index --no-assume-unchanged --no-skip-worktree FILE; the workspace is as it was",
    },
  );
}

/** Opens git with the target's settings and the quarantine's objects, and without filter programs. */
async function stagingGit(
  target: TargetFacts,
  quarantine: Quarantine,
  tree: string,
  index: string,
): Promise<Git> {
  const env = {
    ...withoutRepository(target.git.env),
    GIT_DIR: target.gitDir,
    GIT_WORK_TREE: tree,
    GIT_INDEX_FILE: index,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: quarantine.objects,
  };
  return withoutFilters(openGit({ cwd: tree, env }), target.git);
}

/**
 * Returns a git that runs none of the filter programs in a workspace's settings. @param workspace git in the workspace
 */
export async function withoutFilters(git: Git, workspace: Git): Promise<Git> {
  const { stdout } = await workspace.run(
    ["config", "-z", "--name-only", "--get-regexp", String.raw`^filter\.`],
    { answers: [0, 1] },
  );
  const drivers = new Set(
    splitNul(stdout).flatMap(
      (key) => /^(filter\..+)\.[^.]+$/.exec(key)?.slice(1) ?? [],
    ),
  );
  const off = Object.fromEntries(
    [...drivers].flatMap((driver) => [
      [`${driver}.smudge`, ""],
      [`${driver}.process`, ""],
      [`${driver}.required`, "false"],
    ]),
  ) as Record<string, string>;
  return withEnv(
    git,
    configEnv(git.env, { ...off, "core.splitIndex": "false" }),
  );
}

/** Returns the topmost folder on the path of a new file that doesn't exist yet (or is empty), or the file itself. */
async function newTop(topLevel: string, path: string): Promise<string> {
  const parts = path.split("/");
  for (let depth = 1; depth < parts.length; depth++) {
    const at = join(topLevel, ...parts.slice(0, depth));
    const stats = await lstat(at).catch(() => undefined);
    if (!stats) return at;
    if (stats.isDirectory() && (await readdir(at)).length === 0) return at;
  }
  return join(topLevel, path);
}

/**
 * Returns files of the quarantine's object database that the target lacks. An index comes after its pack, as in git.
 * Loose objects are packed first: a pack can be protected from `git gc`, a loose object can't.
 */
export async function newObjects(
  { git, objects: from }: Pick<Quarantine, "git" | "objects">,
  to: string,
): Promise<Landing["objects"]> {
  const found = await filesBelow(from);
  const loose = found.flatMap((file) => {
    const id = file.slice(from.length).split(sep).join("");
    return isObjectId(id) ? [{ id, file }] : [];
  });
  if (loose.length > 0) {
    await git.run(["pack-objects", "-q", join(from, "pack", "pack")], {
      input: loose.map(({ id }) => `${id}\n`).join(""),
    });
    await Promise.all(loose.map(({ file }) => rm(file)));
  }
  const files = loose.length > 0 ? await filesBelow(from) : found;
  return Promise.all(
    files
      .sort((a, b) => Number(a.endsWith(".idx")) - Number(b.endsWith(".idx")))
      .map(async (file) => ({
        from: file,
        to: join(to, file.slice(from.length + 1)),
        written: (await stat(file)).mtimeMs,
      })),
  );
}

async function filesBelow(objects: string): Promise<string[]> {
  const found = await readdir(objects, {
    recursive: true,
    withFileTypes: true,
  });
  return found
    .filter((entry) => entry.isFile() && !entry.name.startsWith("tmp_"))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.startsWith(join(objects, "info")));
}

/** Returns the path of an index's lock file. */
export function lockOf(index: string): string {
  return join(dirname(index), "index.lock");
}
