import { mkdir } from "node:fs/promises";
import { splitNul, configEnv, withEnv, type Git } from "@skein/git";
import { prepareRefs } from "@skein/git/ref-transaction";
import { ExitCode, Failure, printable } from "@skein/reporting";
import type { JournalFile, Merging } from "../landing/journal.js";
import {
  moveObjects,
  releaseObjects,
  removeObjects,
} from "../landing/land-objects.js";
import { refsMade } from "../landing/refs-made.js";
import { removeStaleLocks } from "../landing/stale-locks.js";
import { isAncestor } from "../survey/commits.js";
import type { TargetFacts } from "../survey/target.js";
import { conflictsEvent, landedEvent } from "../words/events.js";
import type { MigrateWorld } from "../world.js";
import { abortWhole, removeMergeLeftovers, stageAgain } from "./abort-merge.js";

/**
 * Leaves a merge with conflicts in the working tree, exactly as `git merge` does, so that people and their editors know
 * how to resolve it. The tree was clean before, so an abort can restore it exactly.
 * @param settled paths that the clean-up removed; they stay removed even if the source has changed them
 */
export async function beginMerge(
  target: TargetFacts,
  merging: Merging,
  settled: readonly string[],
): Promise<void> {
  await moveObjects(merging);
  const git = quiet(target.git);
  await git.run(
    [
      "merge",
      "--no-ff",
      "--no-commit",
      "-m",
      merging.message,
      merging.mergeHead,
    ],
    { answers: [0, 1] },
  );
  const { stdout } = await git.run([
    "diff",
    "--name-only",
    "-z",
    "--diff-filter=U",
  ]);
  const removed = splitNul(stdout).filter((path) => settled.includes(path));
  if (removed.length > 0)
    await git.run(["rm", "--quiet", "--force", "--", ...removed]);
}

/** Commits the resolved merge and moves the refs that wait for it. */
export async function continueMerge(
  world: MigrateWorld,
  target: TargetFacts,
  file: JournalFile,
  { name, merging }: { readonly name: string; readonly merging: Merging },
): Promise<number> {
  const git = quiet(target.git);
  if (!(await isCommitted(git, merging))) {
    if ((await mergeHeadOf(git)) !== merging.mergeHead)
      throw new Failure("the merge is no longer in the working tree", {
        hint: "roll back the rest with `migrate-repo abort`, and sync again",
      });
    const { stdout } = await git.run(["ls-files", "-z", "--unmerged"]);
    const open = new Set(
      splitNul(stdout).map((line) => line.slice(line.indexOf("\t") + 1)),
    );
    if (open.size > 0) {
      world.print("", conflictsEvent([...open]));
      world.stderr.write(
        `migrate-repo: conflicts remain in ${[...open].map(printable).join(", ")}\nhint: resolve them, \`git add\` them, then: migrate-repo continue; or: migrate-repo abort\n`,
      );
      return ExitCode.Bad;
    }
    await git.run(["commit", "--quiet", "--no-verify", "--no-edit"]);
  }
  await removeStaleLocks(target, merging);
  const made = await refsMade(target.git, merging.refs);
  const refs = await prepareRefs(
    target.git,
    merging.refs.filter((update) => !made.includes(update)),
    merging.message,
  );
  await refs.commit();
  await releaseObjects(merging);
  await file.end();
  const head = await git.run(["rev-parse", "HEAD"]);
  world.print(
    "Finished: the merge is committed, and the record is updated.\n",
    landedEvent(name, head.stdout.toString().trim()),
  );
  return ExitCode.Ok;
}

/**
 * Removes the merge from the working tree.
 * @param scratch folder of the migration
 * @throws {Failure} if the merge has been committed
 */
export async function abortMerge(
  target: TargetFacts,
  merging: Merging,
  scratch: string,
): Promise<void> {
  const git = quiet(target.git);
  if (await isCommitted(git, merging))
    throw new Failure("the merge is committed already", {
      hint: `finish with \`migrate-repo continue\`; or go back first: git reset --keep ${merging.head.slice(0, 12)}`,
    });
  const place = { git, topLevel: git.cwd, scratch };
  await mkdir(scratch, { recursive: true });
  if ((await mergeHeadOf(git)) === merging.mergeHead)
    await abortWhole(place, merging);
  else if (target.head === merging.head) {
    await stageAgain(place);
    await removeMergeLeftovers(place, merging);
  }
  await removeObjects(target.git, merging, target.objects, scratch);
}

function isCommitted(git: Git, { mergeHead }: Merging): Promise<boolean> {
  return isAncestor(git, mergeHead, "HEAD");
}

async function mergeHeadOf(git: Git): Promise<string | undefined> {
  const { stdout, exitCode } = await git.run(
    ["rev-parse", "--verify", "--quiet", "MERGE_HEAD"],
    { answers: [0, 1, 128] },
  );
  return exitCode === 0 ? stdout.toString().trim() : undefined;
}

/** Returns a git that guesses no folder renames, records no resolutions, and starts no garbage collection. */
function quiet(git: Git): Git {
  return withEnv(
    git,
    configEnv(git.env, {
      // It would run in the background, concurrently with the next steps.
      "gc.auto": "0",
      "maintenance.auto": "false",
      "merge.directoryRenames": "false",
      "rerere.enabled": "false",
    }),
  );
}
