import type { Change, Changeset } from "@skein/changes";
import type { Repository } from "@skein/git";
import { beginReading, readReferences, TOOL_SETTINGS } from "@skein/references";
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
  compileTests,
  openLookups,
  openSettingsCheck,
  openUnits,
  openWorkspaceCheck,
} from "@skein/workspaces";
import { isOnDisk } from "./files.js";
import type {
  AffectedSettings,
  Edge,
  Lookups,
  PackageFacts,
  PathMatcher,
  Project,
  ProjectFiles,
  References,
  Referrer,
  Settings,
  User,
} from "@skein/workspaces";

/** References by which a tsconfig only lists files. */
const LISTS: ReadonlySet<ReferenceKind> = new Set<ReferenceKind>([
  "tsconfig-include",
  "tsconfig-paths",
  "tsconfig-reference",
]);

export interface ReferencesRequest {
  readonly repository: Repository;
  /** The project's folder: absolute, and relative to the top of the repository. */
  readonly root: string;
  readonly prefix: string;
  readonly changeset: Changeset;
  readonly changes: readonly Change[];
  readonly head: Project;
  readonly base: Project | undefined;
  readonly files: ProjectFiles;
  readonly settings: Settings;
  /** Selects for this script; undefined for all of them. */
  readonly script: string | undefined;
  /** Whether the caller needs all files, not only those that changed. */
  readonly wholeTree?: boolean | undefined;
  /** A key of all inputs of both projects, if there is one. */
  readonly key?: string | undefined;
  /** The folder of the index. */
  readonly cacheDir: string;
  /** The reading that started before it was known to be needed. */
  readonly reading?: Reading | undefined;
}

/** The references of all files, and what they show about the project itself. */
export interface OpenedReferences extends References {
  /** Folders of workspaces that the project lacks: yarn.lock doesn't list them, and no change touches them. */
  readonly unlisted: readonly string[];
  /** Returns the environment variables that each file names, or may name, by file. */
  variables(): ReadonlyMap<string, readonly string[]>;
}

/**
 * Reads the references of files at head, for the decision.
 * @returns undefined if there is no commit to read from; then no file counts as an aside
 */
