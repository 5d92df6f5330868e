import { readYarnSettings } from "./catalogs.js";
import { drawEdges } from "./edges.js";
import { NPM_LOCK } from "./lockfile/compare.js";
import { completeLockfile } from "./lockfile/complete.js";
import { extendLockfile } from "./lockfile/extend.js";
import { workspaceDirOf } from "./lockfile/lockfile.js";
import type { Lockfile } from "./lockfile/lockfile.js";
import { readNpmLock } from "./lockfile/npm-lock.js";
import { listsWorkspaces, parseAnyLockfile } from "./lockfile/parse-any.js";
import { parseResolutions } from "./lockfile/resolutions.js";
import { openResolver, type ResolutionContext } from "./lockfile/resolver.js";
import { makeGraph } from "./make-graph.js";
import { assertWorkspaceGlobs, parseManifest } from "./manifest/manifest.js";
import type { Dependency, Manifest } from "./manifest/manifest.js";
import { unmatchedGlobs } from "./manifest/unmatched-globs.js";
import { readProfiles, withProfiles } from "./profiles.js";
import type { LockState, Project } from "./project.js";
import {
  nameIn,
  withTouchedManifests,
  packagesOf,
  type ProjectFiles,
  readManifest,
  readManifests,
} from "./read-packages.js";

export { listsWorkspaces };

export interface ReadProjectOptions {
  /**
   * Manifests that may differ from yarn.lock: those that the changeset touches. The others follow from the lockfile
   * without reading them.
   */
  readonly touchedManifests: readonly string[];
  /** Whether to read every manifest: for scripts, for exact kinds of edges, or if globs changed. */
  readonly complete: boolean;
  /** The project at another point in time. Equal parts of its lockfile are not parsed again. */
  readonly sibling?: Project | undefined;
}

/** Reads every manifest. */
const COMPLETE = { touchedManifests: [], complete: true };

/**
 * Reads a project at one point in time.
 * @returns undefined if there is no package.json at its root (the project did not exist then)
 * @throws {ManifestError} {LockfileError} {DuplicateWorkspaceError} if it cannot be read
 */
export async function readProject(
  files: ProjectFiles,
  options: ReadProjectOptions = COMPLETE,
): Promise<Project | undefined> {
  const [rootText, lockText, yarnrcText] = await Promise.all(
    ["package.json", "yarn.lock", ".yarnrc.yml"].map(async (path) =>
      (await files.read(path))?.toString("utf8"),
    ),
  );
  if (rootText === undefined) return undefined;
  const root = parseManifest(rootText, nameIn(files, "package.json"));
  assertWorkspaceGlobs(root, nameIn(files, "package.json"));
  const known = options.sibling?.lock;
  const lockfile =
    lockText === undefined
      ? undefined
      : known?.text === lockText
        ? (known.lockfile.written ?? known.lockfile)
        : parseAnyLockfile(
            lockText,
            known?.lockfile.written ?? known?.lockfile,
          );
  if (lockfile?.leavesOutWorkspaces)
    return readByManifests(files, root, lockfile, lockText ?? "", yarnrcText);
  const packages =
    lockfile && !options.complete
      ? await withTouchedManifests(
          files,
          packagesOf(lockfile),
          root,
          options.touchedManifests,
        )
      : await readManifests(files, root, lockfile);
  const lock =
    lockfile && lockState(lockfile, lockText ?? "", root, yarnrcText ?? "");
  const { edges, ...drawn } = drawEdges(packages, lock);
  const npmLock =
    lockText === undefined ? await readNpm(files, options.sibling) : undefined;
  return {
    root,
    packages,
    lock,
    ...(npmLock && { npmLock }),
    ...drawn,
    unmatchedGlobs: unmatchedGlobs(root.workspaces, [
      ...packages.map(({ dir }) => dir),
      // yarn.lock also contains workspaces that git ignores, and those that the change deletes.
      ...workspaceDirs(lockfile),
    ]),
    graph: makeGraph(packages, edges),
  };
}

/** Reads npm's lockfile, if there is one. */
async function readNpm(
  files: ProjectFiles,
  sibling: Project | undefined,
): Promise<LockState | undefined> {
  const text = (await files.read(NPM_LOCK))?.toString("utf8");
  if (text === undefined) return undefined;
  const known = sibling?.npmLock;
  return known?.text === text ? known : readNpmLock(text);
}

/** Reads a project of Yarn 1 or Yarn 6, whose yarn.lock doesn't contain workspaces. */
async function readByManifests(
  files: ProjectFiles,
  root: Manifest,
  written: Lockfile,
  lockText: string,
  yarnrc = "",
): Promise<Project> {
  const found = await readManifests(files, root, undefined);
  const packages = withProfiles(found, readProfiles(yarnrc));
  const lockfile = await completeLockfile(
    written,
    packages,
    resolutionContext(root, yarnrc),
    async (dir) => {
      // Files outside the project are not read, so such a folder may depend on anything.
      if (dir === ".." || dir.startsWith("../")) return undefined;
      const manifest = await readManifest(files, dir);
      return manifest && usedByDependents(manifest);
    },
  );
  const lock = lockState(lockfile, lockText, root, yarnrc);
  const { edges, ...drawn } = drawEdges(packages, lock);
  return {
    root,
    packages,
    lock,
    ...drawn,
    unmatchedGlobs: unmatchedGlobs(
      root.workspaces,
      packages.map(({ dir }) => dir),
    ),
    graph: makeGraph(packages, edges),
  };
}

/** Returns the dependencies that Yarn installs for a folder's dependents, without its development dependencies. */
function usedByDependents({ dependencies }: Manifest) {
  const of = (...fields: readonly Dependency["field"][]) =>
    dependencies
      .filter(({ field }) => fields.includes(field))
      .map(({ ident, range }) => [ident, range] as const);
  return {
    dependencies: of("dependencies", "optionalDependencies"),
    peerDependencies: of("peerDependencies"),
  };
}

function resolutionContext(root: Manifest, yarnrc: string): ResolutionContext {
  return {
    resolutions: parseResolutions(root.resolutions),
    catalogs: readYarnSettings(yarnrc).catalogs,
  };
}

function lockState(
  lockfile: Lockfile,
  text: string,
  root: Manifest,
  yarnrc: string,
): LockState {
  const context = resolutionContext(root, yarnrc);
  const { extensions, rest } = readYarnSettings(yarnrc);
  const extended = extendLockfile(lockfile, extensions);
  return {
    lockfile: extended.lockfile,
    text,
    ...context,
    yarnSettingsRest: [rest, ...extended.others].join("\n"),
    resolver: openResolver(extended.lockfile, context),
  };
}

function workspaceDirs(lockfile: Lockfile | undefined): string[] {
  return (lockfile?.entries ?? []).flatMap(
    ({ resolution }) => workspaceDirOf(resolution) ?? [],
  );
}
