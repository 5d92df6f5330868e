import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { DispatchSettings } from "@skein/workspaces";
import type { ChangeOptions, PlanOverrides } from "../command.js";
import { measure } from "../history/measure.js";
import { readHistoryFiles } from "../history/read-files.js";
import type { Plan, PlanOptions } from "../plan.js";
import { openProject } from "../project.js";
import type { DispatchWorld } from "../world.js";
import { askAffected } from "./ask-affected.js";
import { makePlan } from "./make-plan.js";
import { readPlan } from "./read-plan.js";

export interface PlanRequest {
  readonly change: ChangeOptions;
  readonly overrides: PlanOverrides;
  readonly reuse?: string | undefined;
}

/** Reads everything a plan is made from, and makes it; or takes the plan of an earlier attempt as it is. */
export async function surveyPlan(
  world: DispatchWorld,
  { change, overrides, reuse }: PlanRequest,
): Promise<Plan> {
  const { cwd, stderr } = world;
  if (reuse !== undefined && existsSync(resolve(cwd, reuse)))
    return readPlan(resolve(cwd, reuse));
  const opened = await openProject(world);
  const { settings, project } = opened;
  const files = overrides.history.map((file) => resolve(cwd, file));
  const history = await readHistoryFiles(files);
  if (history.malformed > 0)
    stderr.write(
      `warning: ${history.malformed} lines of the history are no events, and are passed over\n`,
    );
  return makePlan({
    root: project.graph.root,
    workspaces: project.packages.map(({ name, dir, manifest }) => ({
      name,
      dir,
      scripts: manifest?.scripts ?? {},
    })),
    affected: await askAffected(
      world,
      {
        ...change,
        affected: change.affected.map((file) => resolve(cwd, file)),
      },
      settings.dispatch.scripts,
    ),
    scripts: settings.dispatch.scripts,
    application: settings.dispatch.application,
    history: measure(history.events),
    testFiles: await opened.testFiles(),
    options: planOptions(settings.dispatch, overrides),
  });
}

function planOptions(
  settings: DispatchSettings,
  overrides: PlanOverrides,
): PlanOptions {
  return {
    jobs: overrides.jobs,
    targetMs: (overrides.target ?? settings.targetSeconds) * 1000,
    maxJobs: overrides.maxJobs ?? settings.maxJobs,
    setupMs: (overrides.setup ?? settings.setupSeconds) * 1000,
    onePackagePerJob: overrides.onePackagePerJob ?? settings.onePackagePerJob,
    timeout: settings.timeout,
    retries: settings.retries,
  };
}
