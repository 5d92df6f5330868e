import { dirname } from "node:path";
import { GitError, openGit } from "@skein/git";
import { ExitCode, Failure } from "@skein/reporting";
import {
  openJournal,
  type Journal,
  type JournalFile,
  type Landing,
} from "../landing/journal.js";
import { landBack } from "../landing/land-back.js";
import { landForward } from "../landing/land.js";
import {
  leftFilesWords,
  notAborted,
  notContinued,
} from "../landing/landing-failure.js";
import { removeStaleLocks } from "../landing/stale-locks.js";
import { landedEvent, rolledBackEvent } from "../words/events.js";
import { printWords } from "../words/print.js";
import { abortMerge, continueMerge } from "./merge-in-progress.js";
import { surveyTarget, type TargetFacts } from "../survey/target.js";
import type { MigrateWorld } from "../world.js";

type Over = Extract<Journal["stage"], { kind: "over" }>;

interface Unfinished {
  readonly target: TargetFacts;
  readonly file: JournalFile;
  readonly journal: Journal;
}

/**
 * Continues a killed command. It finishes a landing. If nothing has landed, it repeats the whole command, because the
 * repository has nothing of it.
 * @param again runs the original command line
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
    }).catch((error: unknown) => {
      throw error instanceof GitError ? notContinued(error) : error;
    });
  if (journal.stage.kind === "over")
    return tellOver(world, file, journal, journal.stage);
  const { landing } = journal.stage;
  await file.update({ ...journal, pid: world.pid });
  const place = placeOf(target, landing);
  await removeStaleLocks(place, landing);
  try {
    await landForward(place, landing, {
      checkpoint: world.checkpoint,
      mayLackObjects: true,
    });
  } catch (error) {
    throw notContinued(error);
  }
  await end(world, file, journal, "landed", landing.newHead);
  return tellLanded(world, journal, landing.newHead);
}

/** Records the end in the journal before it removes files, so that a kill in between leaves nothing to repeat. */
async function end(
  world: MigrateWorld,
  file: JournalFile,
  journal: Journal,
  outcome: "landed" | "taken-back",
  head: string | undefined,
): Promise<void> {
  const stage = { kind: "over", outcome, head } as const;
  await file.update({ ...journal, pid: world.pid, stage });
  world.checkpoint("over");
  await file.end();
}

function tellLanded(
  { print }: MigrateWorld,
  { name, argv }: Journal,
  head: string,
): number {
  const at = head.slice(0, 12);
  if (argv[0] === "undo")
    print(
      `Finished: the workspace is as it was before ${name}, at ${at}.\n`,
      rolledBackEvent("undone", name),
    );
  else
    print(
      `Finished: ${name} is in the workspace, at ${at}.\n`,
      landedEvent(name, head),
    );
  return ExitCode.Ok;
}

/** Handles a `continue` after a kill at the end: it only removes the temporary files. */
async function tellOver(
  world: MigrateWorld,
  file: JournalFile,
  journal: Journal,
  { outcome, head }: Over,
): Promise<number> {
  await file.end();
  if (outcome === "landed" && head !== undefined)
    return tellLanded(world, journal, head);
  throw new Failure(`${journal.name} was rolled back: nothing is left to do`, {
    exitCode: ExitCode.Usage,
    hint: "start again to migrate it",
  });
}

/**
 * Finishes a landing that was killed, so that a manifest can continue. If nothing had landed, it only removes the
 * journal; the manifest repeats the migration.
 */
export async function recoverIfNeeded(world: MigrateWorld): Promise<void> {
  const { commonDir } = await surveyTarget(world.cwd, world.env);
  if (!(await openJournal(commonDir).read())) return;
  await runContinue({ ...world, print: printWords(world.stderr) }, () =>
    Promise.resolve(ExitCode.Ok),
  );
}

/** Rolls a killed command back. The workspace is then as it was before the command. */
export async function runAbort(world: MigrateWorld): Promise<number> {
  const { target, file, journal } = await findUnfinished(world);
  if (journal.stage.kind === "over" && journal.stage.outcome === "landed") {
    await file.end();
    throw tooLate(journal);
  }
  const left = await takeBack(world, target, file, journal).catch(
    (error: unknown) => {
      throw notAborted(error);
    },
  );
  await end(world, file, journal, "taken-back", undefined);
  world.stderr.write(leftFilesWords(left));
  world.print(
    `Aborted: the workspace is as it was before ${journal.name}.\n`,
    rolledBackEvent("aborted", journal.name),
  );
  return ExitCode.Ok;
}

/** Rolls the current stage back. @returns files that stay */
async function takeBack(
  { pid, checkpoint }: MigrateWorld,
  target: TargetFacts,
  file: JournalFile,
  journal: Journal,
): Promise<readonly string[]> {
  const { stage } = journal;
  if (stage.kind === "building" || stage.kind === "over") return [];
  await file.update({ ...journal, pid });
  if (stage.kind === "merging") {
    await abortMerge(target, stage.merging, file.folder);
    return [];
  }
  const place = placeOf(target, stage.landing);
  await removeStaleLocks(place, stage.landing);
  return landBack(place, stage.landing, { checkpoint, leaveEdited: false });
}

/** Returns the target as the landing sees it: all worktrees share a journal, but each has its own HEAD and index. */
function placeOf(target: TargetFacts, landing: Landing): TargetFacts {
  const { topLevel, index } = landing;
  return {
    ...target,
    topLevel,
    git: openGit({ cwd: topLevel, env: target.git.env }),
    gitDir: dirname(index.path),
    index: index.path,
  };
}

function tooLate({ name, argv }: Journal): Failure {
  return new Failure(
    `${argv[0] ?? "the command"} had finished: nothing is left to abort`,
    {
      exitCode: ExitCode.Usage,
      ...(argv[0] === "add" && {
        hint: `to undo it: migrate-repo undo ${name}`,
      }),
    },
  );
}

async function findUnfinished(world: MigrateWorld): Promise<Unfinished> {
  const target = await surveyTarget(world.cwd, world.env);
  const file = openJournal(target.commonDir);
  const journal = await file.read();
  if (!journal) {
    await file.clearAway(world.isAlive);
    throw new Failure("no migration is in progress", {
      exitCode: ExitCode.Usage,
      hint: "`git log` shows merged migrations; `migrate-repo add --help` explains how to start one",
    });
  }
  if (journal.pid !== world.pid && world.isAlive(journal.pid))
    throw new Failure(
      `the migration of ${journal.name} is still running (process ${journal.pid})`,
      { hint: "wait for it, or stop it first" },
    );
  return { target, file, journal };
}
