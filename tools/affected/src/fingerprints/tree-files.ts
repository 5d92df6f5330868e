import { lstatSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { blobId, commitTree, openObjects } from "@skein/git";
import type { TreeEntry } from "@skein/git";
import { variablesIn } from "@skein/references";
import { relativeTo } from "@skein/workspaces";
import type { TreeFile } from "@skein/workspaces";
import { isOnDisk } from "../files.js";
import type { LocalSurvey } from "../survey.js";
import { dotenvFiles, targetOf, timesOf } from "./kept.js";
import { chooseIgnored, filesOfIgnored, listIgnored } from "./ignored-files.js";
import type { Beside } from "./kept.js";
import { stateOfLink } from "./links.js";

type Place = Pick<LocalSurvey, "root" | "repository">;

/** Mode and content of one file; undefined where the content can't be told, as of a repository inside another. */
type State = string | undefined;

/** Files by path with their states; "gone" for one that isn't there. */
export type ChangedFiles = readonly (readonly [path: string, state: State])[];

/** Every file of a tree, and what lies beside it. */
export interface ListedTree {
  readonly files: readonly TreeFile[];
  readonly beside: Beside;
  /** Files that may differ from git's tree, each with its state. */
  readonly changed: ChangedFiles;
  /** Whether git's tree, `changed` and `beside` tell all of it, so that what comes of it can be kept. */
  readonly isTold: boolean;
}

/**
 * Lists every file at the head of a survey with its content, and files that git ignores and that tools load by name
 * (`.env*` beside a package.json), which belong to the working tree and count for a commit too. What git found unchanged is not read: the tree tells its content.
 * @param variables by path: the environment variables that a file names
 * @param now milliseconds since 1970
 * @param script decides which other ignored files count
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
  const changed = onDisk ? statesOf(facts, changedPaths(facts)) : [];
  for (const [path, state] of changed) {
    if (state === GONE) states.delete(path);
    else states.set(path, state);
  }
  // The links of a commit that the working tree has too: what is outside of git is the same for both.
  const links = linksIn(states).filter(
    (path) => readState(facts, path) === states.get(path),
  );
  let isTold = true;
  for (const path of links) {
    const target = stateOfTarget(path, facts, states);
    if (target === "") continue;
    isTold = false;
    states.set(path, target && `${states.get(path) ?? ""} ${target}`);
  }
  const files = Array.from(states, ([path, state]): TreeFile => {
    const names = variables.get(path);
    return { path, state, ...(names && { variables: names }) };
  });
  const dirs = facts.head.packages.map((each) => each.dir);
  const folders = timesOf(root, dirs, now);
  const dotenvs = dotenvFiles(root, dirs);
  const known = dotenvs.filter((path) => states.has(path));
  const ignored = ignoredFiles(facts, dotenvs, states);
  const listed = await listIgnored(root, repository);
  const chosen = chooseIgnored(facts, script, listed, states.keys());
  const named = filesOfIgnored(root, chosen).map(({ path, isTooMuch }) => ({
    path,
    state: isTooMuch ? undefined : stateOfIgnored(facts, path),
  }));
  const beside = {
    ...{ known, folders, listed, chosen },
    named: named.map(({ path, state = "" }) => [path, state] as const),
    ignored: ignored.map(({ path, state = "" }) => [path, state] as const),
    links: links.map((path) => [path, targetOf(join(root, path))] as const),
  };
  return { files: [...files, ...ignored, ...named], changed, beside, isTold };
}

/** Reads the states of files that may differ from git's tree. @param paths from the project's root */
export function statesOf(place: Place, paths: Iterable<string>): ChangedFiles {
  return [...new Set(paths)]
    .sort()
    .map((path) => [path, readState(place, path)] as const);
}

/** Whether none of these files was written since a moment, by the clock of the file system in milliseconds. */
export function areSettled(
  { root }: Pick<Place, "root">,
  files: ChangedFiles,
  since: number,
): boolean {
  return files.every(([path]) => {
    // Where there is no file, its folder shows that there was one.
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

const LINK = "120000";
const GONE = "gone";

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

/** Paths that may differ from HEAD, from the project's root. */
function changedPaths({ changes }: LocalSurvey): ReadonlySet<string> {
  return new Set(
    changes.flatMap(({ path, origin }) =>
      origin === "committed" ? [] : [path],
    ),
  );
}

function idLength({ repository }: Place): number {
  return repository.objectFormat === "sha256" ? 64 : 40;
}

/** Reads a file of the working tree as git would keep it. */
function readState(facts: Place, path: string): State {
  const file = join(facts.root, path);
  try {
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (!stats) return GONE;
    const id = (bytes: Buffer) => blobId(bytes, idLength(facts));
    if (stats.isSymbolicLink())
      return `${LINK} ${id(Buffer.from(readlinkSync(file)))}`;
    if (!stats.isFile()) return undefined;
    const mode = (stats.mode & 0o100) === 0 ? "100644" : "100755";
    return `${mode} ${id(readFileSync(file))}`;
  } catch {
    return undefined;
  }
}

/** Reads a file that git ignores, by way of links too: tools see what it holds. */
export function stateOfIgnored(place: Place, path: string): State {
  const state = readState(place, path);
  if (state?.startsWith(LINK) !== true) return state;
  const file = join(place.root, path);
  try {
    return statSync(file).isFile()
      ? `${state} ${blobId(readFileSync(file), idLength(place))}`
      : undefined;
  } catch {
    return state; // It leads nowhere.
  }
}

/** What git knows of a link is where it points; what lies there counts too, where it is no file of the project. */
function stateOfTarget(
  path: string,
  facts: LocalSurvey,
  states: ReadonlyMap<string, State>,
): State {
  return stateOfLink(join(facts.root, path), {
    root: facts.root,
    isKnown: (known) => states.has(known),
    idOf: (bytes) => blobId(bytes, idLength(facts)),
  });
}

/** `.env`, `.env.local` and the like beside a package.json, which git ignores. */
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
