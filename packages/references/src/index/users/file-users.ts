import { addTo, remember } from "@skein/reporting/group-by";
import type { FoundReference } from "../../graph.js";
import { dirOf } from "../../resolve.js";
import { fileKind } from "../../scan/file-kinds.js";
import { KIND_TRAITS } from "../kinds.js";
import type { Layout } from "../layout.js";
import { mayLeadToCi } from "../targets/match.js";
import type { Matches } from "../targets/matches.js";
import type { Asides } from "./asides.js";
import type { Checks } from "../edges/checks.js";

/** The index of a project's references. */
export interface ReferenceWorld {
  readonly layout: Layout;
  readonly matches: Matches;
  readonly asides: Asides;
  readonly checks: Checks;
  /** Whether tests of a package, by its number, may measure coverage. */
  readonly measures: (workspace: number) => boolean;
}

/** A package that a file matters to, with its shortest chain of references. */
export interface FileUse {
  readonly workspace: string;
  readonly via: readonly FoundReference[];
  readonly testOnly: boolean;
}

/** The packages and files that a file matters to, each with its shortest chain of references. */
export interface FileUsers {
  /**
   * One use for each package and one for each of its scripts that only test or check. The chain doesn't begin in a test if
   * there is such a chain.
   */
  readonly packages: readonly FileUse[];
  /** Files that no package owns, including the file itself. */
  readonly files: ReadonlyMap<string, readonly FoundReference[]>;
  /**
   * Returns all references of a package to the file; undefined if the package also uses it in another way, such as through
   * another file.
   */
  readonly direct: (workspace: string) => readonly FoundReference[] | undefined;
}

/**
 * Finds everything that a file matters to, also through files that no package owns.
 * @param isOfTargets whether to find what the file's own targets matter to
 */
export type FindUsers = (path: string, isOfTargets?: boolean) => FileUsers;

/** Opens the search. Many files have users in common, so the steps from each file are computed once. */
export function openUsers(world: ReferenceWorld): FindUsers {
  const stepsOf = remember((file: string) => stepsFrom(file, world, {}));
  const stepsOfTargets = remember((file: string) =>
    stepsFrom(file, world, { isOfTargets: true }),
  );
  const stepsBy = remember((passage: Passage) =>
    remember((file: string) =>
      stepsFrom(file, world, { isOfTargets: true, passage }),
    ),
  );
  const usersOf = remember((path: string) => findUsers(path, false));
  const usersOfTargets = remember((path: string) => findUsers(path, true));
  return (path, isOfTargets = false) =>
    (isOfTargets ? usersOfTargets : usersOf)(path);

  function findUsers(path: string, isOfTargets: boolean): FileUsers {
    const stepsAt = (file: string) =>
      file === path && !isOfTargets ? stepsOf(file) : stepsOfTargets(file);
    const packages = new Map<string, FileUse>();
    const files = new Map<string, readonly FoundReference[]>([[path, []]]);
    const queue = [{ steps: stepsAt(path), chain: files.get(path) ?? [] }];
    const queued = new Set([path]);
    for (const { steps, chain } of queue) {
      for (const [key, uses] of steps.uses)
        for (const use of uses) {
          const other = packages.get(key);
          if (!other || (other.testOnly && !use.testOnly))
            packages.set(key, { ...use, via: [...use.via, ...chain] });
        }
      for (const [next, via] of steps.files) {
        const passage = passageOf(via);
        const key = passage ? `${next}\0${passage}` : next;
        if (queued.has(next) || queued.has(key)) continue;
        queued.add(key);
        const found = [...via, ...chain];
        if (!files.has(next)) files.set(next, found);
        queue.push({
          steps: passage ? stepsBy(passage)(next) : stepsAt(next),
          chain: found,
        });
      }
    }
    const direct = (workspace: string) => {
      const [own, ...others] = Array.from(files.keys(), (each) =>
        stepsAt(each),
      );
      const isOther = ({ direct: names, indirect }: Steps) =>
        names.has(workspace) || indirect.has(workspace);
      return own?.indirect.has(workspace) === true || others.some(isOther)
        ? undefined
        : own?.direct.get(workspace);
    };
    return { packages: [...packages.values()], files, direct };
  }
}

