import type {
  Attribution,
  Crossing,
  FoundReference,
  ReferenceGraph,
  ReferringWorkspace,
  SourceEdge,
  UnparsedFile,
} from "../graph.js";
import type { ReferenceKind } from "../reference.js";
import { keyOf } from "../resolve.js";
import { KIND_TRAITS } from "./kinds.js";
import type { Layer } from "./layer.js";
import type { Layout } from "./layout.js";
import { openMereTests } from "./mere-tests.js";
import { Matches, type Match } from "./matches.js";

/** Kinds by which a file that no package owns passes on what it refers to. Its `references` and scripts it does not. */
const PASSED_ON: ReadonlySet<ReferenceKind> = new Set<ReferenceKind>([
  "import",
  "export",
  "dynamic-import",
  "require",
  "type",
  "mock",
  "symlink",
  "style",
  "extends",
  "config",
  "linked-dependency",
]);
/** What the root itself depends on is no matter of who reads its package.json. */
const isPassedOn = (layer: Layer, row: number) =>
  PASSED_ON.has(layer.kind(row)) &&
  (layer.kind(row) !== "linked-dependency" ||
    layer.file(row) !== "package.json");
const unshown = (layer: Layer) => layer.unshownRows();
const leaving = (layer: Layer) => layer.leavingRows();

export interface GraphWorld {
  /** The kept table first, then what differs from it. */
  readonly layers: readonly Layer[];
  readonly layout: Layout;
  /** Whether a file is a test by its path from the folder of the package that owns it. */
  readonly isTest: (path: string) => boolean;
  /** Asked for when somebody wants to know. */
  readonly unparsed: () => readonly UnparsedFile[];
  readonly unreadable: readonly string[];
}

/** A graph whose source edges are known: it is opened when something else is asked. */
export function withEdges(
  edges: readonly SourceEdge[],
  open: () => ReferenceGraph,
): ReferenceGraph {
  let opened: ReferenceGraph | undefined;
  const graph = () => (opened ??= open());
  return {
    crossings: (options) => graph().crossings(options),
    sourceEdges: () => edges,
    refersTo: (path) => graph().refersTo(path),
    importersOf: (path) => graph().importersOf(path),
    isMereTest: (path) => graph().isMereTest(path),
    isTestUse: (reference, path) => graph().isTestUse(reference, path),
    attribute: (path) => graph().attribute(path),
    undeclaredImportersOf: (name) => graph().undeclaredImportersOf(name),
    get unparsed() {
      return graph().unparsed;
    },
    unreadable: [],
  };
}

