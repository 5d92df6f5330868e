import { addTo, remember } from "@skein/reporting/group-by";
import type {
  AsideNames,
  FoundReference,
  ReferenceGraph,
  UnparsedFile,
} from "../graph.js";
import { isWithin, keyOf } from "../resolve.js";
import { leaveOutCodemodTexts } from "./codemod-texts.js";
import { openUsers } from "./users/file-users.js";
import { isClosed, shellOf } from "./users/closed.js";
import { openCrossings } from "./edges/crossings.js";
import { openReached, type Reached } from "./users/reached.js";
import { KIND_TRAITS, OF_MANIFESTS } from "./kinds.js";
import { fileKind, SOURCE_ENDINGS } from "../scan/file-kinds.js";
import type { Layer } from "./layer.js";
import type { Layout } from "./layout.js";
import { isOpenEnd, openAsides } from "./users/asides.js";
import { openChecks } from "./edges/checks.js";
import type { Match } from "./targets/match.js";
import { isInOwnFolder } from "./targets/described.js";
import { Matches } from "./targets/matches.js";
import { openBuiltEntries } from "./users/built-entries.js";
import { openCoverage } from "./edges/coverage.js";
import { openModuleReach } from "./edges/module-reach.js";
import { sourceEdges } from "./edges/source-edges.js";
import {
  callsOfRootScript,
  usersThroughRoot,
} from "./users/users-through-root.js";
import {
  readManifestScripts,
  type ManifestScripts,
} from "./targets/called-scripts.js";
import {
  referencesToExternal,
  undeclaredImportersOf,
} from "./users/external-references.js";
import { languageUsersOf } from "./users/language-users.js";
import { namersOf } from "./users/naming-users.js";
import { VARIABLES } from "./table/table.js";

export interface GraphWorld {
  /** The stored table first, then the differences from it. */
  readonly layers: readonly Layer[];
  readonly layout: Layout;
  readonly names: AsideNames;
  /** Called only if the list is needed. */
  readonly unparsed: () => readonly UnparsedFile[];
  readonly unlisted: readonly string[];
  readonly unreadable: readonly string[];
}

/** A module that contains tests: a reference to it runs it. Other files in a folder of tests may be named to be built. */
const TEST_FILE = /\.(?:test|spec|e2e|cy|bench)\.[cm]?[jt]sx?$/;

/** Opens the graph over layers of tables. */
export function openGraph({
  layers,
  layout,
  names,
  unparsed,
  unlisted,
  unreadable,
}: GraphWorld): ReferenceGraph {
  leaveOutCodemodTexts(layers, layout);
  const matches = new Matches(layers, layout);
  // Thousands of changed asides have the same files on their way to other packages.
  const loadersOf = remember((path: string) => [
    ...loadersIn(path, matches, { layers, layout, names, reached }),
    ...(names.isTest(layout.withinOwner(path)) ? entriesOf(path) : []),
  ]);
  const entriesOf = openBuiltEntries(layers, layout);
  const reached = openReached({
    layers,
    layout,
    matches,
    isLookedUp: names.isLookedUp ?? (() => false),
    isEdge: (from, to) => crossings.isEdge(from, to),
  });
  const asides = openAsides({
    layout,
    names,
    loadersOf,
    isUnreached: reached.isUnreached,
    isIdleInRoot: (path, owner, match) =>
      isIdleInRoot(path, owner, match, matches, { layout, names, reached }),
    isEdge: (from, to) => crossings.isEdge(from, to),
  });
  const checks = openChecks(layers, layout);
  const measures = openCoverage(layers, layout);
  const shared = { layout, matches, asides, checks, measures };
  const findUsers = openUsers(shared);
  const world = { ...shared, findUsers };
  const crossings = openCrossings(layers, layout, matches);
  const reach = openModuleReach({
    layers,
    layout,
    matches,
    hasPrograms: (owner) => [...inManifests().bins.values()].includes(owner),
    isPage: names.isPage,
  });

  let manifests: ManifestScripts | undefined;
  const inManifests = () => (manifests ??= readManifestScripts(layers, layout));

  return {
    scriptsOf: (workspace) =>
      inManifests().scripts.get(layout.byName.get(workspace) ?? -1),
    ownerOfBin(program) {
      const owner = inManifests().bins.get(program);
      return owner === undefined ? undefined : layout.nameOf(owner);
    },
    checkAround: (reference) => checks.around(reference),
    callersOf: (script) => checks.callersOf(script),
    callsOfRootScript: (script) => callsOfRootScript(script, world),
    referencesToExternal: (external, hasTypes) =>
      referencesToExternal(external, layers, layout, asides, hasTypes),
    pathsIn: (file) => pathsIn(file, layers),
    listsFiles: (tsconfig) => listsFiles(tsconfig, layers),
    variables: () => variablesIn(layers),
    languageUsersOf: (programs, endings) =>
      languageUsersOf(programs, endings, layers, world),
    namersOf: (externals) => namersOf(externals, layers, world),
    isClosed: (path) => isClosed(path, layers, layout),
    shellOf: (path) => shellOf(path, layers),
    hasFile: (path) => layers.some((layer) => layer.hasFile(path)),
    get unparsed() {
      return unparsed();
    },
    unlisted,
    unreadable,
    crossings: ({ undeclared = false } = {}) => crossings.list(undeclared),
    edges: () =>
      sourceEdges({ ...world, reach }, crossings, names.mayBeLookedUp),
    refersTo: (path) => matches.of(path).map(referenceOf),
    importersOf: (path) => loadersOf(path).map(({ reference }) => reference),
    ...asides,
    usersElsewhere: (path) =>
      asides.isAside(path)
        ? [
            ...asides.usersElsewhere(path),
            ...usersThroughRoot(path, { layers, layout, matches }, findUsers),
          ]
        : [],
    undeclaredImportersOf: (name) =>
      undeclaredImportersOf(name, layers, layout),
  };
}

