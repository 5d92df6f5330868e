import {
  constants,
  copyFile,
  mkdir,
  open,
  rename,
  rm,
  rmdir,
} from "node:fs/promises";
import { dirname } from "node:path";
import {
  openGit,
  parseStatusV2,
  prepareRefs,
  STATUS_ARGS,
  type Git,
} from "@skein/git";
import { Failure } from "@skein/reporting";
import type { TargetFacts } from "../survey/target.js";
import {
  exists,
  moveBack,
  moveFile,
  moveForward,
  sameBytes,
} from "./file-moves.js";
import type { Landing } from "./journal.js";
import { refsMade } from "./refs-made.js";
import { lockOf } from "./stage.js";
import { removeStaleLocks } from "./stale-locks.js";

/**
 * Lands: objects first (nobody sees them), then, with all refs and the index locked, the files, the refs and the index,
 * each by renaming what is ready. Between two steps, and within one, a kill leaves a state that `landForward` and
 * `landBack` both know; each step is done only as far as it has not been done.
 * @param checkpoint called with the name of each step before it; a test kills there
 * @throws {Failure} when the workspace has changed meanwhile; nothing has moved then
 */
export async function landForward(
  target: TargetFacts,
  landing: Landing,
  checkpoint: (step: string) => void,
): Promise<void> {
  const { git } = target;
  checkpoint("objects");
  await moveObjects(landing);
  checkpoint("prepare");
  const made = await refsMade(git, landing.refs);
  const refs = await prepareRefs(
    git,
    landing.refs.filter((update) => !made.includes(update)),
    landing.message,
  );
  try {
    checkpoint("lock");
    await lockIndex(landing);
    if (made.length === 0) await assertUntouched(git, landing);
    for (const move of landing.moves) {
      checkpoint("files");
      await moveForward(move);
    }
    checkpoint("refs");
  } catch (error) {
    // Its locks would keep the way back, and whatever this process does next, from the refs.
    await refs.abort();
    throw error;
  }
  try {
    await refs.commit();
  } catch (error) {
    // All were locked by this git: where it was killed, nobody else removes them.
    await removeStaleLocks(target, landing);
    throw error;
  }
  checkpoint("index");
  await rename(lockOf(landing.index.path), landing.index.path);
  await removeEmptied(landing);
  checkpoint("done");
}

/** As git does: a folder goes with its last file. */
async function removeEmptied({ moves, topLevel }: Landing): Promise<void> {
  const folders = new Set<string>();
  for (const { kind, path } of moves) {
    if (kind !== "remove") continue;
    for (let at = dirname(path); at !== topLevel; at = dirname(at))
      folders.add(at);
  }
  // Those within first; one that holds something else stays.
  for (const folder of [...folders].sort().reverse())
    await rmdir(folder).catch(() => undefined);
}

/** Takes a landing back, wherever it was killed. @throws {Failure} when that would lose work of the user's */
export async function landBack(git: Git, landing: Landing): Promise<void> {
  await assertNothingLost(git, landing);
  const made = await refsMade(git, landing.refs);
  const back = await prepareRefs(
    git,
    made.map((update) => ({
      ref: update.ref,
      old: update.new,
      new: update.old,
    })),
    "migrate-repo: abort",
  );
  await back.commit();
  for (const move of landing.moves.toReversed()) await moveBack(move);
  await copyFile(landing.index.before, `${landing.index.prepared}.back`);
  await rm(lockOf(landing.index.path), { force: true });
  await rename(`${landing.index.prepared}.back`, landing.index.path);
  await removeObjects(git, landing);
}

/** Moves new objects into the target's database, where nothing refers to them yet. */
export async function moveObjects({
  objects,
}: Pick<Landing, "objects">): Promise<void> {
  for (const { from, to } of objects) {
    if (!(await exists(from)) || (await exists(to))) continue;
    await mkdir(dirname(to), { recursive: true });
    await moveFile(from, to);
  }
  for (const dir of new Set(objects.map(({ to }) => dirname(to)))) {
    // So that a power loss cannot keep the refs and lose the objects.
    await using handle = await open(dir);
    await handle.sync();
  }
}