/** The graph over layers of tables. */
export function openGraph({
  layers,
  layout,
  isTest,
  unparsed,
  unreadable,
}: GraphWorld): ReferenceGraph {
  const matches = new Matches(layers, layout);
  const importersOf = (path: string) =>
    matches
      .of(path)
      .filter((match) => loadsFile(path, match))
      .map(({ reference }) => reference);
  const { isMereTest, isTestUse } = openMereTests({
    layout,
    isTest,
    loadersOf: (path) => importersOf(path).map(({ file }) => file),
  });
  const { workspaces, root } = layout;
  const rootName = layout.nameOf(root);

  /** Calls `see` for each reference from one workspace into another; numbers only, nothing is decoded. */
  function eachCrossing(
    rowsOf: (layer: Layer) => Uint32Array,
    see: (
      layer: Layer,
      row: number,
      from: number,
      to: number,
      path?: string,
    ) => void,
  ): void {
    for (const layer of layers)
      for (const row of rowsOf(layer)) {
        const from = layer.from(row);
        const to = layer.to(row);
        if (from < 0 || !layer.isLive(row)) continue;
        if (to >= 0 && from !== to) see(layer, row, from, to);
        if (layer.isSpread(row)) spread(layer, row, from, see);
      }
    for (const [path, rerouted] of matches.rerouted())
      for (const { layer, row } of rerouted) {
        const from = layer.from(row);
        const to = layout.ownerOf(path);
        // An alias of everything (`baseUrl`) means nothing in particular at the root.
        if (
          from >= 0 &&
          to >= 0 &&
          to !== from &&
          to !== root &&
          !isFolderAbove(path, from)
        )
          see(layer, row, from, to, path);
      }
  }

  /** `import(`../${name}`)`, `import(`@m/${name}`)`: nobody knows which, so each package below the folder or in the scope. */
  function spread(
    layer: Layer,
    row: number,
    from: number,
    see: (layer: Layer, row: number, from: number, to: number) => void,
  ): void {
    const { target } = layer.found(row);
    const isMeant =
      target.kind === "package"
        ? ({ name }: ReferringWorkspace) => name.startsWith(target.name)
        : ({ dir }: ReferringWorkspace) =>
            dir.startsWith(target.path === "" ? "" : `${target.path}/`);
    workspaces.forEach((workspace, to) => {
      if (to !== from && to !== root && isMeant(workspace))
        see(layer, row, from, to);
    });
  }

  /** A guess at a folder that holds the package itself: it says where the project is. */
  function isOnlyAbove(layer: Layer, row: number): boolean {
    return (
      KIND_TRAITS[layer.kind(row)].takesFolders &&
      !layer.isPackage(row) &&
      layer.isAbove(row)
    );
  }
  function isFolderAbove(path: string, from: number): boolean {
    const dir = layout.dirOf(from);
    return path === "" || dir === path || dir.startsWith(`${path}/`);
  }

  /**
   * Everything that a file matters to: packages, and files that no package owns, each with its shortest chain; of a
   * package one that does not begin in a test, where there is one.
   */
  function climb(path: string) {
    const packages = new Map<
      string,
      { via: readonly FoundReference[]; testOnly: boolean }
    >();
    const files = new Map<string, readonly FoundReference[]>([[path, []]]);
    for (const [file, chain] of files)
      for (const match of matches.of(file)) {
        const { layer, row, reference, byFolder, script } = match;
        const via = [reference, ...(script ? [script] : []), ...chain];
        if (reference.from !== rootName) {
          if (packages.get(reference.from)?.testOnly === false) continue;
          const testOnly = !layer.isUnparsed(row) && isTestUse(reference, file);
          if (!testOnly || !packages.has(reference.from))
            packages.set(reference.from, { via, testOnly });
        } else if (
          !files.has(reference.file) &&
          !matches.isOfRootScript(layer, row) &&
          (!byFolder || KIND_TRAITS[reference.kind].loadsFolders)
        ) {
          files.set(reference.file, via);
        }
      }
    return { packages, files };
  }

  function attribute(path: string): readonly Attribution[] {
    const { packages } = climb(path);
    return [...packages].map(([workspace, { via }]) => ({ workspace, via }));
  }

  function sourceEdges(): readonly SourceEdge[] {
    const edges = new Map<number, SourceEdge>();
    const rootEdges: SourceEdge[] = [];
    const fromRoot: {
      layer: Layer;
      row: number;
      to: number;
      path: string | undefined;
    }[] = [];
    /** One edge of each pair, one that mere tests did not make where there is one. */
    function note(
      from: number,
      to: number,
      facts: () => Pick<SourceEdge, "via" | "testOnly">,
    ): void {
      if (from < 0 || from === to || layout.isDeclared(from, to)) return;
      const pair = from * workspaces.length + to;
      if (edges.get(pair)?.testOnly === false) return;
      const { via, testOnly } = facts();
      if (!testOnly || !edges.has(pair))
        edges.set(pair, {
          from: layout.nameOf(from),
          to: layout.nameOf(to),
          via,
          testOnly,
        });
    }
    eachCrossing(unshown, (layer, row, from, to, path) => {
      if (to === root) return;
      if (from === root) {
        if (isPassedOn(layer, row)) fromRoot.push({ layer, row, to, path });
        for (const call of matches.callsOfScript(layer, row))
          note(call.owner, to, () => ({
            via: [call.layer.found(call.row), layer.found(row, path)],
            testOnly: false,
          }));
        return;
      }
      if (layer.isNoUse(row)) return;
      if (path === undefined && isOnlyAbove(layer, row)) return;
      note(from, to, () => ({
        via: [layer.found(row, path)],
        testOnly: !layer.isUnparsed(row) && isMereTest(layer.file(row)),
      }));
    });
    const climbed = new Map<string, ReturnType<typeof climb>>();
    for (const { layer, row, to, path } of fromRoot) {
      const file = layer.file(row);
      let above = climbed.get(file);
      if (!above) climbed.set(file, (above = climb(file)));
      const last = layer.found(row, path);
      for (const [workspace, { via, testOnly }] of above.packages)
        note(layout.byName.get(workspace) ?? -1, to, () => ({
          via: [...via, last],
          testOnly,
        }));
      for (const via of above.files.values())
        rootEdges.push({
          from: rootName,
          to: layout.nameOf(to),
          via: [...via, last],
          testOnly: false,
        });
    }
    return [...edges.values(), ...rootEdges];
  }
  function loadsFile(path: string, { reference, byFolder }: Match): boolean {
    if (reference.file === path) return false;
    const owner = layout.nameOf(layout.ownerOf(path));
    // What runs a package's own tests makes them nothing else; the documents that it checks matter.
    if (reference.kind === "test-script")
      return reference.from !== owner || (!byFolder && keyOf(path) === path);
    if (!KIND_TRAITS[reference.kind].loads) return false;
    if (!byFolder || KIND_TRAITS[reference.kind].loadsFolders) return true;
    // `"./*": "./src/*"` opens every file, but only imports with a path below the name make use of it.
    if (reference.kind === "entry")
      return layers.some((one) =>
        one.rowsOfPackage(owner).some((row) =>
          /\/./.test(
            one.table
              .referenceOf(row)
              .specifier.slice(owner.length)
              .replace(/^\/package\.json$/, ""),
          ),
        ),
      );
    // The root's settings say where to look for all packages' files, and use none.
    return reference.from !== owner && reference.from !== rootName;
  }

  return {
    get unparsed() {
      return unparsed();
    },
    unreadable,
    crossings({ undeclared = false } = {}) {
      const crossings: Crossing[] = [];
      eachCrossing(leaving, (layer, row, from, to, path) => {
        const kind = layer.kind(row);
        // Yarn's own edges are no problem of a manifest's, nor what a fixture's manifest says.
        if (kind === "dependency" || kind === "linked-dependency") return;
        if (kind === "root-guess" && to === root) return;
        if (path === undefined && isOnlyAbove(layer, row)) return;
        if (!undeclared || !layout.isDeclared(from, to))
          crossings.push({
            ...layer.found(row, path),
            to: layout.nameOf(to),
          });
      });
      return crossings.sort((a, b) =>
        a.file === b.file
          ? a.line - b.line || a.column - b.column
          : a.file < b.file
            ? -1
            : 1,
      );
    },
    sourceEdges,
    attribute,
    refersTo: (path) => matches.of(path).map(({ reference }) => reference),
    importersOf,
    isMereTest,
    isTestUse,
    undeclaredImportersOf(name) {
      return layers.flatMap((layer) =>
        layer
          .rowsOfPackage(name)
          .filter((row) => {
            const from = workspaces[layer.from(row)];
            return (
              from !== undefined &&
              from.name !== name &&
              !from.declared.has(name) &&
              !layer.isNoUse(row)
            );
          })
          .map((row) => layer.found(row)),
      );
    },
  };
}