export async function openReferences(
  request: ReferencesRequest,
): Promise<OpenedReferences | undefined> {
  const graph = await readGraph(request);
  if (!graph) return undefined;
  const rootName = request.head.graph.root;
  const scripts = {
    scriptsOf: (name: string) => graph.scriptsOf(name),
    ownerOfBin: (program: string) => graph.ownerOfBin(program),
    speakersOf: (programs: ReadonlySet<string>, endings: readonly string[]) =>
      graph.speakersOf(programs, endings),
  };
  return {
    edges: edgesOf(graph, request),
    usersOf: (path) =>
      graph
        .refersTo(path)
        .filter(({ from, kind }) => from !== rootName || !LISTS.has(kind))
        .map((reference) => ({
          ...userOf(reference, graph.isAsideUse(reference, path)),
          ...(graph.isApart(reference.file, reference.kind) && {
            isApart: true,
          }),
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
    ...scripts,
    namersOf: (external) =>
      graph.namersOf(external).map(({ reference, testOnly }) => ({
        workspace: reference.from,
        user: userOf(reference, testOnly),
      })),
    tsconfigFolders: await tsconfigFolders(request),
    unlisted: graph.unlisted,
    variables: () => graph.variables(),
    unreadable: graph.unreadable.length,
  };
}

/** Returns the folder of a path to which a reference leads, if the reference is to a folder. */
function folderOf({ target }: FoundReference, path: string) {
  if (target.kind === "package") return undefined;
  const folder = target.path;
  return (folder === "" || path.startsWith(`${folder}/`)) && { folder };
}

function userOf(reference: FoundReference, testOnly: boolean): User {
  const { kind } = reference;
  return {
    referrer: referrer(reference),
    testOnly,
    ...(kind === "selection" && { isSelection: true }),
    ...(TOOL_SETTINGS.has(kind) && { isSetting: true }),
  };
}

/**
 * Returns the edges from sources. If a file of the root refers to a package, all packages whose units look this file up
 * depend on it.
 */
function edgesOf(
  graph: ReferenceGraph,
  { head, script }: Pick<ReferencesRequest, "head" | "script">,
): readonly Edge[] {
  const lookups = openLookups(
    head,
    openUnits({
      packages: head.packages,
      root: head.graph.root,
      scriptsOf: (name) => graph.scriptsOf(name) ?? {},
      ownerOfBin: (program) => graph.ownerOfBin(program),
      names: (workspace, external) =>
        graph
          .namersOf(external)
          .some(({ reference }) => reference.from === workspace),
      speakersOf: (programs, endings) => graph.speakersOf(programs, endings),
      script,
    }),
  );
  const edges = new Map<string, Edge>();
  for (const { from, to, via, testOnly, ownOnly } of graph.sourceEdges()) {
    const evidence = via.map(({ file, line }) => `${file}:${line}`).join(", ");
    const users =
      from === head.graph.root ? usersOf(via, lookups, head) : [{ name: from }];
    for (const { name, isIsolated = testOnly } of users) {
      const key = `${name}\0${to}\0${ownOnly ? "own" : ""}`;
      const known = edges.get(key);
      // A reference from a file other than a test takes precedence over one from a test.
      if (name === to || (known && (!known.testOnly || isIsolated))) continue;
      edges.set(key, {
        from: name,
        to,
        kind: "source",
        evidence,
        ...(isIsolated && { testOnly: true }),
        ...(ownOnly && { ownOnly }),
      });
    }
  }
  return [...edges.values()];
}

/** Returns the packages that look up the file of the root in which a chain of references starts. */
function usersOf(
  [first]: SourceEdge["via"],
  lookups: Lookups,
  { root }: Project,
): readonly { readonly name: string; readonly isIsolated?: boolean }[] {
  if (!first) return [];
  const readers =
    first.file !== "package.json"
      ? lookups.readersOf(first.file)
      : TOOL_SETTINGS.has(first.kind)
        ? Object.keys(root.fields).flatMap((field) =>
            lookups.readersOfField(field),
          )
        : [];
  return readers
    .filter(({ workspace: { dir }, passesOn }) => passesOn && dir !== ".")
    .map(({ workspace: { name }, lookup: { spreads } }) => ({
      name,
      isIsolated: !spreads,
    }));
}

/** Reads the references of all files at head; undefined if there is no commit to read from. */
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
    // References to a package that was removed must be found too.
    get workspaces() {
      return [
        ...head.packages.map((facts) => referring(facts, head)),
        ...(base && base !== head
          ? base.packages.map((facts) => referring(facts, base))
          : []),
      ];
    },
    workspacesKey: key,
    isWorkspace: openWorkspaceCheck(files, head),
    asides: asideNames(settings.affected, head),
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

/** Starts to read the files of a commit if no part of it is cached; undefined otherwise. */
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

function asideNames(
  { tests, documentation }: AffectedSettings,
  head: Project,
): AsideNames {
  let isTest: PathMatcher | undefined;
  let isPage: PathMatcher | undefined;
  return {
    key: JSON.stringify([tests, documentation]),
    // If the edges are known already, this isn't called.
    isTest: (path) => (isTest ??= compileTests(tests))(path),
    isPage: (path) => (isPage ??= compileGlobs(documentation))(path),
    isLookedUp: openSettingsCheck(head),
  };
}

function referring(facts: PackageFacts, project: Project): ReferringWorkspace {
  const { name, dir } = facts;
  const namedByExternals = project.namedByExternals.get(name);
  let declared: ReadonlySet<string> | undefined;
  let optionalPeers: ReadonlySet<string> | undefined;
  return {
    name,
    dir,
    ...(namedByExternals && { namedByExternals }),
    get optionalPeers() {
      return (optionalPeers ??= optionalPeersOf(facts));
    },
    // Only few of them are ever read.
    get declared() {
      return (declared ??= new Set(
        facts.dependencies.map(({ ident }) => ident),
      ));
    },
  };
}

function optionalPeersOf({ dependencies }: PackageFacts): ReadonlySet<string> {
  const firm = new Set(
    dependencies
      .filter(({ isOptional }) => !isOptional)
      .map(({ ident }) => ident),
  );
  return new Set(
    dependencies.map(({ ident }) => ident).filter((ident) => !firm.has(ident)),
  );
}

function referrer({ file, line, specifier }: FoundReference): Referrer {
  return { file, line, specifier };
}

/** Returns the id of the project's tree in a commit, which is the key of the index. */
export async function treeOf(
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

/**
 * Returns the folders with a tsconfig.json. Listing every file takes time, so it happens only if a tsconfig.json that no
 * package owns may have changed in effect.
 */
async function tsconfigFolders({
  changes,
  head,
  files,
  wholeTree = false,
}: ReferencesRequest): Promise<ReadonlySet<string>> {
  const unowned =
    wholeTree ||
    changes.some(
      ({ path }) =>
        head.graph.ownerOf(path).dir === "." && /\.jsonc?$/.test(path),
    );
  if (!unowned) return new Set();
  const suffix = "/tsconfig.json";
  const configs = (await files.list()).filter((path) => path.endsWith(suffix));
  return new Set(configs.map((path) => path.slice(0, -suffix.length)));
}
