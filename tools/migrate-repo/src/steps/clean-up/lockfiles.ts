import { stepOf, warning, type StepContext } from "../step.js";
import type { TreeView } from "../../tree/draft.js";
import { projectFolders } from "./manifest/package-files.js";

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
export const lockfiles = stepOf({
  id: "lockfiles",
  why: "a workspace has one yarn.lock; a nested one makes Yarn treat the folder as a separate project",
  find,
  what: (found) => (found.length === 0 ? [] : [`remove ${found.join(", ")}`]),
  async apply(draft, found) {
    for (const path of found) await draft.remove(path);
    return found
      .filter((path) => path.endsWith("/npm-shrinkwrap.json"))
      .map((path) =>
        warning(
          `${path} was published with the package: its users now get the versions that its ranges allow.`,
        ),
      );
  },
});

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
