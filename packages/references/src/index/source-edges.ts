import type { FoundEdges, FoundReference, SourceEdge } from "../graph.js";
import { TOOL_SETTINGS, type ReferenceKind } from "../reference.js";
import { below, keyOf, pathFrom } from "../resolve.js";
import { openAliasTargets } from "./aliases.js";
import { climb } from "./climb.js";
import type { Climbed, ReferenceWorld } from "./climb.js";
import type { Crossings } from "./crossings.js";
import { beginsAtUsers } from "./elsewhere.js";
import type { Layer } from "./layer.js";
import type { Layout } from "./layout.js";
import { addReach, namesOf, pairOf, type ModuleReach } from "./module-reach.js";
import type { Reach } from "./loaded-modules.js";
import { type KnownUses, narrowedUses } from "./narrowed-uses.js";

/** Kinds with which a file of the root describes only itself, or only selects files. */
const KEPT_TO_ITSELF: ReadonlySet<ReferenceKind> = new Set<ReferenceKind>([
  "tsconfig-include",
  "tsconfig-paths",
  "tsconfig-reference",
  "selection",
  "dependency",
  "near-guess",
  "entry",
]);

/**
 * Returns whether a file of the root passes on a row's target: packages that use the file use the target too. From the root's
 * package.json, packages use only the shared settings that it names.
 */
function isPassedOn(layer: Layer, row: number): boolean {
  const kind = layer.kind(row);
  return layer.file(row) === "package.json"
    ? TOOL_SETTINGS.has(kind)
    : !KEPT_TO_ITSELF.has(kind) ||
        // A tsconfig that extends another one gets its `files`, too.
        (kind === "tsconfig-include" && !layer.isPartial(row));
}
/**
 * Files that a compiler includes if a file of the root tells it to compile. A tsconfig that extends the file includes its own
 * files.
 */
const TAKEN_IN: ReadonlySet<ReferenceKind> = new Set<ReferenceKind>([
  "tsconfig-include",
  "tsconfig-reference",
]);
const RUNS: ReadonlySet<ReferenceKind> = new Set<ReferenceKind>([
  "script",
  "test-script",
  "tsconfig-reference",
]);
const isOfProgram = (layer: Layer, row: number) =>
  TAKEN_IN.has(layer.kind(row)) && layer.file(row) !== "package.json";
/** Whether a chain of references to a file of the root belongs to a program that compiles with it. */
const isRun = (via: readonly FoundReference[]) =>
  via.every(({ kind }) => RUNS.has(kind));

const unshown = (layer: Layer) => layer.unshownRows();

/** The reference of a chain that leads into the other package. */
interface LastReference {
  readonly layer: Layer;
  readonly row: number;
  /** The path that it means, if it isn't the one that it names (an alias). */
  readonly path: string | undefined;
}

/** Makes the edges that no manifest shows, and narrows declared ones. @see ReferenceGraph.edges */
export function sourceEdges(
  world: ReferenceWorld & { readonly reach: ModuleReach },
  crossings: Crossings,
  mayBeLookedUp: (path: string) => boolean = () => true,
): FoundEdges {
  const notes = new EdgeNotes(world.layout, world.reach);
  const fromRoot = noteCrossings(world, crossings, notes);
  noteNamesInExternals(world, notes);
  const climbed = new Map<string, Climbed>();
  const climbTo = (file: string) => {
    let above = climbed.get(file);
    if (!above) climbed.set(file, (above = climb(file, world)));
    return above;
  };
  noteOutside(world, crossings, { notes, climbTo });
  const rootEdges = noteFromRoot(fromRoot, world, {
    notes,
    climbTo,
    mayBeLookedUp,
  });
  const found = notes.edges();
  return {
    edges: [...found, ...rootEdges],
    narrowed: narrowedUses(found, notes, crossings.layers, world),
  };
}

/** One edge, as far as it is known. */
interface Noted {
  edge: Omit<SourceEdge, "onward">;
  /** The packages to which it leads on; undefined for all of them. */
  readonly onward: Set<number> | undefined;
}

/** The edges between packages that are found, one by one. */
class EdgeNotes implements KnownUses {
  /** @see KnownUses */
  readonly declared = new Map<number, Set<number> | undefined>();
  /**
   * By the number of a package, those that its manifest uses: scripts may build what its modules load, so everybody who uses
   * the package uses these.
   */
  readonly #byManifest = new Map<number, Set<number>>();
  readonly #noted = new Map<number, Noted>();
  readonly #layout: Layout;
  readonly #reach: ModuleReach;

