import { ExitCode, Failure } from "@skein/reporting";
import { findRecord } from "../record/find-record.js";
import { pendingMigration } from "../landing/journal.js";
import { stageLanding } from "../landing/stage.js";
import { refuseTarget } from "../refusals/target.js";
import { migrationRefs } from "../names/names.js";
import type { MigrationRecord } from "../record/record-format.js";
import { rolledBackEvent } from "../words/events.js";
import { addressOf } from "../record/address-of.js";
import { refuse } from "../refusals/refuse.js";
import { surveyTarget, type TargetFacts } from "../survey/target.js";
import { openWork } from "../work/work.js";
import type { MigrateWorld } from "../world.js";

/**
 * Undoes a migration that has landed: resets the branch and the files, and removes its tags, branches and record. It
 * uses the same journal and the same single transaction as a landing. It works only if the branch has no commit on top.
 * @throws {Failure} if the branch has moved on
 */
export async function runUndo(
  world: MigrateWorld,
  name: string,
): Promise<number> {
  const { progress, cwd, env, print } = world;
  progress.phase("look");
  const target = await surveyTarget(cwd, env);
  const pending = await pendingMigration(target.commonDir);
  const refusals = refuseTarget(
    target,
    { allow: ["protected-branch"] },
    pending,
  );
  if (refusals.length > 0) return refuse(world, refusals);
  const { record } = await findRecord(target, name);
  const before = beforeOf(record, target);
  const address = addressOf(record.source.fetchFrom);
  await using work = await openWork(world, target, address, false);
  progress.phase("land");
  await work.land(
    await stageLanding({
      target,
      quarantine: work.quarantine,
      newHead: before,
      refs: [
        { ref: target.branch ?? "", old: target.head, new: before },
        ...refsOf(record, target),
      ],
      message: `migrate-repo: undo ${record.name}`,
    }),
    record.name,
  );
  progress.end();
  print(
    `Undone: the workspace is as it was before ${record.name}, at ${before.slice(0, 12)}. \`yarn install\` removes what Yarn had installed for it; git's garbage collection removes the objects.\n`,
    rolledBackEvent("undone", record.name),
  );
  return ExitCode.Ok;
}

/** Returns the branch's commit before the migration. */
function beforeOf(
  { name, landed, placements }: MigrationRecord,
  { branch, head }: TargetFacts,
): string {
  const isHere = landed !== undefined && landed.branch === branch;
  if (isHere && landed.after === head) return landed.before;
  const folders = placements.map(({ to }) => to).join(" ");
  throw new Failure(
    `${name} cannot be undone: ${isHere ? "the branch has moved on since" : "it did not land on this branch"}`,
    {
      hint: `undo the later commits first; or remove its files in a new commit (git rm -r ${folders}), which keeps its history`,
    },
  );
}

/** Returns updates that delete the migration's other refs, except those that someone has moved since. */
function refsOf(record: MigrationRecord, { refs }: TargetFacts) {
  const made = new Map(
    [
      ...record.madeTags,
      ...record.madeBranches,
      ...(record.pulls?.carried ?? []).map(({ ref, id }) => ({ to: ref, id })),
    ].map(({ to, id }) => [to, id]),
  );
  const own = `${migrationRefs(record.name)}/`;
  return [...refs]
    .filter(([ref, id]) => ref.startsWith(own) || made.get(ref) === id)
    .map(([ref, old]) => ({ ref, old, new: undefined }));
}
