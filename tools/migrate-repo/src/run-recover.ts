import { ExitCode, Failure } from "@skein/reporting";
import {
  openJournal,
  type Journal,
  type JournalFile,
} from "./landing/journal.js";
import { landBack, landForward } from "./landing/land.js";
import { removeStaleLocks } from "./landing/stale-locks.js";
import { landedEvent, takenBackEvent } from "./render-json.js";
import { tellWords } from "./tell.js";
import { abortMerge, continueMerge } from "./sync/merge-in-progress.js";
import { surveyTarget, type TargetFacts } from "./survey/target.js";
import type { MigrateWorld } from "./world.js";

interface Unfinished {
  readonly target: TargetFacts;
  readonly file: JournalFile;
  readonly journal: Journal;
}

/**
 * Goes on with what was killed: a landing is finished; what had not begun to land is done again from the start, because
 * nothing of it is in the repository.
 * @param again runs the command that was typed
 */
export async function runContinue(
  world: MigrateWorld,
  again: (argv: readonly string[]) => Promise<number>,
): Promise<number> {
  const { target, file, journal } = await findUnfinished(world);
  if (journal.stage.kind === "building") {
    await file.end();
    return again(journal.argv);
  }
  if (journal.stage.kind === "merging")
    return continueMerge(world, target, file, {
      name: journal.name,
      merging: journal.stage.merging,
    });
  const { landing } = journal.stage;
  await removeStaleLocks(target, landing);
  await landForward(target, landing, world.checkpoint);
  await file.end();
  world.tell(
    `Finished: ${journal.name} is in the workspace, at ${landing.newHead.slice(0, 12)}.\n`,
    landedEvent(journal.name, landing.newHead),
  );
  return ExitCode.Ok;
}

/**
 * Finishes a landing that was killed, so that a manifest can go on; what was only built is forgotten, its turn comes
 * again.
 */
export async function recoverIfNeeded(world: MigrateWorld): Promise<void> {
  const { commonDir } = await surveyTarget(world.cwd, world.env);
  if (!(await openJournal(commonDir).read())) return;
  await runContinue({ ...world, tell: tellWords(world.stderr) }, () =>
    Promise.resolve(ExitCode.Ok),
  );
}

/** Takes what was killed back. The workspace is as it was before the command. */
export async function runAbort(world: MigrateWorld): Promise<number> {
  const { target, file, journal } = await findUnfinished(world);
  if (journal.stage.kind === "landing") {
    await removeStaleLocks(target, journal.stage.landing);
    await landBack(target.git, journal.stage.landing);
  } else if (journal.stage.kind === "merging")
    await abortMerge(target, journal.stage.merging);
  await file.end();
  world.tell(
    `Aborted: the workspace is as it was before ${journal.name}.\n`,
    takenBackEvent("aborted", journal.name),
  );
  return ExitCode.Ok;
}

async function findUnfinished(world: MigrateWorld): Promise<Unfinished> {
  const target = await surveyTarget(world.cwd, world.env);
  const file = openJournal(target.commonDir);
  const journal = await file.read();
  if (!journal)
    throw new Failure("no migration is in progress", {
      exitCode: ExitCode.Usage,
      hint: "`git log` shows what was merged; `migrate-repo add --help` how to begin",
    });
  if (journal.pid !== world.pid && world.isAlive(journal.pid))
    throw new Failure(
      `the migration of ${journal.name} is still running (process ${journal.pid})`,
      { hint: "wait for it, or stop it first" },
    );
  return { target, file, journal };
}