  constructor(layout: Layout, reach: ModuleReach) {
    this.#layout = layout;
    this.#reach = reach;
  }

  /** Returns the packages that the modules use which a row loads. */
  reachOf(
    last: LastReference | undefined,
    to: number,
    isDeclared = false,
  ): Reach {
    return last && this.#reach.ofRow(last, to, isDeclared);
  }

  /**
   * Keeps up to two edges of each pair of packages, preferably such that don't come from asides: one for references that may
   * lead on to everything that the target uses, one for references to modules of which it is known what they use.
   * @param first the file of the first reference
   * @param last undefined if it isn't known which modules are loaded
   * @returns whether this edge is kept, and is of an aside
   */
  note(
    from: number,
    to: number,
    first: string,
    last: LastReference | undefined,
    facts: () => Pick<SourceEdge, "via" | "testOnly">,
  ): boolean {
    const layout = this.#layout;
    if (from < 0 || from === to) return false;
    const pair = pairOf(from, to, layout);
    if (first === below(layout.dirOf(from), "package.json"))
      this.#byManifest.set(from, this.manifestUses(from).add(to));
    if (layout.isShown(from, to)) {
      addReach(this.declared, pair, this.reachOf(last, to, true));
      return false;
    }
    if (this.#noted.get(pair * 2)?.edge.testOnly === false) return false;
    const reach = this.reachOf(last, to);
    const key = reach ? pair * 2 + 1 : pair * 2;
    const known = this.#noted.get(key);
    for (const each of reach ?? []) known?.onward?.add(each);
    if (known?.edge.testOnly === false) return false;
    const { via, testOnly } = facts();
    if (!testOnly || !known)
      this.#noted.set(key, {
        edge: {
          from: layout.nameOf(from),
          to: layout.nameOf(to),
          via,
          testOnly,
        },
        onward: known?.onward ?? (reach && new Set(reach)),
      });
    return testOnly;
  }

  /** @see KnownUses */
  readonly manifestUses = (number: number): Set<number> =>
    this.#byManifest.get(number) ?? new Set();

  edges(): readonly SourceEdge[] {
    return Array.from(this.#noted.values(), ({ edge, onward }) => ({
      ...edge,
      ...(onward && { onward: this.#namesOnward(edge.to, onward) }),
    }));
  }

  #namesOnward(to: string, onward: ReadonlySet<number>): readonly string[] {
    const number = this.#layout.byName.get(to) ?? -1;
    const all = new Set([...onward, ...this.manifestUses(number)]);
    return namesOf(all, this.#layout);
  }
}

/** A reference in a file of the root that packages may share. */
interface RootReference extends LastReference {
  /** The number of the package to which it leads. */
  readonly to: number;
}

/**
 * Notes the edges that references between packages make.
 * @returns the references in files of the root
 */
function noteCrossings(
  { layout, matches, asides }: ReferenceWorld,
  crossings: Crossings,
  notes: EdgeNotes,
): readonly RootReference[] {
  const { root } = layout;
  const isAliasTarget = openAliasTargets(crossings.layers);
  const fromRoot: RootReference[] = [];
  crossings.each(unshown, (layer, row, from, to, path) => {
    if (to === root) return;
    const last = { layer, row, path };
    if (from === root) {
      if (isAliasTarget(layer, row, layout.nameOf(to))) return;
      if (isPassedOn(layer, row) || isOfProgram(layer, row))
        fromRoot.push({ ...last, to });
      for (const call of matches.callsOfScript(layer, row))
        notes.note(call.owner, to, call.layer.file(call.row), last, () => ({
          via: [call.layer.found(call.row), layer.found(row, path)],
          testOnly: false,
        }));
      return;
    }
    if (layer.isNoUse(row)) return;
    if (path === undefined && crossings.isOnlyAbove(layer, row)) return;
    const file = layer.file(row);
    const isOfTest = notes.note(from, to, file, last, () => ({
      via: [layer.found(row, path)],
      testOnly: !layer.isUnparsed(row) && asides.isApart(file, layer.kind(row)),
    }));
    for (const user of isOfTest ? asides.usersElsewhere(file) : []) {
      const owner = layout.byName.get(user.via[0].from) ?? -1;
      notes.note(owner, to, user.via[0].file, last, () => ({
        via: [...user.via, layer.found(row, path)],
        testOnly: user.testOnly,
      }));
    }
  });
  return fromRoot;
}

