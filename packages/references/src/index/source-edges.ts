import type { FoundReference, SourceEdge } from "../graph.js";
import { TOOL_SETTINGS, type ReferenceKind } from "../reference.js";
import { keyOf, pathFrom } from "../resolve.js";
import { openAliasTargets } from "./aliases.js";
import { openAlone } from "./alone.js";
import { climb } from "./climb.js";
import type { Climbed, ReferenceWorld } from "./climb.js";
import type { Crossings } from "./crossings.js";
import { beginsAtUsers } from "./elsewhere.js";
import type { Layer } from "./layer.js";

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

/** Makes the edges that no manifest shows. @see ReferenceGraph.sourceEdges */
export function sourceEdges(
  world: ReferenceWorld,
  crossings: Crossings,
  mayBeLookedUp: (path: string) => boolean = () => true,
): readonly SourceEdge[] {
  const { layout, matches, asides } = world;
  const { workspaces, root } = layout;
  const isAlone = openAlone(crossings.layers, layout, matches);
  const isAliasTarget = openAliasTargets(crossings.layers);
  const edges = new Map<number, SourceEdge>();
  const rootEdges = new Map<string, SourceEdge>();
  const fromRoot: {
    layer: Layer;
    row: number;
    to: number;
    path: string | undefined;
  }[] = [];
  /**
   * Keeps one edge of each pair of packages, preferably one that doesn't come from asides; and one that `last` makes by
   * loading modules that use nothing from other packages.
   * @param last undefined if it isn't known which modules are loaded
   * @returns whether this edge is kept
   */
  function note(
    from: number,
    to: number,
    last: LastReference | undefined,
    facts: () => Pick<SourceEdge, "via" | "testOnly">,
  ): boolean {
    if (from < 0 || from === to || layout.isShown(from, to)) return false;
    const pair = (from * workspaces.length + to) * 2;
    if (edges.get(pair)?.testOnly === false) return false;
    const ownOnly =
      last !== undefined && isAlone(last.layer, last.row, last.path);
    const key = ownOnly ? pair + 1 : pair;
    if (edges.get(key)?.testOnly === false) return false;
    const { via, testOnly } = facts();
    if (!testOnly || !edges.has(key))
      edges.set(key, {
        from: layout.nameOf(from),
        to: layout.nameOf(to),
        via,
        testOnly,
        ...(ownOnly && { ownOnly }),
      });
    return testOnly;
  }
  crossings.each(unshown, (layer, row, from, to, path) => {
    if (to === root) return;
    if (from === root) {
      if (isAliasTarget(layer, row, layout.nameOf(to))) return;
      if (isPassedOn(layer, row) || isOfProgram(layer, row))
        fromRoot.push({ layer, row, to, path });
      for (const call of matches.callsOfScript(layer, row))
        note(call.owner, to, { layer, row, path }, () => ({
          via: [call.layer.found(call.row), layer.found(row, path)],
          testOnly: false,
        }));
      return;
    }
    if (layer.isNoUse(row)) return;
    if (path === undefined && crossings.isOnlyAbove(layer, row)) return;
    const file = layer.file(row);
    const isOfTest = note(from, to, { layer, row, path }, () => ({
      via: [layer.found(row, path)],
      testOnly: !layer.isUnparsed(row) && asides.isApart(file, layer.kind(row)),
    }));
    for (const user of isOfTest ? asides.usersElsewhere(file) : [])
      note(
        layout.byName.get(user.via[0].from) ?? -1,
        to,
        { layer, row, path },
        () => ({
          via: [...user.via, layer.found(row, path)],
          testOnly: user.testOnly,
        }),
      );
  });
  workspaces.forEach(({ namedByExternals = [] }, from) => {
    for (const name of from === root ? [] : namedByExternals)
      for (const { layer, row, key } of matches.ofNameInExternal(from, name)) {
        const to = layout.ownerOf(key);
        if (to !== root)
          note(from, to, undefined, () => ({
            via: [layer.found(row, key)],
            testOnly: false,
          }));
      }
  });
  const climbed = new Map<string, Climbed>();
  const climbTo = (file: string) => {
    let above = climbed.get(file);
    if (!above) climbed.set(file, (above = climb(file, world)));
    return above;
  };
  const starts = new Map<Climbed, [string, readonly FoundReference[]][]>();
  /** Returns the files, with their chains, in which a program may find settings that lead to a file. */
  const startsOf = (above: Climbed) => {
    let found = starts.get(above);
    if (!found)
      starts.set(
        above,
        (found = [...above.files].filter(
          ([file]) => file === "package.json" || mayBeLookedUp(file),
        )),
      );
    return found;
  };
  for (const { layer, row } of outsideRows(crossings.layers, root)) {
    const { file, specifier, partial } = layer.found(row);
    for (const [workspace, { via, testOnly }] of climbTo(file).packages) {
      const from = layout.byName.get(workspace) ?? -1;
      const path = pathFrom(layout.dirOf(from), specifier, partial);
      const to = path === undefined ? -1 : layout.ownerOf(path);
      if (path === undefined || to < 0 || to === root) continue;
      note(from, to, { layer, row, path }, () => ({
        via: [...via, layer.found(row, keyOf(path))],
        testOnly,
      }));
    }
  }
  for (const { layer, row, to, path } of fromRoot) {
    const file = layer.file(row);
    const above = climbTo(file);
    const last = () => layer.found(row, path);
    const isKept = !isPassedOn(layer, row);
    for (const [workspace, { via, testOnly }] of above.packages)
      if (!isKept || isRun(via))
        note(
          layout.byName.get(workspace) ?? -1,
          to,
          { layer, row, path },
          () => ({
            via: [...via, last()],
            testOnly,
          }),
        );
    const starts = isKept ? [] : startsOf(above);
    const ownOnly = starts.length > 0 && isAlone(layer, row, path);
    for (const [start, via] of starts) {
      // The references of the root's package.json have several kinds, and not all of them are settings.
      const number = start === "package.json" ? rootEdges.size : "";
      const edge = [start, to, String(ownOnly), number].join("\0");
      if (!rootEdges.has(edge))
        rootEdges.set(edge, {
          from: layout.nameOf(root),
          to: layout.nameOf(to),
          via: [...via, last()],
          testOnly: false,
          ...(ownOnly && { ownOnly }),
        });
    }
  }
  return [...edges.values(), ...rootEdges.values()];
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
