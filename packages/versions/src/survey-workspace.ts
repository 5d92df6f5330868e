import { Failure, usageFailure, type CliWorld } from "@skein/reporting";
import {
  filesOnDisk,
  findRoot,
  parseSettings,
  readProject,
} from "@skein/workspaces";
import { readCatalogs } from "./members.js";
import { CONFIG_FILE, POLICY_FILE } from "./constraints-text.js";
import type { PolicyFacts } from "./policy.js";

/** The workspace on disk. */
export interface WorkspaceOnDisk extends PolicyFacts {
  /** The absolute path. */
  readonly root: string;
  /** The existing constraints. */
  readonly constraints: {
    readonly policy: boolean;
    /** The text of `yarn.config.cjs`; undefined if it doesn't exist. */
    readonly config: string | undefined;
    /** Whether there are Prolog rules, which Yarn reads only if there is no `yarn.config.cjs`. */
    readonly prolog: boolean;
    /** Whether this is a workspace of Yarn 2 or newer: other package managers have no constraints. */
    readonly isYarn: boolean;
  };
}

/**
 * Reads the workspace of the current folder, including every manifest.
 * @throws {Failure} if there is none
 * @throws the errors of `readProject` and `parseSettings`
 */
export async function surveyWorkspace({
  cwd,
  env,
}: Pick<CliWorld, "cwd" | "env">): Promise<WorkspaceOnDisk> {
  const root = findRoot(cwd);
  if (root === undefined)
    throw usageFailure(
      "this folder is not in a workspace: no folder above it has a package.json",
      {
        hint: "run this in a folder of the workspace",
      },
    );
  const files = filesOnDisk(root, { env });
  const text = async (path: string) =>
    (await files.read(path))?.toString("utf8");
  const [project, yarnrc, settings, lock, config, prolog, policy] =
    await Promise.all([
      readProject(files),
      text(".yarnrc.yml"),
      text("skein.json"),
      text("yarn.lock"),
      text(CONFIG_FILE),
      text("constraints.pro"),
      text(POLICY_FILE),
    ]);
  if (!project)
    throw new Failure("there is no package.json at the workspace's root");
  const manager = project.root.fields["packageManager"];
  return {
    root,
    members: project.packages.map(({ name, dir, dependencies }) => ({
      name,
      dir,
      version: undefined,
      dependencies,
    })),
    catalogs: readCatalogs(yarnrc ?? ""),
    ownVersions: parseSettings(settings).migrate.ownVersions,
    constraints: {
      policy: policy !== undefined,
      config,
      prolog: prolog !== undefined,
      isYarn:
        yarnrc !== undefined ||
        /^__metadata:/m.test(lock ?? "") ||
        (typeof manager === "string" && /^yarn@(?:[2-9]|\d\d)/.test(manager)),
    },
  };
}
