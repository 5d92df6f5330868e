import { isOfCi } from "@skein/known-tools";
import type { AsideUser, FoundReference } from "../../graph.js";
import type { ReferenceKind } from "../../reference.js";
import { foldersAbove, keyOf, keysOf, pathFrom } from "../../resolve.js";
import { openGivenArguments } from "../targets/given-arguments.js";
import { isOpenEnd } from "./asides.js";
import type {
  FileUse,
  FileUsers,
  FindUsers,
  ReferenceWorld,
} from "./file-users.js";
import { KIND_TRAITS } from "../kinds.js";
import type { Layer } from "../layer.js";

/** Files that a compiler includes if a file of the root tells it to compile. A tsconfig that extends it has its own files. */
const TAKEN_IN: ReadonlySet<ReferenceKind> = new Set<ReferenceKind>([
  "tsconfig-include",
  "tsconfig-reference",
]);
const RUNS: ReadonlySet<ReferenceKind> = new Set<ReferenceKind>([
  "script",
  "test-script",
  "tsconfig-reference",
]);

/** Settings of test runners whose patterns begin at the folder of the settings. */
const RUNS_TESTS = /(?:^|\/)[\w.-]*(?:jest|karma|playwright)[\w.-]*$/;

/** Returns whether a row in a file of the root tells a compiler what to include, or a test runner which folders contain tests. */
export function isOfProgram(layer: Layer, row: number): boolean {
  const kind = layer.kind(row);
  const file = layer.file(row);
  return kind === "selection"
    ? RUNS_TESTS.test(file) && layer.table.targetOf(row) !== ""
    : TAKEN_IN.has(kind) && file !== "package.json";
}

/** Returns whether a chain of references to a file of the root belongs to a program that compiles with it. */
export function isRun(via: readonly FoundReference[]): boolean {
  return via.every(({ kind }) => RUNS.has(kind));
}

interface ThroughRootWorld extends Pick<ReferenceWorld, "layout" | "matches"> {
  readonly layers: readonly Layer[];
}

/**
 * Returns the packages that use a file of the root which names an aside, or a folder of it: the tests that a shared
 * configuration runs. Of a folder that contains packages, a program may read any file.
 */
export function usersThroughRoot(
  path: string,
  { layers, layout, matches }: ThroughRootWorld,
  findUsers: FindUsers,
): readonly AsideUser[] {
  const dir = layout.dirOf(layout.ownerOf(path));
  const owner = layout.nameOf(layout.ownerOf(path));
  const given = openGivenArguments(layers, layout);
  const users: AsideUser[] = [];
  const add = (
    reference: FoundReference,
    isMeant: (use: FileUse, users: FileUsers) => boolean,
  ) => {
    const found = findUsers(reference.file, true);
    for (const use of found.packages) {
      const [first, ...others] = use.via;
      if (use.workspace !== owner && first && isMeant(use, found))
        users.push({
          via: [first, ...others, reference],
          testOnly: use.testOnly,
        });
    }
  };
  for (const { layer, row, reference, byFolder, script } of matches.of(path)) {
    const mayLead = ({ workspace }: FileUse, { direct }: FileUsers) =>
      reference.kind !== "argument-path" ||
      given.mayLeadTo(dir, layer, row, direct(workspace));
    const { target, partial, suffix = "" } = reference;
    const isNamed =
      !partial ||
      suffix !== "" ||
      (target.kind === "path" && !layout.holdsWorkspaces(target.path));
    if (script || layer.from(row) !== layout.root || isOfCi(reference.file))
      continue;
    if (isOfProgram(layer, row)) add(reference, ({ via }) => isRun(via));
    else if (
      byFolder &&
      isNamed &&
      KIND_TRAITS[reference.kind].loads &&
      reference.file !== "package.json"
    )
      add(reference, mayLead);
    else if (
      isOpenEnd(reference, layout) &&
      reference.file !== "package.json" &&
      // A search of the whole project doesn't show the purpose of one file.
      (target.kind !== "path" || target.path !== "") &&
      KIND_TRAITS[reference.kind].loads
    )
      add(reference, mayLead);
  }
  // Paths that begin at the folder of each package that includes the settings.
  const keys = new Set([...keysOf(path), ...foldersAbove(path)]);
  for (const { layer, row } of matches.atUsers()) {
    const reference = layer.found(row);
    if (reference.from === layout.nameOf(layout.root))
      add(reference, ({ workspace }) => {
        const from = layout.dirOf(layout.byName.get(workspace) ?? -1);
        // The part of the path behind a group of an alias isn't known.
        const known = reference.specifier.replace(/\/[^/]*\$\d.*$/, "");
        const meant = pathFrom(from, known, reference.partial);
        return (
          meant !== undefined &&
          !layout.holdsWorkspaces(meant) &&
          keys.has(keyOf(meant))
        );
      });
  }
  return users;
}

/**
 * Returns the calls of a script of the root by packages, and by files of the root that packages use, each with the package's name.
 */
export function callsOfRootScript(
  script: string,
  {
    layout,
    matches,
    findUsers,
  }: Pick<ReferenceWorld, "layout" | "matches"> & {
    readonly findUsers: FindUsers;
  },
): readonly (readonly [workspace: string, call: FoundReference])[] {
  return matches.callsOfRootScript(script).flatMap(({ layer, row, owner }) => {
    const call = layer.found(row);
    return owner === layout.root
      ? findUsers(call.file, true).packages.map(
          ({ workspace, via: [first = call] }) => [workspace, first] as const,
        )
      : [[layout.nameOf(owner), call] as const];
  });
}
