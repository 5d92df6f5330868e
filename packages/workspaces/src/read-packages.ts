import { createHash } from "node:crypto";
import { posix } from "node:path";
import { identOf, workspaceDirOf, type Lockfile } from "./lockfile/lockfile.js";
import { compileWorkspaceGlobs } from "./manifest/globs.js";
import { parseManifest } from "./manifest/manifest.js";
import type { Dependency, Manifest } from "./manifest/manifest.js";
import { openMembership, type GlobsAt } from "./manifest/membership.js";
import type { PackageFacts, Project } from "./project.js";

/** The files of a project, relative to its root: from the disk, from a commit, or through an API. */
export interface ProjectFiles {
  /** The name in messages: `` for the working tree, a commit for others. */
  readonly name: string;
  read(path: string): Promise<Buffer | undefined>;
  /** Lists the paths of all files. It is called only if yarn.lock doesn't contain the workspaces. */
  list(): Promise<readonly string[]>;
}

/** Returns the workspaces in a lockfile, by folder. */
export function packagesOf({ entries }: Lockfile): Map<string, PackageFacts> {
  const packages = new Map<string, PackageFacts>();
  for (const { resolution, dependencies, peerDependencies, text } of entries) {
    const dir = workspaceDirOf(resolution);
    if (dir === undefined) continue;
    const facts: Dependency[] = [];
    // The lockfile has dependencies and devDependencies in one list. Only the manifest distinguishes them.
    for (const [ident, range] of dependencies)
      facts.push({ ident, range, field: "dependencies" });
    const optional = optionalPeersIn(text);
    for (const [ident, range] of peerDependencies)
      facts.push({
        ident,
        range,
        field: "peerDependencies",
        ...(optional.has(ident) && { isOptional: true }),
      });
    packages.set(dir, { name: identOf(resolution), dir, dependencies: facts });
  }
  return packages;
}

const NO_NAMES: ReadonlySet<string> = new Set();

/** Returns the optional peers in an entry's text, as Yarn 2 to 5 write them. */
function optionalPeersIn(text: string): ReadonlySet<string> {
  const [, section] =
    /^ {2}peerDependenciesMeta:\n((?: {4}.*(?:\n|$))+)/m.exec(text) ?? [];
  if (section === undefined) return NO_NAMES;
  return new Set(
    Array.from(
      section.matchAll(/^ {4}"?([^\s":]+)"?:\n {6}optional: true$/gm),
      ([, ident = ""]) => ident,
    ),
  );
}

/**
 * Returns the lockfile's packages, updated from the touched manifests.
 * @param packages by folder; they are changed
 */
export async function withTouchedManifests(
  files: ProjectFiles,
  packages: Map<string, PackageFacts>,
  root: Manifest,
  touched: readonly string[],
): Promise<PackageFacts[]> {
  packages.set(".", factsOf(root, ".", packages.get(".")?.name));
  const folders = touched.map(folderOf).filter((dir) => dir !== ".");
  const texts = await Promise.all(
    folders.map((dir) => files.read(`${dir}/package.json`)),
  );
  const found = new Map(folders.map((dir, index) => [dir, texts[index]]));
  const isMember = openMembership(globsIn(files, packages, root));
  // A nested workspace depends on its parent's globs, so parents come first.
  for (const dir of folders.toSorted((a, b) => a.length - b.length)) {
    const text = found.get(dir);
    if (!text) {
      packages.delete(dir);
      continue;
    }
    // A package.json that isn't a workspace's, such as a test fixture, may be invalid on purpose.
    if (!packages.has(dir) && !(await isMember(dir))) continue;
    const manifest = manifestOf(text, files, dir);
    packages.set(dir, factsOf(manifest, dir, packages.get(dir)?.name));
  }
  return [...packages.values()];
}

/**
 * Returns a function that checks whether a folder with a manifest is a workspace although yarn.lock doesn't contain it
 * yet.
 * @param files those that the project was read from
 */
export function openWorkspaceCheck(
  files: ProjectFiles,
  project: Project,
): (dir: string) => Promise<boolean> {
  // Few commands need it.
  let isMember: ((dir: string) => Promise<boolean>) | undefined;
  const open = () => {
    const known = new Map(project.packages.map((facts) => [facts.dir, facts]));
    return openMembership(globsIn(files, known, project.root));
  };
  return (dir) => (isMember ??= open())(dir);
}

function globsIn(
  files: ProjectFiles,
  packages: ReadonlyMap<string, PackageFacts>,
  root: Manifest,
): GlobsAt {
  return async (dir) => {
    if (dir === ".") return root.workspaces;
    const facts = packages.get(dir);
    if (!facts) return undefined;
    return (facts.manifest ?? (await readManifest(files, dir)))?.workspaces;
  };
}

/**
 * Reads every workspace, by the globs of the root and of the workspaces themselves. Git lists no files of one that is in a
 * submodule, behind a symlink or ignored, but yarn.lock lists it. Without its manifest, it has what yarn.lock contains.
 */
