import type { SourceEdge } from "../graph.js";
import type { ReferenceKind } from "../reference.js";
import { climb } from "./climb.js";
import type { Climbed, ReferenceWorld } from "./climb.js";
import type { Crossings } from "./crossings.js";
import type { Layer } from "./layer.js";

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

/** Makes the edges that no manifest shows. @see ReferenceGraph.sourceEdges */
export function sourceEdges(
  world: ReferenceWorld,
  crossings: Crossings,
): readonly SourceEdge[] {
  const { layout, matches, asides } = world;
  const { workspaces, root } = layout;
  const edges = new Map<number, SourceEdge>();
  const rootEdges: SourceEdge[] = [];
  const fromRoot: {
    layer: Layer;
    row: number;
    to: number;
    path: string | undefined;
  }[] = [];
  /**
   * One edge of each pair, one that asides did not make where there is one.
   * @returns whether this is one that they made
   */
  function note(
    from: number,
    to: number,
    facts: () => Pick<SourceEdge, "via" | "testOnly">,
  ): boolean {
    if (from < 0 || from === to || layout.isDeclared(from, to)) return false;
    const pair = from * workspaces.length + to;
    if (edges.get(pair)?.testOnly === false) return false;
    const { via, testOnly } = facts();
    if (!testOnly || !edges.has(pair))
      edges.set(pair, {
        from: layout.nameOf(from),
        to: layout.nameOf(to),
        via,
        testOnly,
      });
    return testOnly;
  }
  crossings.each(unshown, (layer, row, from, to, path) => {
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
    if (path === undefined && crossings.isOnlyAbove(layer, row)) return;
    const file = layer.file(row);
    const isOfTest = note(from, to, () => ({
      via: [layer.found(row, path)],
      testOnly: !layer.isUnparsed(row) && asides.isAside(file),
    }));
    for (const user of isOfTest ? asides.usersElsewhere(file) : [])
      note(layout.byName.get(user.via[0].from) ?? -1, to, () => ({
        via: [...user.via, layer.found(row, path)],
        testOnly: user.testOnly,
      }));
  });
  const climbed = new Map<string, Climbed>();
  for (const { layer, row, to, path } of fromRoot) {
    const file = layer.file(row);
    let above = climbed.get(file);
    if (!above) climbed.set(file, (above = climb(file, world)));
    const last = layer.found(row, path);
    for (const [workspace, { via, testOnly }] of above.packages)
      note(layout.byName.get(workspace) ?? -1, to, () => ({
        via: [...via, last],
        testOnly,
      }));
    for (const via of above.files.values())
      rootEdges.push({
        from: layout.nameOf(root),
        to: layout.nameOf(to),
        via: [...via, last],
        testOnly: false,
      });
  }
  return [...edges.values(), ...rootEdges];
}
