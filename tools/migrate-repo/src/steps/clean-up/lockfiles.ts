import type { Step, StepContext } from "../step.js";
import type { TreeView } from "../../tree/draft.js";
import { projectFolders } from "./package-files.js";

const LOCKFILES = [
  "package-lock.json",
  "npm-shrinkwrap.json",
  "yarn.lock",
  "pnpm-lock.yaml",
  "bun.lock",
  "bun.lockb",
];

/**
 * Removes the package's lockfiles. A workspace has one, and Yarn treats a folder with another lockfile as a separate
 * project.
 */
export const lockfiles: Step = {
  id: "lockfiles",
  async describe(view, context) {
    const found = await find(view, context);
    if (found.length === 0) return undefined;
    return {
      what: [`remove ${found.join(", ")}`],
      why: "a workspace has one yarn.lock; a nested one makes Yarn treat the folder as a separate project",
    };
  },
  async apply(draft, context) {
    const found = await find(draft, context);
    for (const path of found) await draft.remove(path);
    return found
      .filter((path) => path.endsWith("/npm-shrinkwrap.json"))
      .map((path) => ({
        kind: "warning",
        text: `${path} was published with the package: its users now get the versions that its ranges allow.`,
      }));
  },
};

/**
 * Finds lockfiles in project folders. A lockfile elsewhere is a fixture, or belongs to a separate project within the
 * package.
 */
async function find(
  view: TreeView,
  context: StepContext,
): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const dir of await projectFolders(view, context))
    for (const name of LOCKFILES)
      if (await view.stat(`${dir}/${name}`)) paths.push(`${dir}/${name}`);
  return paths;
}
