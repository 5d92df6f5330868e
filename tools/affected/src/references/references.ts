import { TOOL_SETTINGS } from "@skein/references";
import type {
  FoundReference,
  ReferenceGraph,
  ReferenceKind,
  SourceEdge,
} from "@skein/references";
import { openLookups, openUnitsOf, stemOf } from "@skein/workspaces";
import type {
  Edge,
  Lookups,
  Project,
  References,
  Referrer,
  Units,
  User,
} from "@skein/workspaces";
import { readGraph, type ReferencesRequest } from "./read-graph.js";

/** References by which a tsconfig lists the files that a compiler reads. */
const LISTS: ReadonlySet<ReferenceKind> = new Set<ReferenceKind>([
  "tsconfig-include",
  "tsconfig-reference",
]);

/** Files that compilers take from the folders and patterns of a tsconfig, also those of other languages. */
const COMPILED =
  /\.(?:[cm]?[jt]sx?|json[c5]?|vue|svelte|astro|mdx?|markdown|marko|g[jt]s|hbs|civet|ets|es6?|gql|graphql|coffee|html)$/;

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
  const userOf = (reference: FoundReference, testOnly: boolean) =>
    toUser(reference, testOnly, graph.checkAround(reference));
  const references: Omit<OpenedReferences, "edges"> = {
    onwardOf: openOnward(graph),
    usersOf: (path) =>
      graph
        .refersTo(path)
        .filter(
          ({ from, kind, partial }) =>
            (from !== rootName || kind !== "tsconfig-paths") &&
            (kind !== "tsconfig-include" || !partial || COMPILED.test(path)),
        )
        .map((reference) => ({
          ...userOf(reference, graph.isAsideUse(reference, path)),
          ...(graph.isApart(reference.file, reference.kind) && {
            isApart: true,
          }),
          ...(reference.isSearched && { isSearched: true }),
          ...folderOf(reference, path),
          ...(reference.from === rootName &&
            LISTS.has(reference.kind) && { isListed: true }),
        })),
    loadersOf: (path) => graph.importersOf(path).map(referrer),
    usersOfAside: (path) =>
      graph.isAside(path)
        ? graph.usersElsewhere(path).map(({ via: [first], testOnly }) => ({
            referrer: referrer(first),
            testOnly,
          }))
        : undefined,
    scriptsOf: (name) => graph.scriptsOf(name),
    callersOf: (script) => graph.callersOf(script),
    callsOfRootScript: (script) =>
      graph
        .callsOfRootScript(script)
        .map(([workspace, call]) => [workspace, referrer(call)]),
    ownerOfBin: (program) => graph.ownerOfBin(program),
    isClosed: (path) => graph.isClosed(path),
    shellOf: (path) => graph.shellOf(path),
    hasFile: (path) => graph.hasFile(path),
    namersOf: (externals) => graph.namersOf(externals),
    languageUsersOf: (programs, endings) =>
      graph.languageUsersOf(programs, endings),
    referencesToExternal: (external, hasTypes) =>
      graph.referencesToExternal(external, hasTypes).map((naming) => ({
        workspace: naming.from,
        user() {
          const { reference, testOnly } = naming.look();
          return userOf(reference, testOnly);
        },
      })),
    isOfYarn: openYarnsFiles(graph),
    listsFiles: (tsconfig) => graph.listsFiles(tsconfig),
    tsconfigFolders: await tsconfigFolders(request),
    unlisted: graph.unlisted,
    variables: () => graph.variables(),
    unreadable: graph.unreadable,
  };
  const { head, script, settings } = request;
  const { pipeline } = settings;
  const units = openUnitsOf({ head, references, script, pipeline });
  return { ...references, edges: edgesOf(graph, head, units) };
}

/** Returns the folder of a path to which a reference leads, if the reference is to a folder. */
function folderOf({ target }: FoundReference, path: string) {
  if (target.kind === "package") return undefined;
  const folder = target.path;
  return (folder === "" || path.startsWith(`${folder}/`)) && { folder };
}

function toUser(
  reference: FoundReference,
  testOnly: boolean,
  check: string | undefined,
): User {
  const { kind, partial, suffix } = reference;
  return {
    referrer: referrer(reference),
    testOnly,
    ...(/^(?:import|require)$/.test(kind) &&
      !partial &&
      suffix !== undefined && { fields: suffix.split("/") }),
    ...(partial && { isGuess: true }),
    ...((kind === "selection" || kind === "coverage") && { isSelection: true }),
    ...(kind === "manifests" && { ofManifests: "checks" }),
    ...(kind === "manifest-list" && { ofManifests: "lists" }),
    ...(TOOL_SETTINGS.has(kind) && { isSetting: true }),
    ...(check !== undefined && { check }),
  };
}

/**
 * Returns the edges from sources. If a file of the root refers to a package, all packages whose units look this file up
 * depend on it.
 */
