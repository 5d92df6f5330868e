import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { blobId, commitTree, openObjects } from "@skein/git";
import type { TreeEntry } from "@skein/git";
import { variablesIn } from "@skein/references";
import { relativeTo } from "@skein/workspaces";
import type { TreeFile } from "@skein/workspaces";
import { isOnDisk } from "../files.js";
import type { LocalSurvey } from "../survey.js";
import { stateOfLink } from "./links.js";

/** Mode and content of one file; undefined where the content can't be told, as of a repository inside another. */
type State = string | undefined;

/**
 * Lists every file at the head of a survey with its content, and files that git ignores and that tools load by name
 * (`.env*` beside a package.json). What git found unchanged is not read: the tree tells its content.
 * @param variables by path: the environment variables that a file names
 */
export async function treeFiles(
  facts: LocalSurvey,
  variables: ReadonlyMap<string, readonly string[]>,
): Promise<readonly TreeFile[]> {
  const { prefix, repository, changeset } = facts;
  const dir = prefix.slice(0, -1);
  const onDisk = isOnDisk(changeset);
  const commit = onDisk ? repository.head : changeset.head?.commit;
  const entries = commit === undefined ? [] : await entriesAt(facts, commit);
  const states = new Map<string, State>();
  const links: string[] = [];
  for (const { path, mode, id } of entries) {
    const from = relativeTo(path, dir);
    states.set(from, `${mode} ${id}`);
    if (mode === LINK) links.push(from);
  }
  if (onDisk) {
    for (const path of changedPaths(facts)) {
      const state = readState(facts, path);
      if (state === GONE) states.delete(path);
      else states.set(path, state);
      if (state?.startsWith(LINK)) links.push(path);
    }
    for (const path of new Set(links))
      if (states.get(path)?.startsWith(LINK))
        states.set(path, withTarget(states.get(path), path, facts, states));
  }
  const files = Array.from(states, ([path, state]): TreeFile => {
    const names = variables.get(path);
    return { path, state, ...(names && { variables: names }) };
  });
  return onDisk ? [...files, ...ignoredFiles(facts, states)] : files;
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

function idLength({ repository }: LocalSurvey): number {
  return repository.objectFormat === "sha256" ? 64 : 40;
}

/** Reads a file of the working tree as git would keep it. */
function readState(facts: LocalSurvey, path: string): State {
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

/** What git knows of a link is where it points; what lies there counts too, where it is no file of the project. */
function withTarget(
  state: State,
  path: string,
  facts: LocalSurvey,
  states: ReadonlyMap<string, State>,
): State {
  const target = stateOfLink(join(facts.root, path), {
    root: facts.root,
    isKnown: (known) => states.has(known),
    idOf: (bytes) => blobId(bytes, idLength(facts)),
  });
  if (state === undefined || target === undefined) return undefined;
  return target === "" ? state : `${state} ${target}`;
}

/** `.env`, `.env.local` and the like beside a package.json, which git ignores. */
function ignoredFiles(
  facts: LocalSurvey,
  states: ReadonlyMap<string, State>,
): readonly TreeFile[] {
  const { root, head } = facts;
  return head.packages.flatMap(({ dir }) =>
    namesIn(join(root, dir)).flatMap((name): readonly TreeFile[] => {
      const path = dir === "." ? name : `${dir}/${name}`;
      if (!name.startsWith(".env") || states.has(path)) return [];
      const state = readState(facts, path);
      if (state === GONE) return [];
      const text = readText(join(root, path));
      return [{ path, state, variables: variablesIn(path, text) }];
    }),
  );
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
