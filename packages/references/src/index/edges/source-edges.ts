import { isCheckScript } from "@skein/known-tools";
import { remember } from "@skein/reporting/group-by";
import type { FoundEdges, SourceEdge } from "../../graph.js";
import {
  GLOBALS_SIGN,
  TOOL_SETTINGS,
  type ReferenceKind,
} from "../../reference.js";
import { dirOf, keyOf, packageNameOf, pathFrom } from "../../resolve.js";
import { isNameOf } from "../targets/aliases.js";
import { openTaskScripts } from "../targets/called-scripts.js";
import type { FindUsers, ReferenceWorld } from "../users/file-users.js";
import type { Crossings } from "./crossings.js";
import { EdgeNotes } from "./edge-notes.js";
import { openGivenArguments } from "../targets/given-arguments.js";
import type { Layer } from "../layer.js";
import type { Layout } from "../layout.js";
import { PROGRAMS } from "../table/table.js";
import type { ModuleReach } from "./module-reach.js";
import { narrowedUses } from "./narrowed-uses.js";
import { ReachSum } from "./reach.js";
import { includesSettings } from "../users/settings-users.js";
import { isOfProgram, isRun } from "../users/users-through-root.js";
import type { RowWithPath } from "../targets/match.js";

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
const unshown = (layer: Layer) => layer.unshownRows();

interface EdgesWorld extends ReferenceWorld {
  readonly findUsers: FindUsers;
}

/** Makes the edges that no manifest shows, and narrows declared ones. @see ReferenceGraph.edges */
export function sourceEdges(
  world: EdgesWorld & { readonly reach: ModuleReach },
  crossings: Crossings,
  mayBeLookedUp: (path: string) => boolean = () => true,
): FoundEdges {
  const notes = new EdgeNotes(world);
  const fromRoot = noteCrossings(world, crossings, notes);
  noteNamesInExternals(world, notes);
  noteOutside(world, notes);
  const rootEdges = noteFromRoot(fromRoot, crossings.layers, world, {
    notes,
    mayBeLookedUp,
  });
  const found = notes.edges();
  return {
    edges: [...found, ...rootEdges],
    narrowed: narrowedUses(found, notes, crossings.layers, world),
  };
}

/** A reference in a file of the root that packages may share. */
interface RootReference extends RowWithPath {
  /** The number of the package to which it leads. */
  readonly to: number;
}

/**
 * Notes the edges that references between packages make.
 * @returns the references in files of the root
 */
