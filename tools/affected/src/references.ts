import type { Change, Changeset } from "@skein/changes";
import type { Repository } from "@skein/git";
import { beginReading, readReferences } from "@skein/references";
import type {
  FoundReference,
  Reading,
  ReferenceGraph,
  ReferenceKind,
  ReferringWorkspace,
  SourceEdge,
  AsideNames,
} from "@skein/references";
import {
  compileGlobs,
  openFoundFromBelow,
  openWorkspaceCheck,
} from "@skein/workspaces";
import { isOnDisk } from "./files.js";
import type {
  AffectedSettings,
  Edge,
  PackageFacts,
  PathMatcher,
  Project,
  ProjectFiles,
  References,
  Referrer,
  Settings,
} from "@skein/workspaces";

/** What a tsconfig merely takes in. */
const LISTS: ReadonlySet<ReferenceKind> = new Set<ReferenceKind>([
  "tsconfig-include",
  "tsconfig-paths",
  "tsconfig-reference",
]);

export interface ReferencesRequest {
  readonly repository: Repository;
  /** The project's folder, absolute, and from the top of the repository. */
  readonly root: string;
  readonly prefix: string;
  readonly changeset: Changeset;
  readonly changes: readonly Change[];
  readonly head: Project;
  readonly base: Project | undefined;
  readonly files: ProjectFiles;
  readonly settings: Settings;
  /** A word for all that both projects are made of, where there is one. */
  readonly key?: string | undefined;
  /** Where the index is kept. */
  readonly cacheDir: string;
  /** What was begun before it was asked for. */
  readonly reading?: Reading | undefined;
}

/** What files refer to, and what they tell of the project itself. */
export interface OpenedReferences extends References {
  /** Folders of workspaces that the project lacks: yarn.lock does not know them, and no change touches them. */
  readonly unlisted: readonly string[];
}

/**
 * Reads what files refer to, at head, for the decision.
 * @returns undefined where there is no commit to read from: then nothing is taken for an aside
 */
export async function openReferences(
  request: ReferencesRequest,
): Promise<OpenedReferences | undefined> {
  const graph = await readGraph(request);
  if (!graph) return undefined;
  const rootName = request.head.graph.root;
  return {
    edges: edgesOf(graph, request.head),
    usersOf: (path) =>
      graph
        .refersTo(path)
        .filter(({ from, kind }) => from !== rootName || !LISTS.has(kind))
        .map((reference) => ({
          referrer: referrer(reference),
          testOnly: graph.isAsideUse(reference, path),
          ...folderOf(reference, path),
        })),
    loadersOf: (path) => graph.importersOf(path).map(referrer),
    usersOfAside: (path) =>
      graph.isAside(path)
        ? graph.usersElsewhere(path).map(({ via: [first], testOnly }) => ({
            referrer: referrer(first),
            testOnly,
          }))
        : undefined,
    tsconfigFolders: await tsconfigFolders(request),
    unlisted: graph.unlisted,
    unreadable: graph.unreadable.length,
  };
}

/** The folder by which a reference means a path, where it says no more than that. */
function folderOf({ target }: FoundReference, path: string) {
  if (target.kind === "package") return undefined;
  const folder = target.path;
  return (folder === "" || path.startsWith(`${folder}/`)) && { folder };
}

/** Fields of the root's package.json that tools look for from any folder below: shared settings by their name. */
const SHARED: ReadonlySet<ReferenceKind> = new Set<ReferenceKind>([
  "extends",
  "config",
]);

/** The edges of sources. What a file of the root uses, all packages use that find this file by walking up. */
function edgesOf(graph: ReferenceGraph, head: Project): readonly Edge[] {
  const foundFromBelow = openFoundFromBelow(head);
  const edges = new Map<string, Edge>();
  for (const { from, to, via, testOnly } of graph.sourceEdges()) {
    const evidence = via.map(({ file, line }) => `${file}:${line}`).join(", ");
    for (const name of from === head.graph.root ? usersOf(via) : [from])
      if (name !== to && isNew(`${name}\0${to}`, testOnly))
        edges.set(`${name}\0${to}`, {
          from: name,
          to,
          kind: "source",
          evidence,
          ...(testOnly && { testOnly }),
        });
  }
  return [...edges.values()];

  // What another file than a test says counts before what a test says.
  function isNew(pair: string, testOnly: boolean): boolean {
    const known = edges.get(pair);
    return !known || (known.testOnly === true && !testOnly);
  }

  function usersOf([first]: SourceEdge["via"]): readonly string[] {
    if (!first) return [];
    const users =
      first.file === "package.json" && SHARED.has(first.kind)
        ? head.packages.filter(({ dir }) => dir !== ".")
        : foundFromBelow(first.file);
    return users.map(({ name }) => name);
  }
}