/** Everything that refers to a file. */
interface Steps {
  /** The uses by packages: one for each package and script that only tests or checks, and one that isn't of a test. */
  readonly uses: ReadonlyMap<string, readonly FileUse[]>;
  /** Files that no package owns. */
  readonly files: ReadonlyMap<string, readonly FoundReference[]>;
  /** All references of packages to the file, by the names of the packages. */
  readonly direct: ReadonlyMap<string, readonly FoundReference[]>;
  /** Packages that use it through a script of the root, or through an aside of another package. */
  readonly indirect: ReadonlySet<string>;
}

/** How a file leads to the next one, if not all of its own users get that. */
type Passage = "build" | "entry";

/**
 * Returns how a file leads to another one: a tsconfig by `references`, which one that extends it doesn't get, or a manifest by an
 * entry point, which programs don't get that run other files in its folder.
 */
function passageOf([first]: readonly FoundReference[]): Passage | undefined {
  if (first?.kind === "tsconfig-reference") return "build";
  return first?.kind === "entry" ? "entry" : undefined;
}

/** Returns whether a reference to a file doesn't get what the file leads to in this way. */
function isCut(
  file: string,
  { kind, target }: FoundReference,
  passage: Passage | undefined,
): boolean {
  if (passage === "build") return kind === "extends";
  // A row that names a file in the folder, and neither the folder nor the manifest.
  return (
    passage === "entry" &&
    target.kind === "path" &&
    target.path.startsWith(`${dirOf(file)}/`) &&
    target.path !== file
  );
}

function stepsFrom(
  file: string,
  { layout, matches, asides, checks, measures }: ReferenceWorld,
  {
    isOfTargets = false,
    passage,
  }: { readonly isOfTargets?: boolean; readonly passage?: Passage },
): Steps {
  const rootName = layout.nameOf(layout.root);
  const uses = new Map<string, FileUse[]>();
  const files = new Map<string, readonly FoundReference[]>();
  const direct = new Map<string, FoundReference[]>();
  const indirect = new Set<string>();
  const cut =
    passage === "entry" && matches.mapsPaths(file) ? undefined : passage;
  function note(use: FileUse): void {
    const [first, ...others] = use.via;
    if (!first || others.length > 0) indirect.add(use.workspace);
    else addTo(direct, use.workspace, first);
    const check = first && checks.around(first);
    const key = `${use.workspace}\0${check ?? ""}`;
    const known = uses.get(key);
    if (!known) uses.set(key, [use]);
    // Only the first use counts, and the first that isn't of a test.
    else if (known.every(({ testOnly }) => testOnly) && !use.testOnly)
      known.push(use);
  }
  for (const match of matches.of(file)) {
    const { layer, row, reference, byFolder, script } = match;
    if (mayLeadToCi(file, match)) continue;
    if (isOfTargets && reference.isSearched) continue;
    if (isCut(file, reference, cut)) continue;
    const owner = layer.from(row);
    if (
      reference.kind === "coverage" &&
      owner !== layout.root &&
      !measures(owner)
    )
      continue;
    const via = [reference, ...(script ? [script] : [])];
    const known = files.get(reference.file);
    if (reference.from !== rootName) {
      const testOnly =
        !layer.isUnparsed(row) &&
        (asides.isAsideUse(reference, file) ||
          asides.isApart(reference.file, reference.kind));
      note({ workspace: reference.from, via, testOnly });
      for (const user of testOnly ? asides.usersElsewhere(reference.file) : [])
        note({
          workspace: user.via[0].from,
          via: [...user.via, ...via],
          testOnly: user.testOnly,
        });
    } else if (
      reference.kind !== "selection" &&
      !matches.isOfRootScript(layer, row) &&
      (!byFolder ||
        layer.isOwnGuess(row) ||
        KIND_TRAITS[reference.kind].loadsFolders ||
        isOfFolder(reference, file)) &&
      (!known || passageOf(known))
    )
      files.set(reference.file, via);
  }
  return { uses, files, direct, indirect };
}

/**
 * Returns whether a text names exactly the folder of a file: `resources: [../base]` of Kustomize, `source = "../x"` of
 * Terraform.
 */
function isOfFolder(
  { file: text, target, partial }: FoundReference,
  file: string,
): boolean {
  return (
    !partial &&
    target.kind === "path" &&
    target.path === dirOf(file) &&
    fileKind(text, "100644") === "text"
  );
}

/** Returns the packages that a file matters to by their names, each with its first use. */
export function usersIn({ packages }: FileUsers): ReadonlyMap<string, FileUse> {
  const users = new Map<string, FileUse>();
  for (const use of packages)
    if (!users.has(use.workspace)) users.set(use.workspace, use);
  return users;
}
