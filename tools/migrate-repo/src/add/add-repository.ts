import { stat } from "node:fs/promises";
import { Failure } from "@skein/reporting";
import { build, type Built } from "./build.js";
import { decide, decideEarly } from "../plan/decide.js";
import type { Rewritten } from "../history/rewrite-history.js";
import { pendingMigration, type Landing } from "../landing/journal.js";
import {
  completeLanding,
  stageFiles,
  type StagedFiles,
} from "../landing/stage.js";
import {
  fetchLfsObjects,
  type LfsObjects,
  type LfsOutcome,
} from "../lfs/lfs.js";
import type {
  MigrationRequest,
  SourceAddress,
  StepPlan,
} from "../migration.js";
import { planSteps } from "../plan/plan-steps.js";
import type { Plan } from "../plan/plan.js";
import { refused, type Refused } from "../refusals/index.js";
import { committerOf, gatherFrom, type Prepared } from "./prepare.js";
import type { Progress } from "../words/progress.js";
import { listPulls } from "../pulls/list-pulls.js";
import type { PullReport } from "../pulls/pull.js";
import type { PullSource } from "../pulls/pull-source.js";
import { runTransplant } from "../pulls/run-transplant.js";
import type { Quarantine } from "../quarantine/quarantine.js";
import { runScripts, type ScriptsOutcome } from "../scripts/run-scripts.js";
import { surveyTarget, type TargetFacts } from "../survey/target.js";
import { openWork, type Work, type WorkRun } from "../work/work.js";
import type { MigrateWorld } from "../world.js";

/** The result for one repository. */
export type AddOutcome =
  | Refused
  | { readonly kind: "planned"; readonly plan: Plan }
  | {
      readonly kind: "landed";
      readonly plan: Plan;
      readonly built: Built;
      /** In milliseconds. */
      readonly took: number;
      /** The number of bytes added to the object database. */
      readonly size: number;
      /** The objects that git-lfs fetched; undefined if there was nothing to fetch. */
      readonly lfs: LfsObjects | undefined;
      /** The results for open pull requests; undefined if they weren't requested. */
      readonly pulls: PullReport | undefined;
      /** The results of scripts; undefined if none were requested. */
      readonly scripts: ScriptsOutcome | undefined;
      /** Why pull requests weren't carried. The migration stays. */
      readonly pullsFailure: Failure | undefined;
    };

type Brought = Exclude<AddOutcome, { kind: "landed" }> | Landed;
type Landed = Omit<
  Extract<AddOutcome, { kind: "landed" }>,
  "pulls" | "scripts" | "pullsFailure"
>;

export interface AddOptions {
  readonly dryRun: boolean;
  /** Called with the plan before anything is done; undefined if the plan isn't printed. */
  readonly onPlan:
    | ((plan: Plan, steps: readonly StepPlan[]) => void)
    | undefined;
  /** Whether Yarn links resolved packages and checks the constraints. A batch does that once for all. Default: yes. */
  readonly link?: boolean;
  /** The batch that the migration belongs to. */
  readonly run?: WorkRun;
  /** The part that was prepared ahead. */
  readonly prepared?: Prepared;
}

/**
 * Migrates one repository into the workspace: survey, decide, report the plan, build, land. Then, on request, it runs
 * scripts and carries open pull requests, which need the landed history.
 * @throws {Failure} if the source can't be read, or something else fails; the workspace is then as it was
 */
export async function addRepository(
  world: MigrateWorld,
  request: MigrationRequest,
  options: AddOptions,
): Promise<AddOutcome> {
  const brought = await bringRepository(world, request, options);
  if (brought.kind !== "landed") return brought;
  const scripts =
    request.run.length === 0
      ? undefined
      : await runScripts(world, brought.plan, request.run);
  const pulls = request.transplant
    ? await carryPulls(world, request, brought.plan.name, options.run)
    : undefined;
  return pulls instanceof Failure
    ? { ...brought, scripts, pulls: undefined, pullsFailure: pulls }
    : { ...brought, scripts, pulls, pullsFailure: undefined };
}

async function carryPulls(
  world: MigrateWorld,
  request: MigrationRequest,
  name: string,
  run: WorkRun | undefined,
): Promise<PullReport | Failure> {
  return runTransplant(world, name, {
    github: request.github,
    allowSecrets: request.allow.includes("secrets"),
    dryRun: false,
    ...(run && { run }),
  }).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error;
    return new Failure(
      `${name} is migrated, but its pull requests are not: ${error.message}`,
      {
        hint: `${error.hint === undefined ? "" : `${error.hint}; then: `}migrate-repo sync ${name} --transplant`,
        cause: error,
      },
    );
  });
}

const CLONED = { forClone: true };