/** Notes the edges that names of workspaces in external packages make. */
function noteNamesInExternals(
  { layout, matches }: ReferenceWorld,
  notes: EdgeNotes,
): void {
  const { workspaces, root } = layout;
  workspaces.forEach(({ namedByExternals = [] }, from) => {
    for (const name of from === root ? [] : namedByExternals)
      for (const { layer, row, key } of matches.ofNameInExternal(from, name)) {
        const to = layout.ownerOf(key);
        if (to !== root)
          notes.note(from, to, layer.file(row), undefined, () => ({
            via: [layer.found(row, key)],
            testOnly: false,
          }));
      }
  });
}

/** What the edges of files that no package owns are made with. */
interface Climbing {
  readonly notes: EdgeNotes;
  /** Finds everything that a file matters to. */
  readonly climbTo: (file: string) => Climbed;
}

/** Notes the edges of the root's settings that begin at the folder of each package that includes them. */
function noteOutside(
  { layout }: ReferenceWorld,
  { layers }: Crossings,
  { notes, climbTo }: Climbing,
): void {
  const { root } = layout;
  for (const { layer, row } of outsideRows(layers, root)) {
    const { file, specifier, partial } = layer.found(row);
    for (const [workspace, { via, testOnly }] of climbTo(file).packages) {
      const from = layout.byName.get(workspace) ?? -1;
      const path = pathFrom(layout.dirOf(from), specifier, partial);
      const to = path === undefined ? -1 : layout.ownerOf(path);
      if (path === undefined || to < 0 || to === root) continue;
      notes.note(from, to, via[0]?.file ?? "", { layer, row, path }, () => ({
        via: [...via, layer.found(row, keyOf(path))],
        testOnly,
      }));
    }
  }
}

/**
 * Notes the edges of packages that use files of the root.
 * @returns the edges of the root: one for each package and each file in which a program may find settings that lead to it
 */
function noteFromRoot(
  fromRoot: readonly RootReference[],
  { layout }: ReferenceWorld,
  {
    notes,
    climbTo,
    mayBeLookedUp,
  }: Climbing & { readonly mayBeLookedUp: (path: string) => boolean },
): Iterable<SourceEdge> {
  const rootEdges = new Map<string, SourceEdge>();
  for (const { layer, row, to, path } of fromRoot) {
    const above = climbTo(layer.file(row));
    const last = () => layer.found(row, path);
    const isKept = !isPassedOn(layer, row);
    for (const [workspace, { via, testOnly }] of above.packages)
      if (!isKept || isRun(via)) {
        const from = layout.byName.get(workspace) ?? -1;
        notes.note(from, to, via[0]?.file ?? "", { layer, row, path }, () => ({
          via: [...via, last()],
          testOnly,
        }));
      }
    for (const [start, via] of isKept ? [] : above.files) {
      const isManifest = start === "package.json";
      if (!isManifest && !mayBeLookedUp(start)) continue;
      const reach = notes.reachOf({ layer, row, path }, to);
      const onward =
        reach &&
        namesOf(new Set([...reach, ...notes.manifestUses(to)]), layout);
      // The references of the root's package.json have several kinds, and not all of them are settings.
      const number = isManifest ? rootEdges.size : "";
      const edge = [start, to, onward?.join() ?? "*", number].join("\0");
      if (!rootEdges.has(edge))
        rootEdges.set(edge, {
          from: layout.nameOf(layout.root),
          to: layout.nameOf(to),
          via: [...via, last()],
          testOnly: false,
          ...(onward && { onward }),
        });
    }
  }
  return rootEdges.values();
}

/** Yields the rows of the root's settings that begin at the folder of each package that includes them. */
function* outsideRows(
  layers: readonly Layer[],
  root: number,
): Iterable<{ readonly layer: Layer; readonly row: number }> {
  for (const layer of layers)
    for (const row of layer.table.columns.guessRows)
      if (
        layer.from(row) === root &&
        layer.isLive(row) &&
        beginsAtUsers(layer, row, layers)
      )
        yield { layer, row };
}