/** Returns the reference of a row; of a call of a script that reads manifests only, the call means no other files, either. */
function referenceOf({ reference, script }: Match): FoundReference {
  return script && OF_MANIFESTS.has(script.kind)
    ? { ...reference, kind: script.kind }
    : reference;
}

function pathsIn(file: string, layers: readonly Layer[]): readonly string[] {
  return layers.flatMap((layer) =>
    layer.rowsIn(file).flatMap((row) => {
      const { target, partial } = layer.found(row);
      return target.kind === "path" && !partial ? [target.path] : [];
    }),
  );
}

function listsFiles(tsconfig: string, layers: readonly Layer[]): boolean {
  return layers.some((layer) =>
    layer
      .rowsIn(tsconfig)
      .some((row) => layer.kind(row) === "tsconfig-include"),
  );
}

/** Returns whether a reference in a file of the root, to a test or a page of a package, doesn't make it a source. */
function isIdleInRoot(
  path: string,
  owner: number,
  { layer, row, reference }: Match,
  matches: Matches,
  { layout, names, reached }: Omit<LoadsWorld, "layers">,
): boolean {
  const isTest = TEST_FILE.test(path);
  if (isTest && matches.isOfRootScript(layer, row)) return true;
  if (names.isPage(layout.withinOwner(path)))
    return !reached.isRead(reference.file);
  // It concerns the packages that name the file of the root (`usersThroughRoot`), and no dependents of the test's package.
  if (isOpenEnd(reference, layout) && !reached.isFound(reference.file))
    return true;
  const isGuess = isTest && KIND_TRAITS[reference.kind].isGuess;
  return !reached.isRead(reference.file, isGuess ? owner : undefined);
}

type LoadsWorld = Pick<GraphWorld, "layers" | "layout" | "names"> & {
  readonly reached: Reached;
};

/** Returns the references that load or run a file; for a page also those that list or open files of its folder. */
function loadersIn(
  path: string,
  matches: Matches,
  world: LoadsWorld,
): readonly Match[] {
  const { layout, names } = world;
  const loading = matches.of(path).filter(
    (match) =>
      loadsFile(path, match, world) &&
      // Imports of an alias name the files in its folder.
      !(match.byFolder && matches.aliasOf(match.layer, match.row)),
  );
  if (!names.isPage(layout.withinOwner(path))) return loading;
  const owner = layout.ownerOf(path);
  return [
    ...loading,
    ...matches.withGuesses(path).filter((match) => isInOwnFolder(match, owner)),
  ];
}

/** Returns whether a reference to a file loads or runs it. @see ReferenceGraph.importersOf */
function loadsFile(
  path: string,
  { reference, byFolder }: Match,
  { layers, layout, names, reached }: LoadsWorld,
): boolean {
  if (reference.file === path) return false;
  const rootName = layout.nameOf(layout.root);
  const owner = layout.nameOf(layout.ownerOf(path));
  // Files that run a package's own tests don't change the role of these tests; documents that they check do matter.
  if (reference.kind === "test-script")
    return byFolder
      ? reference.from !== owner && reference.from !== rootName
      : reference.from !== owner || keyOf(path) === path;
  // A compiler reads all files that its settings include from another package.
  if (reference.kind === "tsconfig-include" && byFolder)
    return reference.from !== owner && reference.from !== rootName;
  if (!KIND_TRAITS[reference.kind].loads) return false;
  if (!byFolder || KIND_TRAITS[reference.kind].loadsFolders) return true;
  if (reference.kind === "entry") return areFilesImported(owner, layers);
  // The root's settings name the places of all packages' files, and use none of them.
  if (reference.from === rootName) return false;
  if (reference.from !== owner) return true;
  // It means the whole of its own package.
  const { target } = reference;
  const dir = layout.dirOf(layout.byName.get(owner) ?? -1);
  if (target.kind === "package" || isWithin(dir, target.path)) return false;
  // Settings and scripts name a package's own folders to compile or to check their files. A page's folder is read.
  if (names.isPage(layout.withinOwner(path))) return true;
  // A source lists a folder of tests for its users only if it contains data.
  return !TEST_FILE.test(path) && isReachedSource(reference.file, reached);
}

/**
 * Returns whether something imports a file of a package by a path below the package's name: `"./*": "./src/*"` makes every file
 * importable, but only such imports use it.
 */
function areFilesImported(name: string, layers: readonly Layer[]): boolean {
  return layers.some((layer) =>
    layer.rowsOfPackage(name).some((row) =>
      /\/./.test(
        layer.table
          .referenceOf(row)
          .specifier.slice(name.length)
          .replace(/^\/package\.json$/, ""),
      ),
    ),
  );
}

/** Returns whether a file is a source, no settings, and an entry point of its package may lead to it. */
function isReachedSource(file: string, reached: Reached): boolean {
  const kind = fileKind(file, "100644");
  return (
    SOURCE_ENDINGS.some((ending) => ending === kind) &&
    !reached.isUnreached(file)
  );
}

/** @see ReferenceGraph.variables */
function variablesIn(
  layers: readonly Layer[],
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const layer of layers)
    for (const row of layer.rowsOfPackage(VARIABLES)) {
      const file = layer.file(row);
      const name = layer.table.specifierOf(row);
      addTo(found, file, name);
    }
  return found;
}
