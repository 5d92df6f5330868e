import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Job } from "./executor.js";
import { openNodeModulesBins } from "./yarn/node-modules-bins.js";
import { readPnpBins } from "./read-pnp-bins.js";
import { scriptEnv } from "./yarn/script-env.js";
import type { Unit } from "./unit.js";
import { openWrapperFolders, type Bins } from "./yarn/wrappers.js";
import type { YarnProject } from "./yarn/yarn-project.js";

/** Makes the job of a unit: its command in its folder, with its environment. */
export type PrepareJob = (unit: Unit, command: string) => Promise<Job>;

/** Prepares jobs for `yarn run`. They get the caller's environment unchanged, because Yarn makes the script's own. */
export function prepareYarnJobs({ root, env }: YarnProject): PrepareJob {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(env))
    if (value !== undefined) plain[name] = value;
  return (unit, command) =>
    Promise.resolve({
      script: unit.script,
      command,
      args: unit.args,
      cwd: join(root, unit.dir),
      env: { ...plain, ...unit.env },
    });
}

/**
 * Prepares jobs for Yarn's shell, with the environment that Yarn would make.
 * @param folder the folder for the wrapper programs
 * @param units all units of the run, because PnP's programs are read for all of them at once
 */
export function prepareShellJobs(
  project: YarnProject,
  folder: string,
  units: readonly Unit[],
): PrepareJob {
  const wrappers = openWrapperFolders(folder, project);
  const binsOf = openBins(project, units);
  const version = yarnVersion(project);
  return async (unit, command) => {
    const cwd = join(project.root, unit.dir);
    const programs = await binsOf(unit.dir);
    const [binFolder, known] = await Promise.all([
      wrappers.folderFor(programs),
      version,
    ]);
    const env = scriptEnv({ project, unit, binFolder, yarnVersion: known });
    const { script, args } = unit;
    return {
      script,
      command,
      args,
      cwd,
      env: { ...env, ...unit.env },
      programs,
    };
  };
}

function openBins(
  project: YarnProject,
  units: readonly Unit[],
): (dir: string) => Promise<Bins> {
  if (project.linker === "node-modules") {
    const read = openNodeModulesBins(project.root);
    return (dir) => read(join(project.root, dir));
  }
  const dirs = new Set(
    units.flatMap(({ command, dir }) => (command === undefined ? [] : [dir])),
  );
  const all = readPnpBins(project, [...dirs]);
  all.catch(() => undefined); // The error is thrown where the promise is awaited.
  return async (dir) => (await all).get(dir) ?? new Map<string, string>();
}

/** Returns Yarn's version. If no file contains it, this runs Yarn, once per run. */
async function yarnVersion({
  yarn,
  root,
  env,
}: YarnProject): Promise<string | undefined> {
  if (yarn === undefined || yarn.version !== undefined) return yarn?.version;
  const { stdout } = await promisify(execFile)(
    yarn.file,
    [...yarn.args, "--version"],
    { cwd: root, env },
  ).catch(() => ({ stdout: "" }));
  return stdout.trim() || undefined;
}
