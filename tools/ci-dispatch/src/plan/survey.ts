import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { ciOf } from "@skein/ci";
import { Failure, printable } from "@skein/reporting";
import { MATRIX_CAP, runnable, type DispatchSettings } from "@skein/workspaces";
import type { PlanCommand } from "../command.js";
import { judgedBy, judgingWords } from "../exec/probe.js";
import { measure, type Measured } from "../history/measure.js";
import { SETUP_UNIT } from "../history/record.js";
import type { Plan, PlanOptions } from "../plan.js";
import { runnerOf } from "../runners/find-runner.js";
import { settingsCommand } from "../runners/settings-command.js";
import { openProject, type OpenProject } from "../project.js";
import type { DispatchWorld } from "../world.js";
import { askAffected } from "./facts/ask-affected.js";
import { lacking } from "./file/covers.js";
import { lookAtSettings } from "./facts/look-at-settings.js";
import { openEvidence } from "./facts/use-evidence.js";
import { makePlan, splitUnits, traceable, withMore } from "./make-plan.js";
import type { PlanInput } from "./make-plan.js";
import { readAlterations } from "./facts/read-alterations.js";
import { readFingerprints, runtimeOf } from "./facts/read-fingerprints.js";
import type { FingerprintsRequest } from "./facts/read-fingerprints.js";
import { readHistory } from "./facts/read-history.js";
import { readPlan } from "./file/read-plan.js";
import type { CachedIndex } from "./facts/trusted-index.js";

export interface PlanRequest
  extends
    Pick<PlanCommand, "change" | "overrides">,
    Partial<Pick<PlanCommand, "reuse">> {
  /** Whether the jobs must fit in a matrix, which limits their number. Default: true. */
  readonly matrix?: boolean;
  /** The prefix of the names of the workflow's artifacts, if earlier runs of a pull request may be queried. */
  readonly artifacts?: string | undefined;
  /** An index of references from a cache; undefined to keep the index in the clone. */
  readonly index?: CachedIndex | undefined;
  /** The number of jobs that can run at the same time anyway. The plan has at least as many if possible. */
  readonly workers?: number;
}

/**
 * Reads all inputs of a plan and makes it. It returns the plan of an earlier attempt instead, if that runs everything
 * that the new plan would.
 */
export async function surveyPlan(
  world: DispatchWorld,
  request: PlanRequest,
): Promise<Plan> {
  const made = await planNow(world, request);
  const { cwd, stderr } = world;
  const { reuse } = request;
  if (reuse === undefined || !existsSync(resolve(cwd, reuse))) return made;
  try {
    const kept = await readPlan(cwd, reuse);
    const why = lacking(kept, made);
    if (why === undefined) return kept;
    stderr.write(notReused(reuse, why));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    stderr.write(notReused(reuse, error.message));
  }
  return made;
}

/** Returns whether a push started this run. Runs after the merge have time for rechecks. */
function isPush({ env }: DispatchWorld): boolean {
  return ciOf(env).event.name === "push";
}

function notReused(file: string, why: string): string {
  return `warning: the plan ${printable(file)} is not reused, so all jobs run: ${printable(why)}\n`;
}

async function planNow(
  world: DispatchWorld,
  request: PlanRequest,
): Promise<Plan> {
  const { overrides } = request;
  using opened = await openProject(world);
  const { settings } = opened;
  const { history, trusted, traces } = await readHistory(
    world,
    overrides,
    settings.affected.evidence !== "off",
  );
  const indexed = await withIndex(world, request.index, trusted);
  const evidence = openEvidence(indexed, {
    settings,
    overrides,
    history,
    traces,
  });
  const affected = await evidence.use((files) =>
    askAffected(
      indexed,
      absolute(request.change, world.cwd),
      settings.dispatch.scripts,
      files,
    ),
  );
  const recheck = isPush(world) ? settings.dispatch.recheck : 0;
  const input: PlanInput = {
    ...(await projectInput(opened)),
    ...durationInput(request, settings.dispatch, measure(history)),
    affected,
    proofs: evidence.proofs,
    draw: { recheck, salt: affected[0]?.head ?? "" },
  };
  const known = { history, recheck, head: affected[0]?.head ?? null };
  const made = makePlan({
    ...input,
    ...(await fingerprintInput(indexed, request, opened, known)),
    judging: await findJudging(opened, input),
  });
  const skipped = made.skipped.filter(({ why }) => why === "no-script");
  return withMore(made, {
    alters: await readAlterations(world, opened, made.base, skipped),
    traces: await evidence.toRecord(traceable(input)),
  });
}

/** Returns a change whose files have absolute paths. */
function absolute(
  change: PlanRequest["change"],
  cwd: string,
): PlanRequest["change"] {
  const files = change.affected.map((file) => resolve(cwd, file));
  return { ...change, affected: files };
}

