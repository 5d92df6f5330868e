import { join } from "node:path";
import { splitNul, GitError, openRepository, type Git } from "@skein/git";
import { fieldsIn, recordOf } from "@skein/reporting/json-fields";
import { parseSettings } from "@skein/workspaces";
import type { Settings } from "@skein/workspaces";
import { withToken } from "../../history/token.js";
import type { OpenProject } from "../../project.js";
import type { DispatchWorld } from "../../world.js";
import { alterationsOf } from "./alterations.js";
import type { Deciding, Scriptless } from "./alterations.js";

/**
 * Reads how a change alters what is tested.
 * @param base the commit to compare with; null if there is none, and then the result is empty
 * @param skipped packages that the plan skips because they lack a script
 * @returns one sentence for each alteration
 */
export async function readAlterations(
  world: DispatchWorld,
  { root, commit, settings, project, read }: OpenProject,
  base: string | null,
  skipped: readonly { readonly workspace: string; readonly script: string }[],
): Promise<readonly string[]> {
  if (base === null) return [];
  const { git, prefix } = await openRepository({
    ...world,
    // If the workspace has no working tree, its folder may not exist.
    cwd: commit === undefined ? root : world.cwd,
    env: withToken(world.env),
  });
  const changed = await changedBelow(git, prefix, base, commit);
  if (changed === undefined)
    return [
      `the commit ${base} is not in this clone, so the settings were not compared`,
    ];
  const folders = new Map(project.packages.map(({ name, dir }) => [name, dir]));
  const scriptless = skipped.flatMap((skip): Scriptless[] => {
    const dir = folders.get(skip.workspace);
    return dir !== undefined && changed.includes(join(dir, "package.json"))
      ? [{ ...skip, dir }]
      : [];
  });
  const at = async (path: string) => {
    const name = `${base}:${prefix}${path}`;
    const args = ["cat-file", "blob", name];
    const { stdout, exitCode } = await git.run(args, { answers: [0, 128] });
    return exitCode === 0 ? stdout.toString("utf8") : undefined;
  };
  const dirs = [...new Set(scriptless.map(({ dir }) => dir))];
  const before: Deciding = {
    settings: settingsOf(await at("skein.json")),
    workspaces: fieldsIn(await at("package.json"))["workspaces"],
    scripts: new Map(
      await Promise.all(
        dirs.map(async (dir) => {
          const { scripts } = fieldsIn(await at(`${dir}/package.json`));
          return [dir, Object.keys(recordOf(scripts))] as const;
        }),
      ),
    ),
  };
  const manifest = await read("package.json");
  const { workspaces } = fieldsIn(manifest?.toString("utf8"));
  const after = { settings, workspaces, scripts: new Map<string, string[]>() };
  return alterationsOf(before, after, scriptless, changed);
}

/**
 * Returns the files below a folder that differ between a commit and another one, or the working tree; undefined if the commit
 * isn't available.
 */
async function changedBelow(
  git: Git,
  prefix: string,
  base: string,
  head: string | undefined,
): Promise<readonly string[] | undefined> {
  const args = ["diff", "--no-renames", "--no-ext-diff", "--name-only", "-z"];
  try {
    const ends = head === undefined ? [base] : [base, head];
    const { stdout } = await git.run([
      ...args,
      "--end-of-options",
      ...ends,
      "--",
    ]);
    return splitNul(stdout)
      .filter((path) => path.startsWith(prefix))
      .map((path) => path.slice(prefix.length));
  } catch (error) {
    if (error instanceof GitError) return undefined;
    throw error;
  }
}

function settingsOf(text: string | undefined): Settings | undefined {
  try {
    return parseSettings(text);
  } catch {
    return undefined;
  }
}
