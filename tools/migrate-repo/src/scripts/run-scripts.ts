import { availableParallelism } from "node:os";
import { join } from "node:path";
import {
  openYarnProject,
  planUnits,
  runUnits,
  type RunReport,
} from "@skein/runner";
import {
  filesOnDisk,
  findRoot,
  readProject,
  runnable,
} from "@skein/workspaces";
import type { Plan } from "../plan/plan.js";
import { isPlaced } from "../registration/facts.js";
import { messageIn } from "../registration/install.js";
import { openYarn } from "../registration/yarn.js";
import { readSettings } from "../survey/settings.js";
import type { MigrateWorld } from "../world.js";
import { readRegularText } from "@skein/reporting";

/** The results of the requested scripts. The migration has landed in any case. */
export type ScriptsOutcome =
  | { readonly kind: "ran"; readonly report: RunReport }
  | { readonly kind: "no-yarn" }
  /** `yarn install` failed; `message` is Yarn's message. */
  | { readonly kind: "not-installed"; readonly message: string };

/**
 * Installs the workspace as its owner would, including lifecycle scripts if the project enables them. Then it runs
 * scripts of the migrated packages, after the scripts that skein.json's pipeline requires.
 */
export async function runScripts(
  world: MigrateWorld,
  { placements }: Pick<Plan, "placements">,
  scripts: readonly string[],
): Promise<ScriptsOutcome> {
  const { cwd, env, node, now, signal, progress } = world;
  progress.phase("run");
  const root = findRoot(cwd);
  if (root === undefined) throw new Error("a landing was in a workspace");
  const files = filesOnDisk(root, { env });
  const project = await readProject(files);
  if (!project) throw new Error("a registration needs a package.json");
  const manager = project.root.fields["packageManager"];
  const rc = await readRegularText(join(root, ".yarnrc.yml")).catch(() => "");
  const packageManager = typeof manager === "string" ? manager : undefined;
  const yarn = await openYarn(root, env, { rc, packageManager }, "scripts");
  if (!yarn) return { kind: "no-yarn" };
  // The landed state must be complete. An install that would change yarn.lock is a failure, and must not change it.
  const hasLock = (await files.read("yarn.lock")) !== undefined;
  const { ok, output } = await yarn([
    "install",
    ...(hasLock ? ["--immutable"] : []),
  ]);
  if (!ok) return { kind: "not-installed", message: messageIn(output) };
  const settings = await files.read("skein.json");
  const plan = planUnits({
    workspaces: runnable(project),
    edges: project.graph.edges,
    selected: project.packages
      .filter(({ dir }) => isPlaced(dir, placements))
      .map(({ name }) => name),
    scripts,
    pipeline: {
      ...inOrder(scripts),
      ...readSettings(settings?.toString("utf8")).pipeline,
    },
  });
  const report = await runUnits(plan, {
    project: await openYarnProject({ root, env, node }),
    concurrency: availableParallelism(),
    signal,
    now,
  });
  progress.end();
  return { kind: "ran", report };
}

/**
 * Returns a pipeline for scripts that skein.json doesn't order. They run one after the other, in the requested order,
 * and builds run after those of dependencies.
 */
function inOrder(scripts: readonly string[]): Record<string, string[]> {
  return Object.fromEntries(
    scripts.map((script, index) => [
      script,
      [
        ...(script === "build" ? ["^build"] : []),
        ...scripts.slice(Math.max(0, index - 1), index),
      ],
    ]),
  );
}
