import { lstatSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { blobId, commitTree, idLengthOf, openObjects } from "@skein/git";
import type { TreeEntry } from "@skein/git";
import { variablesIn } from "@skein/references";
import { relativeTo, type TreeFile } from "@skein/workspaces";
import { isOnDisk } from "../files/files.js";
import type { LocalSurvey } from "../survey.js";
import { timesOf } from "./folder-times.js";
import { dotenvFiles, targetOf, type OutsideTree } from "./kept.js";
import { listOutsideGit } from "./outside-git.js";
import { chooseIgnored, filesOfIgnored } from "./ignored-files.js";
import { stateOfLink } from "./links.js";
import { applyUnreported, GONE, readUnreported } from "./unreported.js";
import type { UnreportedFiles } from "./unreported.js";

type Place = Pick<LocalSurvey, "root" | "repository">;

/** The mode and content id of one file; undefined if the content is unknown, for example that of a nested repository. */
type State = string | undefined;

/** Files by path with their states; "gone" for a file that doesn't exist. */
export type ChangedFiles = readonly (readonly [path: string, state: State])[];

/** All files of a tree, and its inputs outside of git's tree. */
export interface ListedTree {
  readonly files: readonly TreeFile[];
  readonly outside: OutsideTree;
  /** Files that may differ from git's tree, each with its state. */
  readonly changed: ChangedFiles;
  readonly unreported: UnreportedFiles;
  /** Whether git's tree and the lists above describe the tree completely, so that results can be cached under them. */
  readonly isComplete: boolean;
}

/**
 * Lists every file at the head of a survey with its content. It includes files that git ignores and that tools load by name
 * (`.env*` beside a package.json): they belong to the working tree, and count for a commit too. Files that git found
 * unchanged aren't read, because git's tree contains the ids of their contents.
 * @param variables by path: the environment variables that a file names
 * @param now milliseconds since 1970
 * @param script determines which other ignored files count
 */
export async function listTree(
  facts: LocalSurvey,
  variables: ReadonlyMap<string, readonly string[]>,
  now: number,
  script: string | undefined,
): Promise<ListedTree> {
  const { prefix, repository, changeset, root } = facts;
  const dir = prefix.slice(0, -1);
  const onDisk = isOnDisk(changeset);
  const commit = onDisk ? repository.head : changeset.head?.commit;
  const entries = commit === undefined ? [] : await entriesAt(facts, commit);
  const states = new Map<string, State>();
  for (const { path, mode, id } of entries)
    states.set(relativeTo(path, dir), `${mode} ${id}`);
  const unreported = onDisk ? await readUnreported(root, repository) : [];
  applyUnreported(states, unreported);
  const changed = onDisk ? statesOf(facts, changedPaths(facts)) : [];
  for (const [path, state] of changed) {
    if (state === GONE) states.delete(path);
    else states.set(path, state);
  }
  // The links of a commit that the working tree contains too. Content outside of git is the same for both.
  const links = linksIn(states).filter(
    (path) => readState(facts, path) === states.get(path),
  );
  const isComplete = !applyTargets(states, links, facts);
  const files = Array.from(states, ([path, state]): TreeFile => {
    const names = variables.get(path);
    return { path, state, ...(names && { variables: names }) };
  });
  const dirs = facts.head.packages.map((each) => each.dir);
  const folders = foldersOf(states.keys());
  const dotenvs = dotenvFiles(root, dirs);
  const known = dotenvs.filter((path) => states.has(path));
  const ignored = ignoredFiles(facts, dotenvs, states);
  const listed = await listOutsideGit(
    root,
    repository,
    onDisk ? Promise.resolve(untrackedPaths(facts)) : undefined,
  );
  const chosen = chooseIgnored(facts, script, listed.ignored, states.keys());
  // A script that lists a folder sees the empty folders in it.
  const empty = listed.empty.map((path) => ({ path, state: "empty folder" }));
  const named = filesOfIgnored(root, chosen).map(({ path, isTooMuch }) => ({
    path,
    state: isTooMuch ? undefined : stateOfIgnored(facts, path),
  }));
  const outside = {
    ...{ known, listed, chosen },
    // Entries of empty folders aren't files, so a change of them would not be noticed otherwise.
    folders: timesOf(
      root,
      new Set([
        ...folders,
        ...listed.empty,
        ...foldersOf(named.map(({ path }) => path)),
      ]),
      now,
    ),
    named: named.map(({ path, state = "" }) => [path, state] as const),
    ignored: ignored.map(({ path, state = "" }) => [path, state] as const),
    links: links.map((path) => [path, targetOf(root, path)] as const),
  };
  return {
    files: [...files, ...ignored, ...named, ...empty],
    ...{ changed, unreported, outside, isComplete },
  };
}

/**
 * Adds the contents of targets outside of the project to the states of links, and of manifests that depend on a path.
 * @returns whether there are any
 */
function applyTargets(
  states: Map<string, State>,
  links: readonly string[],
  facts: LocalSurvey,
): boolean {
  let isAny = false;
  for (const path of links) {
    const target = stateOfTarget(path, facts, states);
    if (target === "") continue;
    isAny = true;
    states.set(path, target && `${states.get(path) ?? ""} ${target}`);
  }
  for (const { workspace, path } of facts.head.pathTargets) {
    if (!path.startsWith("../")) continue;
    isAny = true;
    const { dir: home = "." } =
      facts.head.graph.workspaces.get(workspace) ?? {};
    const manifest = home === "." ? "package.json" : `${home}/package.json`;
    const target = stateOfTarget(path, facts, states, INSTALLED);
    const state = states.get(manifest);
    states.set(
      manifest,
      target === undefined ? undefined : `${state ?? ""} ${target}`,
    );
  }
  return isAny;
}

/** Reads the states of files that may differ from git's tree. @param paths relative to the project's root */
export function statesOf(place: Place, paths: Iterable<string>): ChangedFiles {
  return [...new Set(paths)]
    .sort()
    .map((path) => [path, readState(place, path)] as const);
}

/** Returns whether none of these files was written since a time, by the clock of the file system in milliseconds. */
export function areSettled(
  { root }: Pick<Place, "root">,
  files: ChangedFiles,
  since: number,
): boolean {
  return files.every(([path]) => {
    // If the file doesn't exist, the time of its folder shows when it was removed.
    for (let at = join(root, path); ; at = dirname(at)) {
      const stats = lstatSync(at, { throwIfNoEntry: false });
      if (stats) return stats.ctimeMs < since;
    }
  });
}

function linksIn(states: ReadonlyMap<string, State>): readonly string[] {
  return [...states].flatMap(([path, state]) =>
    state?.startsWith(LINK) === true ? [path] : [],
  );
}

/** Folders that installs and git create in a package outside of the project (`portal:`, `link:`). They don't count. */
const INSTALLED = new Set(["node_modules", ".git"]);
const LINK = "120000";

async function entriesAt(
  { repository: { git } }: LocalSurvey,
  commit: string,
): Promise<readonly TreeEntry[]> {
  const objects = openObjects(git);
  try {
    return await commitTree(git, objects, commit).list();
  } finally {
    objects.close();
  }
}

/** Returns the paths that may differ from HEAD, relative to the project's root. */
function changedPaths({ changes }: LocalSurvey): ReadonlySet<string> {
  return new Set(
    changes.flatMap(({ path, origin }) =>
      origin === "committed" ? [] : [path],
    ),
  );
}

/** Returns the folders of files, with all folders above them. */
function foldersOf(paths: Iterable<string>): ReadonlySet<string> {
  const folders = new Set(["."]);
  for (const path of paths)
    for (
      let dir = dirname(path);
      !folders.has(dir) && !dir.startsWith("..");
      dir = dirname(dir)
    )
      folders.add(dir);
  return folders;
}

/** Returns new files that git doesn't ignore, from the project's root. */
function untrackedPaths({
  changes,
}: Pick<LocalSurvey, "changes">): readonly string[] {
  return changes.flatMap(({ path, origin }) =>
    origin === "untracked" ? [path] : [],
  );
}

/** Reads a file of the working tree in the form in which git would store it. */
function readState(facts: Place, path: string): State {
  const file = join(facts.root, path);
  try {
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (!stats) return GONE;
    const id = (bytes: Buffer) => blobId(bytes, idLengthOf(facts.repository));
    if (stats.isSymbolicLink())
      return `${LINK} ${id(Buffer.from(readlinkSync(file)))}`;
    if (!stats.isFile()) return undefined;
    const mode = (stats.mode & 0o100) === 0 ? "100644" : "100755";
    return `${mode} ${id(readFileSync(file))}`;
  } catch {
    return undefined;
  }
}

/** Reads a file that git ignores. It follows links, because tools read their targets. */
export function stateOfIgnored(place: Place, path: string): State {
  const state = readState(place, path);
  if (state?.startsWith(LINK) !== true) return state;
  const file = join(place.root, path);
  try {
    return statSync(file).isFile()
      ? `${state} ${blobId(readFileSync(file), idLengthOf(place.repository))}`
      : undefined;
  } catch {
    return state; // The link has no target.
  }
}

/**
 * Returns the state of a link's target, if that isn't a file of the project. Git itself stores only the path of the target.
 */
function stateOfTarget(
  path: string,
  facts: LocalSurvey,
  states: ReadonlyMap<string, State>,
  skips?: ReadonlySet<string>,
): State {
  return stateOfLink(join(facts.root, path), {
    root: facts.root,
    ...(skips && { skips }),
    isKnown: (known) => states.has(known),
    idOf: (bytes) => blobId(bytes, idLengthOf(facts.repository)),
  });
}

/** Returns the ignored files beside a package.json whose name begins with `.env`. */
function ignoredFiles(
  facts: LocalSurvey,
  dotenvs: readonly string[],
  states: ReadonlyMap<string, State>,
): readonly TreeFile[] {
  return dotenvs.flatMap((path): readonly TreeFile[] => {
    if (states.has(path)) return [];
    const state = stateOfIgnored(facts, path);
    const text = readText(join(facts.root, path));
    return [{ path, state, variables: variablesIn(path, text) }];
  });
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
