import type { RefUpdate } from "@skein/git";
import { showRepository } from "@skein/github";
import { Failure } from "@skein/reporting";
import { findRecord } from "../record/find-record.js";
import { stageLanding } from "../landing/stage.js";
import { migrationRefs } from "../names/names.js";
import { writeRecord, type StoredRecord } from "../record/record.js";
import type { CarriedPull, MigrationRecord } from "../record/record-format.js";
import { explainSource } from "../survey/source-failure.js";
import { checkedOut } from "../survey/checked-out.js";
import { presentObjects } from "../survey/commits.js";
import { surveyTarget, type TargetFacts } from "../survey/target.js";
import { addressOf } from "../record/address-of.js";
import { openWork, type Work, type WorkRun } from "../work/work.js";
import type { MigrateWorld } from "../world.js";
import { listPulls } from "./list-pulls.js";
import type { JudgedPull, PullReport } from "./pull.js";
import { bringPullLfs, type PullLfs } from "./pull-lfs.js";
import { pullSourceOf, type PullSource } from "./pull-source.js";
import { transplant } from "./transplant.js";

export interface TransplantOptions {
  /** `owner/name` on GitHub, if the source's address doesn't contain it. */
  readonly github: string | undefined;
  readonly allowSecrets: boolean;
  /** Whether to land nothing. */
  readonly dryRun: boolean;
  /** The batch that the transplant belongs to. */
  readonly run?: WorkRun;
}

/**
 * Carries the open pull requests of a migrated source as branches, and updates branches that were carried earlier. The
 * landing moves only branches below `<folder>/pull/` and the record, but neither the current branch nor any file.
 * @param name the package's name
 * @throws {Failure} if GitHub or the source doesn't answer; the migration itself stays
 */
export async function runTransplant(
  world: MigrateWorld,
  name: string,
  options: TransplantOptions,
): Promise<PullReport> {
  const { progress } = world;
  progress.phase("pulls");
  const target = await surveyTarget(world.cwd, world.env);
  const stored = await findRecord(target, name);
  const { record } = stored;
  const address = addressOf(record.source.fetchFrom);
  const source = sourceOf(record, options.github, world.env);
  // After a kill, `continue` would run this command again. The migration itself has landed.
  const argv = [
    ...["sync", record.name, "--transplant"],
    ...(options.github === undefined ? [] : ["--github", options.github]),
  ];
  await using work = await (options.run?.open(address, { argv }) ??
    openWork({ ...world, argv }, target, address, options.dryRun));
  const { quarantine } = work;
  const pulls = await listPulls(
    quarantine.git,
    address,
    source,
    world.env,
  ).catch(explain);
  const judged = await transplant({
    quarantine,
    address,
    stored,
    head: headOf(target),
    refs: target.refs,
    checkedOut: await checkedOut(target.git),
    pulls,
    allowSecrets: options.allowSecrets,
  }).catch(explain);
  const lfs = await bringPullLfs(
    quarantine,
    target,
    address,
    options.dryRun ? [] : carriedIn(judged),
    await presentObjects(quarantine.git, "commit", record.tips),
  );
  const { count, size } = lfs.objects;
  const report = {
    repository: showRepository(source.repository),
    onto: target.branch?.replace(/^refs\/heads\//, "") ?? "HEAD",
    pulls: judged,
    closed: closedSince(record, pulls),
    lfs: { count, size, missing: lfs.missing },
  };
  if (!options.dryRun)
    await landPulls(
      { world, target, work, stored },
      judged,
      lfs,
      report.repository,
    );
  progress.end();
  return report;
}

function headOf({ head }: { readonly head: string | undefined }): string {
  if (head === undefined)
    throw new Error("refuseTarget lets no such target through");
  return head;
}

function explain(error: unknown): never {
  throw explainSource(error);
}

/** Returns the heads of the pull requests that this run carries. */
function carriedIn(judged: PullReport["pulls"]): readonly string[] {
  return judged.flatMap(({ fate }) =>
    fate.kind === "carried" ? [fate.old] : [],
  );
}

/** Returns the pull requests that were carried earlier and are no longer open. */
function closedSince(
  record: MigrationRecord,
  pulls: readonly { readonly number: number }[],
): readonly CarriedPull[] {
  const open = new Set(pulls.map(({ number }) => number));
  return (record.pulls?.carried ?? []).filter(
    ({ number }) => !open.has(number),
  );
}

/** Returns the repository with the pull requests. @throws {Failure} if they can't be carried */
function sourceOf(
  record: MigrationRecord,
  github: string | undefined,
  env: MigrateWorld["env"],
): PullSource {
  if (record.history !== "graft")
    throw new Failure(
      `${record.name} was migrated by ${record.history}: pull requests need a grafted history`,
      { hint: "ask their authors to open them again against the workspace" },
    );
  const source = pullSourceOf(
    github ?? record.pulls?.repository,
    record.source.fetchFrom,
    env,
  );
  if (source) return source;
  throw new Failure(
    "the source's address does not show which repository on GitHub has its pull requests",
    { hint: "name it: --github owner/name" },
  );
}

/** Lands the branches of pull requests and their record. Does nothing if no branch changes. */
async function landPulls(
  {
    world,
    target,
    work,
    stored,
  }: {
    readonly world: MigrateWorld;
    readonly target: TargetFacts;
    readonly work: Work;
    readonly stored: StoredRecord;
  },
  judged: readonly JudgedPull[],
  lfs: PullLfs,
  repository: string,
): Promise<void> {
  const { record } = stored;
  const { identity, head } = target;
  if (!identity || head === undefined)
    throw new Error("refuseTarget lets no such target through");
  const refs = refsOf(record, judged, target.refs);
  if (refs.length === 0) return;
  const carried = mergeCarried(record.pulls?.carried ?? [], judged);
  const next: MigrationRecord = { ...record, pulls: { repository, carried } };
  const { quarantine } = work;
  const commit = await writeRecord(
    quarantine.git,
    { ...identity, now: world.now() },
    { ...stored, record: next },
    stored.commit,
  );
  const map = `${migrationRefs(record.name)}/map`;
  const staged = await stageLanding({
    target,
    quarantine,
    newHead: head,
    refs: [{ ref: map, old: stored.commit, new: commit }, ...refs],
    message: `migrate-repo: pull requests of ${record.name}`,
  });
  await work.land(
    { ...staged, objects: [...staged.objects, ...lfs.objects.moves] },
    record.name,
  );
}

/** Returns the updates of the branches and of the refs to their original heads. */
function refsOf(
  record: MigrationRecord,
  judged: readonly JudgedPull[],
  existing: ReadonlyMap<string, string>,
): readonly RefUpdate[] {
  return judged.flatMap(({ pull, fate }) => {
    if (fate.kind !== "carried") return [];
    const original = `${migrationRefs(record.name)}/pull/${pull.number}`;
    return [
      { ref: fate.ref, old: fate.before, new: fate.id },
      ...(record.keepOriginals && existing.get(original) !== fate.old
        ? [{ ref: original, old: existing.get(original), new: fate.old }]
        : []),
    ];
  });
}

function mergeCarried(
  before: readonly CarriedPull[],
  judged: readonly JudgedPull[],
): readonly CarriedPull[] {
  const all = new Map(before.map((one) => [one.number, one]));
  for (const { pull, fate } of judged)
    if (fate.kind === "carried")
      all.set(pull.number, {
        number: pull.number,
        old: fate.old,
        ref: fate.ref,
        id: fate.id,
      });
  return [...all.values()].sort((a, b) => a.number - b.number);
}
