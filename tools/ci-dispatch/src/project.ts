import { relative, sep } from "node:path";
import {
  commitTree,
  openObjects,
  openRepository,
  RepositoryError,
} from "@skein/git";
import { Failure, usageFailure } from "@skein/reporting";
import { groupBy } from "@skein/reporting/group-by";
import {
  compileGlobs,
  defaultSettings,
  fetchProjectFiles,
  filesOnDisk,
  findCommittedRoot,
  findRoot,
  parseSettings,
  readProject,
  treeFiles,
} from "@skein/workspaces";
import type { Project, ProjectFiles, Settings } from "@skein/workspaces";
import { withToken } from "./history/token.js";
import type { DispatchWorld } from "./world.js";

/** The workspace on the disk, or that of HEAD in a repository without a working tree. */
export interface OpenProject extends Disposable {
  /** The absolute path. */
  readonly root: string;
  /** The commit that it was read from; undefined if it is on the disk. */
  readonly commit: string | undefined;
  readonly settings: Settings;
  readonly project: Project;
  /** Reads a file by its path from the root; undefined if it doesn't exist. */
  readonly read: (path: string) => Promise<Buffer | undefined>;
  /** Returns the test files by package, relative to its folder and sorted by name. */
  testFiles(): Promise<ReadonlyMap<string, readonly string[]>>;
}

/** The place of the workspace's files. */
type Place = Pick<OpenProject, "root" | "commit" | typeof Symbol.dispose> & {
  readonly files: ProjectFiles;
};

/**
 * Reads the workspace that contains the current folder, with all manifests. Callers must dispose of it.
 * @throws {Failure} if there isn't one
 */
export async function openProject(world: DispatchWorld): Promise<OpenProject> {
  const root = findRoot(world.cwd);
  const place =
    root === undefined
      ? await openCommitted(world)
      : {
          ...{ root, commit: undefined, files: filesOnDisk(root, world) },
          [Symbol.dispose]: () => undefined,
        };
  try {
    return await readPlace(place);
  } catch (error) {
    place[Symbol.dispose]();
    throw error;
  }
}

/** Opens the workspace of HEAD. A partial clone fetches the necessary files in one request. */
async function openCommitted({
  cwd,
  env,
  signal,
}: DispatchWorld): Promise<Place> {
  const nowhere = usageFailure(`${cwd} is not in a Yarn workspace`, {
    hint: "run it in a folder below a package.json",
  });
  const repository = await openRepository({
    cwd,
    env: withToken(env),
    signal,
  }).catch((error: unknown) => {
    throw error instanceof RepositoryError ? nowhere : error;
  });
  const { git, head, topLevel, gitDir } = repository;
  const root = await findCommittedRoot(repository);
  if (root === undefined || head === undefined) throw nowhere;
  await fetchProjectFiles(repository, head);
  const inside = relative(topLevel ?? gitDir, root).replaceAll(sep, "/");
  const objects = openObjects(git);
  return {
    root,
    commit: head,
    files: treeFiles(
      commitTree(git, objects, head),
      inside === "" ? "" : `${inside}/`,
    ),
    [Symbol.dispose]: () => objects.close(),
  };
}

async function readPlace({ files, ...place }: Place): Promise<OpenProject> {
  const settings = await settingsIn(files);
  const project = await readProject(files);
  if (!project)
    throw new Failure("there is no package.json at the root of the workspace");
  return {
    ...place,
    settings,
    project,
    read: (path) => files.read(path),
    async testFiles() {
      const isTest = compileGlobs(
        settings.affected.tests.filter((glob) => !glob.includes("snap")),
      );
      const owned = (await files.list()).map((path) => {
        const { name, dir } = project.graph.ownerOf(path);
        const inside = dir === "." ? path : path.slice(dir.length + 1);
        return { name, inside };
      });
      const tests = owned.filter(({ inside }) => isTest(inside));
      return new Map(
        [...groupBy(tests, ({ name }) => name)].map(([name, own]) => [
          name,
          own.map(({ inside }) => inside).sort(),
        ]),
      );
    },
  };
}

/**
 * Returns the settings of the workspace that contains a folder; the defaults without one.
 * @throws {SettingsError}
 */
export async function readSettings({
  cwd,
  env,
}: Pick<DispatchWorld, "cwd" | "env">): Promise<Settings> {
  const root = findRoot(cwd);
  return root === undefined
    ? defaultSettings
    : settingsIn(filesOnDisk(root, { env }));
}

async function settingsIn({
  read,
}: Pick<ProjectFiles, "read">): Promise<Settings> {
  return parseSettings((await read("skein.json"))?.toString("utf8"));
}