/** Reads what files refer to, at head; undefined where there is no commit to read from. */
export async function readGraph({
  repository,
  root,
  prefix,
  changeset,
  changes,
  head,
  base,
  files,
  settings,
  key,
  cacheDir,
  reading,
}: ReferencesRequest): Promise<ReferenceGraph | undefined> {
  const onDisk = isOnDisk(changeset);
  const commit = onDisk ? repository.head : changeset.head?.commit;
  if (commit === undefined) return undefined;
  return readReferences({
    git: repository.git,
    tree: await treeOf(repository, commit, prefix),
    // What still refers to a package that is gone must be found too.
    get workspaces() {
      return [
        ...head.packages,
        ...(base && base !== head ? base.packages : []),
      ].map(referring);
    },
    workspacesKey: key,
    isWorkspace: openWorkspaceCheck(files, head),
    asides: asideNames(settings.affected),
    checkout: root,
    ...(onDisk && {
      workingTree: {
        dir: root,
        changed: changes
          .filter(
            ({ path, origin }) =>
              origin !== "committed" && !path.startsWith("../"),
          )
          .map(({ path }) => path),
      },
    }),
    cacheDir,
    reading,
  });
}

/** Begins to read the files of a commit of which nothing is kept; undefined where something is. */
export async function beginReferences({
  repository,
  root,
  prefix,
  head,
  cacheDir,
}: Pick<ReferencesRequest, "repository" | "root" | "prefix" | "cacheDir"> & {
  readonly head: string;
}): Promise<Reading | undefined> {
  const tree = await treeOf(repository, head, prefix);
  return beginReading({ git: repository.git, tree, checkout: root, cacheDir });
}

function asideNames({ tests, documentation }: AffectedSettings): AsideNames {
  let isTest: PathMatcher | undefined;
  let isPage: PathMatcher | undefined;
  return {
    key: JSON.stringify([tests, documentation]),
    // Where the edges are known already, nobody asks.
    isTest: (path) => (isTest ??= compileGlobs(tests))(path),
    isPage: (path) => (isPage ??= compileGlobs(documentation))(path),
  };
}

function referring(facts: PackageFacts): ReferringWorkspace {
  const { name, dir } = facts;
  let declared: ReadonlySet<string> | undefined;
  return {
    name,
    dir,
    // Hardly any is asked for.
    get declared() {
      return (declared ??= new Set(
        facts.dependencies.map(({ ident }) => ident),
      ));
    },
  };
}

function referrer({ file, line, specifier }: FoundReference): Referrer {
  return { file, line, specifier };
}

/** The id of the project's tree: the index goes by it. */
async function treeOf(
  { git, head, known, prefix: asked }: Repository,
  commit: string,
  prefix: string,
): Promise<string> {
  if (known.tree !== undefined && commit === head && prefix === asked)
    return known.tree;
  const name =
    prefix === "" ? `${commit}^{tree}` : `${commit}:${prefix.slice(0, -1)}`;
  const { stdout } = await git.run([
    "rev-parse",
    "--verify",
    "--end-of-options",
    name,
  ]);
  return stdout.toString("latin1").trim();
}

/** Listing every file costs: it is done only where a tsconfig.json that no package owns may have changed in effect. */
async function tsconfigFolders({
  changes,
  head,
  files,
}: ReferencesRequest): Promise<ReadonlySet<string>> {
  const unowned = changes.some(
    ({ path }) =>
      head.graph.ownerOf(path).dir === "." && /\.jsonc?$/.test(path),
  );
  if (!unowned) return new Set();
  const suffix = "/tsconfig.json";
  const configs = (await files.list()).filter((path) => path.endsWith(suffix));
  return new Set(configs.map((path) => path.slice(0, -suffix.length)));
}