async function bringRepository(
  world: MigrateWorld,
  request: MigrationRequest,
  options: AddOptions,
): Promise<Brought> {
  const { progress, now } = world;
  const { dryRun, run, prepared } = options;
  const started = now();
  const looked = await look(world, request, run);
  if (looked.kind === "refused") return looked;
  const { target, address } = looked;
  await using work =
    prepared?.work ??
    (await (run?.open(address, CLONED) ??
      openWork(world, target, address, dryRun, CLONED)));
  const decided = await decideOn(world, request, looked, work, options);
  if (decided.kind === "refused") return decided;
  const { plan, rewritten } = decided;
  await announcePlan(world, plan, target, work.quarantine, options);
  if (dryRun) return { kind: "planned", plan };
  stopIfInterrupted(world);
  const lfs = await fetchLfs(plan, work.quarantine, target, progress);
  if (lfs?.kind === "missing") return refused({ code: "lfs-missing", ...lfs });
  if (!rewritten) throw new Error("only a dry run leaves the history as it is");
  const moves = lfs?.objects.moves ?? [];
  const { built, landing } = await buildLanding(
    { world, plan, target, work, rewritten, link: options.link ?? true },
    moves,
  );
  const size = await bytesOf(landing.objects.map(({ from }) => from));
  await work.land(landing, plan.name);
  progress.end();
  const took = now() - started + (prepared?.took ?? 0);
  return { kind: "landed", plan, built, took, size, lfs: lfs?.objects };
}

/** The facts that require only the workspace and the request. */
interface Looked {
  readonly kind: "looked";
  readonly target: TargetFacts;
  readonly address: SourceAddress;
  /** Undefined if pull requests weren't requested. */
  readonly pullSource: PullSource | undefined;
}

async function look(
  world: MigrateWorld,
  request: MigrationRequest,
  run: WorkRun | undefined,
): Promise<Looked | Refused> {
  world.progress.phase("look");
  const target = await surveyTarget(world.cwd, world.env);
  // A batch has its own journal.
  const pending = run ? undefined : await pendingMigration(target.commonDir);
  const early = await decideEarly(request, target, world, pending);
  if (early.kind === "refused") return early;
  return { ...early, kind: "looked", target };
}

/** Reads the source, unless that was done ahead, and decides on the plan. */
async function decideOn(
  world: MigrateWorld,
  request: MigrationRequest,
  { target, address, pullSource }: Looked,
  work: Work,
  { dryRun, prepared }: AddOptions,
): Promise<
  | Refused
  | {
      readonly kind: "plan";
      readonly plan: Plan;
      readonly rewritten: Rewritten | undefined;
    }
> {
  const { quarantine } = work;
  const gathered =
    prepared?.gathered ??
    (await gatherFrom(request, work, {
      target,
      address,
      progress: world.progress,
      rewriteAs: dryRun ? undefined : committerOf(target, world),
    }));
  if (gathered.kind === "refused") return gathered;
  const decision = await decide(gathered.facts, target, quarantine);
  if (decision.kind === "refused") return decision;
  const pulls =
    pullSource &&
    (await listPulls(quarantine.git, address, pullSource, world.env));
  const plan = { ...decision.plan, pulls };
  return { kind: "plan", plan, rewritten: gathered.rewritten };
}

/** Determines the plan's steps and reports them, if the plan is printed. */
async function announcePlan(
  { progress }: MigrateWorld,
  plan: Plan,
  target: TargetFacts,
  quarantine: Quarantine,
  { dryRun, onPlan }: AddOptions,
): Promise<void> {
  if (!onPlan && !dryRun) return;
  const steps = await planSteps(plan, target, quarantine);
  progress.end();
  onPlan?.(plan, steps);
}

/** Builds the migration, and stages the files of the working tree as soon as the branch's new commit exists. */
async function buildLanding(
  {
    world,
    plan,
    target,
    work: { quarantine },
    rewritten,
    link,
  }: {
    readonly world: MigrateWorld;
    readonly plan: Plan;
    readonly target: TargetFacts;
    readonly work: Work;
    readonly rewritten: Rewritten;
    readonly link: boolean;
  },
  moreObjects: Landing["objects"],
): Promise<{ readonly built: Built; readonly landing: Landing }> {
  const { progress } = world;
  const staging: Promise<StagedFiles>[] = [];
  let built: Built;
  try {
    built = await build({
      plan,
      target,
      quarantine,
      committer: committerOf(target, world),
      progress,
      rewritten,
      link,
      onHead: (newHead) => {
        const files = stageFiles({ target, quarantine, newHead });
        files.catch(() => undefined);
        staging.push(files);
      },
    });
  } finally {
    await Promise.allSettled(staging);
  }
  stopIfInterrupted(world);
  progress.phase("land");
  const [files] = staging;
  if (!files) throw new Error("a migration that is built has a commit");
  const staged = await completeLanding(
    await files,
    { target, quarantine },
    built.refs,
    `migrate-repo: add ${plan.name}`,
  );
  const objects = [...staged.objects, ...moreObjects];
  return { built, landing: { ...staged, objects } };
}

/** Fetches objects of Git LFS. @returns undefined if there is nothing to fetch */
async function fetchLfs(
  { lfs, source, tip }: Plan,
  quarantine: Quarantine,
  target: TargetFacts,
  progress: Progress,
): Promise<LfsOutcome | undefined> {
  if (lfs.length === 0) return undefined;
  progress.phase("lfs");
  return fetchLfsObjects(quarantine, target, source, tip, lfs);
}

async function bytesOf(files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(
    files.map(async (file) => (await stat(file)).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Throws after an interrupt. Before the landing, the target hasn't changed, so stopping between phases is safe. */
function stopIfInterrupted({ signal }: MigrateWorld): void {
  if (signal.aborted)
    throw new Failure("interrupted; the workspace is as it was");
}