function edgesOf(
  graph: ReferenceGraph,
  head: Project,
  units: Units,
): readonly Edge[] {
  const lookups = openLookups(head, units);
  const edges = new Map<string, Edge>();
  const known = new Map<string, readonly RootUser[]>();
  /** Many edges begin in the same file of the root. */
  const usersOfRoot = ([first]: SourceEdge["via"]) => {
    const key = `${first?.file ?? ""}\0${first?.kind ?? ""}`;
    const users = known.get(key) ?? usersOf(first, lookups, head);
    known.set(key, users);
    return users;
  };
  for (const edge of graph.edges().edges) {
    const { from, to, via, onward, files, readsOnly, checks } = edge;
    const reads = files && [...new Set(files.map(stemOf))];
    const uses = checks
      ?.map((check) => units.checkUse(from, check))
      .filter(({ isAsked, spreads }) => isAsked || spreads);
    if (uses?.length === 0) continue;
    const testOnly = edge.testOnly || uses?.every(({ spreads }) => !spreads);
    const evidence = via.map(({ file, line }) => `${file}:${line}`).join(", ");
    const users =
      from === head.graph.root ? usersOfRoot(via) : [{ name: from }];
    for (const { name, isIsolated = testOnly, mayUse } of users) {
      const isGuess = mayUse === true || edge.isGuess === true;
      // An edge that more than guesses make is another one, even if it leads to the same packages.
      const key = [
        ...[name, to, onward ?? "*", reads ?? "*", readsOnly, isGuess],
      ].join("\0");
      const known = edges.get(key);
      // A reference from a file other than a test takes precedence over one from a test.
      if (name === to || (known && (!known.testOnly || isIsolated))) continue;
      edges.set(key, {
        from: name,
        to,
        kind: "source",
        evidence,
        ...(isIsolated && { testOnly: true }),
        ...(isGuess && { isGuess }),
        ...(onward && { onward }),
        ...(reads && { reads }),
        ...(readsOnly && { readsOnly }),
      });
    }
  }
  return [...edges.values()];
}

/** Files that Yarn's settings may mention, but that Yarn doesn't load from there: pages in comments, files of every project. */
const OTHER_FILES = /\.mdx?$|^(?:package\.json|yarn\.lock|\.yarnrc\.yml)$/;

/** Finds the files that Yarn's settings name. @see References.isOfYarn */
function openYarnsFiles(graph: ReferenceGraph): References["isOfYarn"] {
  let named: ReadonlySet<string> | undefined;
  return (path) => {
    if (OTHER_FILES.test(path)) return false;
    named ??= new Set(graph.pathsIn(".yarnrc.yml"));
    return named.has(path) || named.has(path.replace(/\.[cm]?[jt]s$/, ""));
  };
}

/** Finds the packages on which a declared dependency leads. @see References.onwardOf */
function openOnward(graph: ReferenceGraph): References["onwardOf"] {
  const narrowed = new Map(
    graph
      .edges()
      .narrowed.map(({ from, to, onward }) => [`${from}\0${to}`, onward]),
  );
  return (from, to) => narrowed.get(`${from}\0${to}`);
}

/** A package that has the edges of a file of the root. */
interface RootUser {
  readonly name: string;
  /** Its dependents don't use the result. */
  readonly isIsolated?: boolean;
  /** It isn't known whether it reads the file. */
  readonly mayUse?: boolean;
}

/** Returns the packages that look up the file of the root in which a chain of references starts. */
function usersOf(
  first: SourceEdge["via"][number] | undefined,
  lookups: Lookups,
  { root }: Project,
): readonly RootUser[] {
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
    .filter(
      ({ workspace: { dir }, passesOn }) =>
        // Plug-ins and executors run in every task, unlike the tasks that such settings list.
        (passesOn || TOOL_SETTINGS.has(first.kind)) && dir !== ".",
    )
    .map(({ workspace: { name }, lookup: { spreads, isGuess } }) => ({
      name,
      isIsolated: !spreads,
      mayUse: isGuess,
    }));
}

function referrer({ suffix, ...found }: FoundReference): Referrer {
  const { file, line, specifier, partial } = found;
  const isEnd = partial && suffix !== undefined;
  return { file, line, specifier, ...(isEnd && { suffix }) };
}

/**
 * Returns the folders with a tsconfig.json. Listing every file takes time, so it happens only if a tsconfig.json above a
 * package, or a file that it lists, may have changed.
 */
async function tsconfigFolders({
  changes,
  head,
  files,
  wholeTree = false,
}: ReferencesRequest): Promise<ReadonlySet<string>> {
  const isNeeded =
    wholeTree ||
    changes.some(({ path }) => {
      if (!/\.(?:jsonc?|[cm]?tsx?)$/.test(path)) return false;
      const { dir } = head.graph.ownerOf(path);
      // A package in the folder of another one may search there.
      return (
        dir === "." ||
        head.packages.some((one) => one.dir.startsWith(`${dir}/`))
      );
    });
  if (!isNeeded) return new Set();
  const suffix = "/tsconfig.json";
  const configs = (await files.list()).filter((path) => path.endsWith(suffix));
  return new Set(configs.map((path) => path.slice(0, -suffix.length)));
}
