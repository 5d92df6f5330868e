import type { Change, Changeset } from "@skein/changes";
import type { Tree } from "@skein/git";
import { usageFailure } from "@skein/reporting/failure";
import { nearest } from "@skein/reporting/nearest";
import { printable } from "@skein/reporting/printable";
import type { Project, ProjectFiles, Settings } from "@skein/workspaces";
import { treeFiles } from "@skein/workspaces/committed";
import {
  unknownNames,
  withImplicitEdges,
} from "@skein/workspaces/implicit-edges";
import { relativeTo } from "@skein/workspaces/paths";
import type { KeyedProject } from "./kept-project.js";
import { isOnDisk, remembered, untouchedFrom } from "../files/files.js";

/** The files of the project at both ends of a change. */
export interface Ends {
  readonly changes: readonly Change[];
  /** Reads the project from the cache of earlier runs, if no change touches it; undefined if there is no cache. */
  readonly kept: (() => Promise<KeyedProject | undefined>) | undefined;
  readonly head: ProjectFiles;
  readonly base: ProjectFiles | undefined;
}

/** Opens both ends without reading anything yet. It makes paths relative to the project's root. */
export function openEnds({
  prefix,
  changeset,
  disk,
  treeAt,
  kept,
}: {
  readonly prefix: string;
  readonly changeset: Changeset;
  readonly disk: ProjectFiles;
  readonly treeAt: (commit: string) => Tree;
  readonly kept?:
    | ((head: ProjectFiles) => Promise<KeyedProject | undefined>)
    | undefined;
}): Ends {
  const dir = prefix.slice(0, -1);
  const changes = changeset.changes.map((change) => ({
    ...change,
    path: relativeTo(change.path, dir),
  }));
  const filesAt = (commit: string) => treeFiles(treeAt(commit), prefix);
  const head =
    isOnDisk(changeset) || !changeset.head
      ? disk
      : remembered(filesAt(changeset.head.commit));
  const touched = new Set(changes.map(({ path }) => path));
  return {
    changes,
    kept: kept && (() => kept(head)),
    head,
    base:
      changeset.base &&
      untouchedFrom(head, filesAt(changeset.base.commit), touched),
  };
}

interface Projects {
  readonly base: Project | undefined;
  readonly head: Project;
  /** A key of all inputs of both projects, if they are the same. */
  readonly key?: string;
}

/** Returns the first name in skein.json that no package has. */
function unknownName({ base, head }: Projects, settings: Settings) {
  return unknownNames(base ? [head, base] : [head], settings)[0];
}

/** Adds the edges of skein.json to the graph. @throws Failure (usage) for a name that no package has */
function withSettings(projects: Projects, settings: Settings): Projects {
  const { base, head } = projects;
  const unknown = unknownName(projects, settings);
  if (unknown) {
    const near =
      // Turborepo's name of the root.
      unknown.name === "//"
        ? [head.graph.root]
        : nearest(unknown.name, head.graph.workspaces.keys());
    throw usageFailure(
      `"${unknown.field}" names ${printable(unknown.name)}, but no package has that name`,
      {
        place: { file: "skein.json" },
        ...(near.length > 0 && {
          hint: `did you mean ${near.map(printable).join(" or ")}?`,
        }),
      },
    );
  }
  const whole = withImplicitEdges(head, settings);
  return {
    ...projects,
    // If both ends are one project, the result is one too, because there is nothing to compare.
    base: base === head ? whole : base && withImplicitEdges(base, settings),
    head: whole,
  };
}

interface Read extends Projects {
  readonly changes: readonly Change[];
  readonly settings: Settings;
}

/**
 * Reads the project at both ends, with the edges of skein.json.
 * @param unlisted folders of workspaces that yarn.lock doesn't list and that no change touches
 */
export async function readEnds(
  ends: Ends,
  complete: boolean,
  settings: Settings,
  unlisted: readonly string[] = [],
): Promise<Read> {
  const projects = await readProjects(ends, complete, unlisted);
  // If yarn.lock doesn't list a package yet, only its manifest contains its name.
  const isSure = complete || !unknownName(projects, settings);
  const known = isSure ? projects : await readProjects(ends, true, unlisted);
  return {
    ...withSettings(known, settings),
    changes: ends.changes,
    settings,
  };
}

async function readProjects(
  { changes, head, base, kept }: Ends,
  complete: boolean,
  unlisted: readonly string[],
): Promise<Projects> {
  const touched = changes.map(({ path }) => path);
  const touchedManifests = touched.filter(
    (path) => path.endsWith("/package.json") && !path.startsWith("../"),
  );
  const manifests = touched.includes("package.json")
    ? ["package.json", ...touchedManifests]
    : touchedManifests;
  const same =
    manifests.length === 0 &&
    !touched.includes("yarn.lock") &&
    !touched.includes("package-lock.json") &&
    !touched.includes(".yarnrc.yml");
  const asKept = same && !complete && unlisted.length === 0;
  const known = asKept && base ? await kept?.() : undefined;
  if (known)
    return { base: known.project, head: known.project, key: known.key };
  const all = complete || (await listsChanged(manifests, head, base));
  const options = {
    touchedManifests: [
      ...touchedManifests,
      ...unlisted.map((dir) => `${dir}/package.json`),
    ],
    complete: all,
  };
  const { readProject } = await import("@skein/workspaces/read-project");
  const headProject = await readProject(head, options);
  if (!headProject) {
    throw usageFailure(
      `there is no package.json at the project's root${head.name && ` in ${head.name}`}`,
    );
  }
  if (!base || same) return { base: base && headProject, head: headProject };
  return {
    head: headProject,
    base: await readProject(base, { ...options, sibling: headProject }),
  };
}

const NO_LISTS = JSON.stringify([[], {}]);

/**
 * Returns whether the list of workspaces changed, because yarn.lock may not be up to date then; or whether the root's
 * scripts changed, because only the manifests show which packages call them.
 */
async function listsChanged(
  manifests: readonly string[],
  head: ProjectFiles,
  base: ProjectFiles | undefined,
): Promise<boolean> {
  if (manifests.length === 0) return false;
  const { ManifestError, parseManifest } =
    await import("@skein/workspaces/manifest");
  const lists = async (files: ProjectFiles | undefined, path: string) => {
    const bytes = await files?.read(path);
    if (!bytes) return NO_LISTS;
    try {
      const text = bytes.toString("utf8");
      const { workspaces, scripts } = parseManifest(text, path);
      return JSON.stringify([
        workspaces,
        path === "package.json" ? scripts : {},
      ]);
    } catch (error) {
      // It may be a test's fixture that is broken on purpose. A workspace's manifest is read again later, and its error
      // is reported then.
      if (error instanceof ManifestError) return NO_LISTS;
      throw error;
    }
  };
  const changed = await Promise.all(
    manifests.map(
      async (path) => (await lists(head, path)) !== (await lists(base, path)),
    ),
  );
  return changed.includes(true);
}