/** Returns what a plan needs of the workspace and its settings. */
async function projectInput(opened: OpenProject) {
  const { project } = opened;
  const { scripts, application, pools } = opened.settings.dispatch;
  return {
    root: project.graph.root,
    workspaces: runnable(project),
    scripts,
    application,
    ...(Object.keys(pools).length > 0 && { pools }),
    testFiles: await opened.testFiles(),
    judging: new Map<string, string>(),
  };
}

/** Returns the durations of earlier runs, and the options that use them. */
function durationInput(
  request: PlanRequest,
  settings: DispatchSettings,
  history: PlanInput["history"],
) {
  const setup = history.get(SETUP_UNIT);
  return { history, options: planOptions(request, settings, setup) };
}

/** Reads the fingerprints of units, and the runtime that belongs to them; nothing if no result may be reused. */
async function fingerprintInput(
  world: DispatchWorld,
  { overrides, artifacts }: PlanRequest,
  { settings, project }: OpenProject,
  known: Pick<FingerprintsRequest, "history" | "recheck" | "head">,
) {
  const { dispatch, cache } = settings;
  if (dispatch.reuse === "never" || overrides.fetchHistory === undefined)
    return {};
  const fingerprints = await readFingerprints(world, {
    root: project.graph.root,
    scripts: [
      ...dispatch.scripts,
      ...dispatch.application.map(({ script }) => script),
    ],
    environment: overrides.environment ?? "",
    artifacts,
    cache,
    ...known,
  });
  return { fingerprints, runtime: runtimeOf(world) };
}

/**
 * Checks for each unit that would be split whether its settings judge the whole run. If one is not split, others may be
 * split instead, and are checked in turn.
 * @returns the reasons for not splitting units, by `package#script`
 */
async function findJudging(
  { root, commit, read }: OpenProject,
  input: PlanInput,
): Promise<ReadonlyMap<string, string>> {
  const place = commit === undefined ? { root } : { root, read };
  const folders = new Map(input.workspaces.map(({ name, dir }) => [name, dir]));
  const judging = new Map<string, string>();
  const seen = new Set<string>();
  for (;;) {
    const wholes = splitUnits({ ...input, judging }).filter(
      (whole) => !seen.has(whole),
    );
    if (wholes.length === 0) return judging;
    for (const whole of wholes) seen.add(whole);
    for (const { id, ...unit } of scriptsOf(input, new Set(wholes))) {
      const runner = runnerOf(unit.command);
      if (!runner) continue;
      const settings = await lookAtSettings(
        { ...place, folders },
        runner,
        unit,
      );
      if (settings.length > 0)
        judging.set(id, judgedBy(runner.title, settings));
      else if (settingsCommand(unit.command) === undefined)
        judging.set(id, judgingWords(runner, undefined));
    }
  }
}

/** Returns the scripts for ids of units. */
function scriptsOf(
  { workspaces }: Pick<PlanInput, "workspaces">,
  wholes: ReadonlySet<string>,
): readonly { id: string; dir: string; command: string }[] {
  return workspaces.flatMap(({ name, dir, scripts }) =>
    Object.entries(scripts).flatMap(([script, command]) => {
      const id = `${name}#${script}`;
      return wholes.has(id) ? [{ id, dir, command }] : [];
    }),
  );
}

/**
 * Returns the world in which `affected` keeps its index in the cache's folder, after removing what the default branch
 * has not recorded.
 * @param index undefined to keep the index in the clone
 */
async function withIndex(
  world: DispatchWorld,
  index: CachedIndex | undefined,
  trusted: readonly string[],
): Promise<DispatchWorld> {
  if (!index) return world;
  const isKept = await index.keepTrusted(trusted);
  world.stderr.write(
    isKept
      ? "note: the index of references is main's, from the cache\n"
      : "note: no index of references of main is in the cache, so all sources are read\n",
  );
  return { ...world, env: { ...world.env, SKEIN_CACHE_DIR: index.folder } };
}

/** Returns the options that determine the jobs. */
function planOptions(
  { overrides, matrix = true, workers }: PlanRequest,
  settings: DispatchSettings,
  setup: Measured | undefined,
): PlanOptions {
  const maxJobs = overrides.maxJobs ?? settings.maxJobs;
  return {
    jobs: overrides.jobs,
    targetMs: (overrides.target ?? settings.targetSeconds) * 1000,
    maxJobs: matrix ? Math.min(maxJobs, MATRIX_CAP) : maxJobs,
    // The measured set-up time takes precedence over the setting.
    ...(setup && overrides.setup === undefined
      ? { setupMs: setup.p90Ms, setupRuns: setup.runs }
      : { setupMs: (overrides.setup ?? settings.setupSeconds) * 1000 }),
    onePackagePerJob: overrides.onePackagePerJob ?? settings.onePackagePerJob,
    timeout: settings.timeout,
    retries: settings.retries,
    ...(workers !== undefined && { minJobs: workers }),
    // Machines that are available anyway, and a number of jobs that the user requested, are used.
    ...(matrix && workers === undefined && overrides.jobs === undefined
      ? { inline: settings.inline }
      : {}),
  };
}