async function lockIndex({ index }: Landing): Promise<void> {
  const lock = lockOf(index.path);
  try {
    await copyFile(index.prepared, lock, constants.COPYFILE_EXCL);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    if (await sameBytes(lock, index.prepared)) return;
    throw new Failure("another git process has locked the index", {
      hint: `if none is running, remove ${lock}; then: migrate-repo continue, or migrate-repo abort`,
    });
  }
}

/** What we are about to replace must still be what the plan was made from. */
async function assertUntouched(git: Git, landing: Landing): Promise<void> {
  const started = (
    await Promise.all(
      landing.moves.map(
        async (move) => move.kind !== "remove" && !(await exists(move.staged)),
      ),
    )
  ).some(Boolean);
  const sameIndex = await sameBytes(landing.index.path, landing.index.before);
  const replaced = landing.moves.filter(({ kind }) => kind !== "place");
  const dirty =
    !started &&
    replaced.length > 0 &&
    (
      await editedSince(
        git,
        replaced.map(({ path }) => path.slice(landing.topLevel.length + 1)),
      )
    ).length > 0;
  if (!sameIndex || dirty) {
    await rm(lockOf(landing.index.path), { force: true });
    throw new Failure(
      "the workspace was changed while the migration was prepared",
      { hint: "commit or stash what you changed, and start again" },
    );
  }
}

/** Edits made since the kill live in files that a way back takes away. */
async function assertNothingLost(git: Git, landing: Landing): Promise<void> {
  const edited = await editedFiles(git, landing);
  if (edited.length === 0) return;
  throw new Failure(
    `aborting would lose changes made since: ${edited.slice(0, 5).join(", ")}`,
    {
      hint: "finish with `migrate-repo continue`, or move those files away first",
    },
  );
}

async function editedFiles(
  git: Git,
  landing: Landing,
): Promise<readonly string[]> {
  const placed: string[] = [];
  for (const move of landing.moves) {
    if (move.kind !== "remove" && !(await exists(move.staged)))
      placed.push(move.path.slice(landing.topLevel.length + 1));
  }
  if (placed.length === 0) return [];
  const withIndex = openGit({
    cwd: landing.topLevel,
    env: { ...git.env, GIT_INDEX_FILE: landing.index.prepared },
  });
  const [changed, others] = await Promise.all([
    editedSince(withIndex, placed),
    withIndex.run(["ls-files", "-z", "--others", "--", ...placed]),
  ]);
  const unknown = others.stdout.toString().split("\0");
  return [...changed, ...unknown].filter((path) => path !== "");
}

/** Files that differ from the index. By their content: renaming one in place changes its times, and `diff-files` asks no more. */
async function editedSince(
  git: Git,
  paths: readonly string[],
): Promise<readonly string[]> {
  const { stdout } = await git.run([...STATUS_ARGS, "--", ...paths]);
  return parseStatusV2(stdout)
    .entries.filter(({ origin }) => origin === "unstaged")
    .map(({ path }) => path);
}

/**
 * Takes the new objects out again, if nothing needs them by now: a commit made since may share one. What is left is
 * what `git gc` clears away.
 */
export async function removeObjects(
  git: Git,
  { objects }: Pick<Landing, "objects">,
): Promise<void> {
  const arrived = [];
  for (const object of objects.toReversed()) {
    if ((await exists(object.to)) && !(await exists(object.from)))
      arrived.push(object);
  }
  for (const { from, to } of arrived) {
    await mkdir(dirname(from), { recursive: true });
    await moveFile(to, from);
  }
  const whole = await git.run(
    ["rev-list", "--objects", "--quiet", "--all", "--indexed-objects"],
    { answers: [0, 1, 128] },
  );
  if (whole.exitCode === 0) return;
  for (const { from, to } of arrived.toReversed()) await moveFile(from, to);
}