function noteCrossings(
  { layout, matches, asides, measures }: ReferenceWorld,
  crossings: Crossings,
  notes: EdgeNotes,
): readonly RootReference[] {
  const { root } = layout;
  const fromRoot: RootReference[] = [];
  const scriptsOf = openTaskScripts(crossings.layers, layout);
  const makesGlobals = openGlobals(crossings.layers, layout);
  crossings.each(unshown, (layer, row, from, to, path) => {
    if (to === root && (path !== undefined || !layer.meansRoot(row))) return;
    const last = { layer, row, path };
    if (from === root) {
      const task = layer.kind(row) === "task" && layer.table.suffixOf(row);
      if (task !== false) {
        const name = task.slice(task.lastIndexOf("/") + 1);
        const named = layout.byName.get(packageNameOf(task));
        const owners =
          named === undefined
            ? scriptsOf(task).map(({ owner }) => owner)
            : [named];
        for (const owner of owners)
          if (owner !== to)
            notes.note(owner, to, layer.file(row), last, () => ({
              via: [layer.found(row, path)],
              testOnly: isCheckScript(name),
            }));
        return;
      }
      if (isAliasOf(to, layer, row, { layout, matches })) return;
      if (isPassedOn(layer, row) || isOfProgram(layer, row))
        fromRoot.push({ ...last, to });
      for (const call of matches.callsOfScript(layer, row))
        if (call.owner === root)
          fromRoot.push({ layer: call.layer, row: call.row, path, to });
        else
          notes.note(call.owner, to, call.layer.file(call.row), last, () => ({
            via: [call.layer.found(call.row), layer.found(row, path)],
            testOnly: false,
          }));
      return;
    }
    if (layer.isNoUse(row) || isAliasOf(to, layer, row, { layout, matches }))
      return;
    if (path === undefined && crossings.isOnlyAbove(layer, row)) return;
    if (layer.kind(row) === "coverage" && !measures(from)) return;
    const file = layer.file(row);
    // The compiler builds the other project first. A module that uses it imports it, too.
    const isOfBuild =
      layer.kind(row) === "tsconfig-reference" && !makesGlobals(to);
    const isOfTest = notes.note(from, to, file, last, () => ({
      via: [layer.found(row, path)],
      testOnly:
        isOfBuild ||
        (!layer.isUnparsed(row) && asides.isApart(file, layer.kind(row))),
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

/**
 * Opens the question whether a package, by its number, has a project with global declarations. It may extend a tsconfig of the root
 * that tells the compiler to make them.
 */
function openGlobals(
  layers: readonly Layer[],
  { root }: Layout,
): (owner: number) => boolean {
  let owners: ReadonlySet<number> | undefined;
  return (owner) => {
    owners ??= new Set(
      layers.flatMap((layer) =>
        Array.from(layer.rowsOfPackage(PROGRAMS))
          .filter((row) => layer.table.specifierOf(row) === GLOBALS_SIGN)
          .map((row) => layer.from(row)),
      ),
    );
    return owners.has(owner) || owners.has(root);
  };
}

/**
 * Returns whether settings in the folder of a package name another one, by its number, only as the target of an alias that has its
 * name: imports of that name use it.
 */
function isAliasOf(
  to: number,
  layer: Layer,
  row: number,
  { layout, matches }: Pick<ReferenceWorld, "layout" | "matches">,
): boolean {
  const alias = matches.aliasOf(layer, row);
  return (
    alias !== undefined &&
    dirOf(layer.file(row)) === layout.dirOf(layer.from(row)) &&
    isNameOf(alias, layout.nameOf(to))
  );
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

/**
 * Notes the edges of the root's settings that begin at the folder of each package that includes them. The target of an alias is
 * used by imports of its name, if the alias is valid in the package.
 */
function noteOutside(
  { layout, matches, findUsers, measures }: EdgesWorld,
  notes: EdgeNotes,
): void {
  const { root } = layout;
  const isName = remember((alias: string) =>
    layout.workspaces.some(({ name }) => isNameOf(alias, name)),
  );
  for (const { layer, row } of matches.atUsers()) {
    if (layer.from(row) !== root) continue;
    const { file, specifier, partial } = layer.found(row);
    const alias = matches.aliasOf(layer, row);
    const isOfWorkspace = alias !== undefined && isName(alias);
    for (const { workspace, via, testOnly } of findUsers(file, true).packages) {
      const from = layout.byName.get(workspace) ?? -1;
      const path = pathFrom(layout.dirOf(from), specifier, partial);
      const to = path === undefined ? -1 : layout.ownerOf(path);
      if (path === undefined || to < 0 || to === root) continue;
      if (layer.kind(row) === "coverage" && !measures(from)) continue;
      if (isOfWorkspace && via.every(includesSettings)) continue;
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
  layers: readonly Layer[],
  { layout, findUsers, measures }: EdgesWorld,
  {
    notes,
    mayBeLookedUp,
  }: {
    readonly notes: EdgeNotes;
    readonly mayBeLookedUp: (path: string) => boolean;
  },
): Iterable<SourceEdge> {
  const rootEdges = new Map<
    string,
    { readonly edge: SourceEdge; readonly reach: ReachSum | undefined }
  >();
  /** The files above a file in which programs find settings, each with the references that lead from it. */
  const startsOf = remember((file: string) =>
    Array.from(findUsers(file, true).files).filter(
      ([start]) => start === "package.json" || mayBeLookedUp(start),
    ),
  );
  const given = openGivenArguments(layers, layout);
  for (const { layer, row, to, path } of fromRoot) {
    const { packages, direct } = findUsers(layer.file(row), true);
    const last = () => layer.found(row, path);
    const isKept = !isPassedOn(layer, row);
    const isPlugin = layer.kind(row) === "editor-plugin";
    const mayLead = (workspace: string) =>
      path !== undefined ||
      layer.kind(row) !== "argument-path" ||
      given.mayLeadTo(layout.dirOf(to), layer, row, direct(workspace));
    const isCoverage = layer.kind(row) === "coverage";
    for (const { workspace, via, testOnly } of packages)
      if ((!isKept || isRun(via)) && mayLead(workspace)) {
        const from = layout.byName.get(workspace) ?? -1;
        if (isCoverage && !measures(from)) continue;
        notes.note(from, to, via[0]?.file ?? "", { layer, row, path }, () => ({
          via: [...via, last()],
          testOnly: testOnly || isPlugin,
        }));
      }
    const starts = isKept ? [] : startsOf(layer.file(row));
    if (starts.length === 0) continue;
    const reach = notes.reachOf({ layer, row, path }, to);
    const isGuess = layer.isPartial(row);
    const sign = isGuess ? "?" : isPlugin ? "-" : "";
    for (const [start, via] of starts) {
      // The references of the root's package.json have several kinds, and not all of them are settings.
      const number = start === "package.json" ? rootEdges.size : "";
      const { kind } = via[0] ?? last();
      const key = [
        start,
        to,
        reach ? "" : "*",
        number,
        sign,
        TOOL_SETTINGS.has(kind),
      ].join("\0");
      let known = rootEdges.get(key);
      if (!known) {
        const edge: SourceEdge = {
          from: layout.nameOf(layout.root),
          to: layout.nameOf(to),
          via: [...via, last()],
          testOnly: isPlugin,
          ...(isGuess && { isGuess }),
        };
        known = { edge, reach: reach && new ReachSum() };
        rootEdges.set(key, known);
      }
      if (reach) known.reach?.add(reach);
    }
  }
  return Array.from(rootEdges.values(), ({ edge, reach }) => ({
    ...edge,
    ...notes.factsOf(edge.to, reach),
  }));
}