export async function readManifests(
  files: ProjectFiles,
  root: Manifest,
  lockfile: Lockfile | undefined,
): Promise<PackageFacts[]> {
  const locked = lockfile ? packagesOf(lockfile) : new Map<string, never>();
  const nameOf = (dir: string) => locked.get(dir)?.name;
  const paths = await files.list();
  const listed = paths.filter((path) => path.endsWith("/package.json"));
  const folders = [
    ...new Set([...listed.map(folderOf), ...locked.keys()]),
  ].sort((a, b) => (a < b ? -1 : 1));
  const isBehind = openIsBehind(paths);
  const packages = new Map([[".", factsOf(root, ".", nameOf("."))]]);
  const open: { readonly dir: string; readonly globs: readonly string[] }[] = [
    { dir: ".", globs: root.workspaces },
  ];
  for (let parent = open.pop(); parent; parent = open.pop()) {
    const prefix = parent.dir === "." ? "" : `${parent.dir}/`;
    const matches = compileWorkspaceGlobs(parent.globs);
    const members = folders.filter(
      (dir) =>
        !packages.has(dir) &&
        dir.startsWith(prefix) &&
        matches(dir.slice(prefix.length)),
    );
    const manifests = await Promise.all(
      members.map((dir) => readManifest(files, dir)),
    );
    members.forEach((dir, index) => {
      const manifest = manifests[index];
      const facts = manifest
        ? factsOf(manifest, dir, nameOf(dir))
        : locked.get(dir);
      if (!facts || (!manifest && !isBehind(dir))) return;
      packages.set(dir, facts);
      if (!manifest) return;
      if (manifest.workspaces.length > 0)
        open.push({ dir, globs: manifest.workspaces });
    });
  }
  if (!lockfile) await addUnlisted(packages, files, root, paths);
  return [...packages.values()];
}

/**
 * Adds workspaces whose files git doesn't list, without a lockfile that contains them: symlinks and submodules, and folders that
 * a glob names. If a package has the name already, it is the same one at another path.
 */
async function addUnlisted(
  packages: Map<string, PackageFacts>,
  files: ProjectFiles,
  root: Manifest,
  paths: readonly string[],
): Promise<void> {
  const matches = compileWorkspaceGlobs(root.workspaces);
  const named = root.workspaces
    .filter((glob) => !/[*?![\]{}()]/.test(glob))
    .map((glob) => posix.normalize(glob).replace(/\/$/, ""));
  // Git lists a symlink or a submodule like a file; files mostly have an ending.
  const listed = paths.filter((path) => /(?:^|\/)[^./]+$/.test(path));
  const names = new Set([...packages.values()].map(({ name }) => name));
  for (const dir of new Set([...named, ...listed])) {
    if (packages.has(dir) || !matches(dir) || /^\.\.(\/|$)/.test(dir)) continue;
    const manifest = await readManifest(files, dir);
    const facts = manifest && factsOf(manifest, dir, undefined);
    if (!facts || names.has(facts.name)) continue;
    packages.set(dir, facts);
    names.add(facts.name);
  }
}

/** Opens a check whether a folder is a submodule or a symlink, or in one: git lists it, or a folder above, as if it were a file. */
function openIsBehind(paths: readonly string[]): (dir: string) => boolean {
  let known: ReadonlySet<string> | undefined;
  return (dir) => {
    known ??= new Set(paths);
    for (let each = dir; each !== "."; each = folderOf(each))
      if (known.has(each)) return true;
    return false;
  };
}

/** Returns the manifest in a folder; undefined if there is none. */
export async function readManifest(
  files: ProjectFiles,
  dir: string,
): Promise<Manifest | undefined> {
  const bytes = await files.read(`${dir}/package.json`);
  return bytes && manifestOf(bytes, files, dir);
}

function manifestOf(bytes: Buffer, files: ProjectFiles, dir: string): Manifest {
  const path = nameIn(files, `${dir}/package.json`);
  return parseManifest(bytes.toString("utf8"), path);
}

/** @param lockName the name in yarn.lock for a manifest without one (Yarn derives it from the folder and a hash) */
function factsOf(
  manifest: Manifest,
  dir: string,
  lockName: string | undefined,
): PackageFacts {
  const name = manifest.name ?? lockName ?? standInName(dir);
  return { name, dir, dependencies: manifest.dependencies, manifest };
}

/** Returns Yarn's name for a workspace without one: its folder's name, and six digits of a hash of its path. */
function standInName(dir: string): string {
  const hash = createHash("sha512")
    .update(dir === "." ? "" : dir)
    .digest("hex")
    .slice(0, 6);
  return `${dir === "." ? "root-workspace" : dir.slice(dir.lastIndexOf("/") + 1)}-${hash}`;
}

function folderOf(manifestPath: string): string {
  const slash = manifestPath.lastIndexOf("/");
  return slash < 0 ? "." : manifestPath.slice(0, slash);
}

/** Returns the name of a file in messages. */
export function nameIn({ name }: ProjectFiles, path: string): string {
  return name === "" ? path : `${path} at ${name}`;
}
