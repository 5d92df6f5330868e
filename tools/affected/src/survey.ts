import type { Change, Changeset } from "@skein/changes";
import { commitTree, openObjects, openRepository } from "@skein/git";
import type { ObjectReader, Repository } from "@skein/git";
import { nearest, printable, usageFailure } from "@skein/reporting";
import type { CliWorld } from "@skein/reporting";
import {
  defaultSettings,
  ManifestError,
  parseManifest,
  parseSettings,
  readProject,
  relativeTo,
  unknownNames,
  withImplicitEdges,
} from "@skein/workspaces";
import type {
  Project,
  ProjectFiles,
  References,
  Settings,
} from "@skein/workspaces";
import { cacheDirOf } from "./cache-dir.js";
import { readChangeset } from "./changes.js";
import type { SelectOptions } from "./command.js";
import type { ReferencesRequest } from "./references.js";
import {
  diskFiles,
  findProjectRoot,
  isOnDisk,
  prefixOf,
  remembered,
  treeFiles,
  untouchedFrom,
} from "./files.js";

/** Everything that was read; what follows decides on it and reads nothing more. */
export interface Survey {
  /** The project's folder, absolute. */
  readonly root: string;
  /** The project's folder from the top of the repository: "" or with a final `/`. */
  readonly prefix: string;
  readonly repository: Repository;
  readonly settings: Settings;
  readonly changeset: Changeset;
  /** The changes with paths from the project's root; outside it they begin with `../`. */
  readonly changes: readonly Change[];
  readonly base: Project | undefined;
  readonly head: Project;
  readonly references: References | undefined;
}

export interface SurveyRequest {
  readonly options: SelectOptions;
  /** Read every manifest: for scripts, and for the kinds of edges. */
  readonly complete: boolean;
}

/** Reads the changeset, and the project at both its ends. */
export async function survey(
  world: CliWorld,
  { options, complete }: SurveyRequest,
): Promise<Survey> {
  const root = findProjectRoot(world.cwd);
  if (root === undefined) {
    throw usageFailure(`${world.cwd} is in no Yarn workspace`, {
      hint: "run it in a folder below a package.json, or give the folder with --cwd",
    });
  }
  const opening = openRepository({
    cwd: root,
    env: world.env,
    signal: world.signal,
  });
  const disk = remembered(diskFiles(root, () => opening));
  // Git needs its time; these three are nearly always asked for.
  for (const path of ["package.json", "yarn.lock", "skein.json"])
    disk.read(path).catch(() => undefined);
  const settings = await readSettings(disk);
  const repository = await opening;
  const prefix = prefixOf(repository.topLevel ?? root, root);
  const changeset = await readChangeset(world, repository, settings, options);
  const objects = openObjects(repository.git);
  try {
    const ends = openEnds({ repository, objects, prefix, changeset, disk });
    const projects = withSettings(await readEnds(ends, complete), settings);
    const { changes, head: files } = ends;
    const facts = { root, prefix, repository, changeset, changes, ...projects };
    return {
      ...facts,
      settings,
      references:
        options.sourceEdges && changeset.unknown.length === 0
          ? await referencesOf(world, { ...facts, files })
          : undefined,
    };
  } finally {
    objects.close();
  }
}

// The parser and the index are loaded only where they are used.
async function referencesOf(
  { env }: CliWorld,
  facts: Omit<ReferencesRequest, "cacheDir">,
): Promise<References | undefined> {
  if (facts.changes.length === 0) return undefined;
  const { openReferences } = await import("./references.js");
  return openReferences({
    ...facts,
    cacheDir: cacheDirOf(env, facts.repository),
  });
}

async function readSettings(files: ProjectFiles): Promise<Settings> {
  const bytes = await files.read("skein.json");
  return bytes ? parseSettings(bytes.toString("utf8")) : defaultSettings;
}

interface Ends {
  readonly changes: readonly Change[];
  readonly head: ProjectFiles;
  readonly base: ProjectFiles | undefined;
}

function openEnds({
  repository,
  objects,
  prefix,
  changeset,
  disk,
}: {
  readonly repository: Repository;
  readonly objects: ObjectReader;
  readonly prefix: string;
  readonly changeset: Changeset;
  readonly disk: ProjectFiles;
}): Ends {
  const dir = prefix.slice(0, -1);
  const changes = changeset.changes.map((change) => ({
    ...change,
    path: relativeTo(change.path, dir),
  }));
  const filesAt = (commit: string) =>
    treeFiles(commitTree(repository.git, objects, commit), prefix);
  const head =
    isOnDisk(changeset) || !changeset.head
      ? disk
      : remembered(filesAt(changeset.head.commit));
  const touched = new Set(changes.map(({ path }) => path));
  return {
    changes,
    head,
    base:
      changeset.base &&
      untouchedFrom(head, filesAt(changeset.base.commit), touched),
  };
}

interface Projects {
  readonly base: Project | undefined;
  readonly head: Project;
}

/** Adds what skein.json says of the graph. @throws Failure (usage) for a name that no package has */
function withSettings({ base, head }: Projects, settings: Settings): Projects {
  const [unknown] = unknownNames(base ? [head, base] : [head], settings);
  if (unknown) {
    const near = nearest(unknown.name, head.graph.workspaces.keys());
    throw usageFailure(
      `"${unknown.field}" names ${printable(unknown.name)}, and no package is called that`,
      {
        place: { file: "skein.json" },
        ...(near.length > 0 && {
          hint: `did you mean ${near.map(printable).join(" or ")}?`,
        }),
      },
    );
  }
  return {
    base: base && withImplicitEdges(base, settings),
    head: withImplicitEdges(head, settings),
  };
}

async function readEnds(
  { changes, head, base }: Ends,
  complete: boolean,
): Promise<Projects> {
  const touched = changes.map(({ path }) => path);
  const touchedManifests = touched.filter(
    (path) => path.endsWith("/package.json") && !path.startsWith("../"),
  );
  const manifests = touched.includes("package.json")
    ? ["package.json", ...touchedManifests]
    : touchedManifests;
  const all = complete || (await globsChanged(manifests, head, base));
  const headProject = await readProject(head, {
    touchedManifests,
    complete: all,
  });
  if (!headProject) {
    throw usageFailure(
      `there is no package.json at the project's root${head.name && ` in ${head.name}`}`,
    );
  }
  const same = !touched.some((path) =>
    /^(yarn\.lock|\.yarnrc\.yml|(.*\/)?package\.json)$/.test(path),
  );
  if (!base || same) return { base: base && headProject, head: headProject };
  return {
    head: headProject,
    base: await readProject(base, {
      touchedManifests,
      complete: all,
      sibling: headProject,
    }),
  };
}

/** Whether the list of workspaces itself changed: then yarn.lock may not have caught up. */
async function globsChanged(
  manifests: readonly string[],
  head: ProjectFiles,
  base: ProjectFiles | undefined,
): Promise<boolean> {
  const globs = async (files: ProjectFiles | undefined, path: string) => {
    const bytes = await files?.read(path);
    if (!bytes) return "";
    try {
      return parseManifest(bytes.toString("utf8"), path).workspaces.join("\n");
    } catch (error) {
      // It may be a test's fixture, broken on purpose; a workspace's is read again, and speaks for itself.
      if (error instanceof ManifestError) return "";
      throw error;
    }
  };
  const changed = await Promise.all(
    manifests.map(
      async (path) => (await globs(head, path)) !== (await globs(base, path)),
    ),
  );
  return changed.includes(true);
}
