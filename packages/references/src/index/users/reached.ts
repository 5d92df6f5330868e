import { basename } from "node:path/posix";
import { groupBy, remember } from "@skein/reporting/group-by";
import { TOOL_SETTINGS, type ReferenceKind } from "../../reference.js";
import { below, keyOf } from "../../resolve.js";
import { openEntries } from "./entries.js";
import { KIND_TRAITS } from "../kinds.js";
import type { Layer } from "../layer.js";
import type { Layout } from "../layout.js";
import { mayLeadToCi, type Match, type Row } from "../targets/match.js";
import type { Matches } from "../targets/matches.js";
import { openMentions } from "../targets/mentions.js";

/** The inputs of the search for reachable files. */
export interface ReachWorld {
  readonly layers: readonly Layer[];
  readonly layout: Layout;
  readonly matches: Matches;
  /** Whether programs look up a file of the root, so that it is read although no file names it. */
  readonly isLookedUp: (path: string) => boolean;
  /** Whether one package is known to use the other, by their numbers. */
  readonly isEdge: (from: number, to: number) => boolean;
}

/** Sources that programs load by importing them. Settings, mocks and declarations take effect without an import. */
const SOURCE =
  /^(?!\.)(?!.*(?:[.-]config|\.conf|rc|\.d|\.setup|file)\.[cm]?[jt]sx?$).*\.[cm]?[jt]sx?$/i;

/** Kinds with which a file only selects files of its own package, or doesn't use them. */
const CHOOSES: ReadonlySet<ReferenceKind> = new Set<ReferenceKind>([
  "tsconfig-include",
  "tsconfig-reference",
  "selection",
  "coverage",
  "test-script",
  "script-text",
  "dependency",
  "linked-dependency",
]);

/** Finds what leads to the files of packages and of the root. */
export interface Reached {
  /**
   * Whether no entry point, no script, no settings and no other package leads to a source. It then doesn't matter to packages
   * that depend on its package. If this can't be determined, it is false.
   */
  readonly isUnreached: (path: string) => boolean;
  /**
   * Whether packages read a file of the root, except the one with this number: a program looks it up, or a package leads to
   * it.
   */
  readonly isRead: (rootFile: string, except?: number) => boolean;
  /** Whether a program looks up a file of the root, or one that leads to it. */
  readonly isFound: (rootFile: string) => boolean;
}

/** Finds the files that the entry points of packages reach. */
export function openReached({
  layers,
  layout,
  matches,
  isLookedUp,
  isEdge,
}: ReachWorld): Reached {
  const { isRead, isReadAt, isFound } = openRead({
    layout,
    matches,
    isLookedUp,
  });
  const entries = openEntries({ layers, layout, matches, isReadAt });
  const mentionsOf = openMentions(layers);
  const uses = { layers, layout, matches, isEdge, mentionsOf };
  let unparsed: ReadonlyMap<number, readonly string[]> | undefined;
  return { isRead, isFound, isUnreached: remember(isUnreached) };

  function unparsedIn(owner: number): readonly string[] {
    unparsed ??= groupBy(
      layers.flatMap((layer) => layer.unparsedFiles()).filter(isSource),
      (file) => layout.ownerOf(file),
    );
    return unparsed.get(owner) ?? [];
  }

  function isUnreached(path: string): boolean {
    const owner = layout.ownerOf(path);
    if (
      !isSource(path) ||
      isIndex(path, owner, layout) ||
      !entries.areKnown(owner)
    )
      return false;
    // A source that can't be parsed may load any other one.
    const seen = new Set([path, ...unparsedIn(owner)]);
    for (const file of seen)
      for (const { layer, row } of usesOf(file, owner, uses)) {
        const user = layer.file(row);
        if (user === file || isAbout(layer, row)) continue;
        const from = layer.from(row);
        if (from === owner) {
          if (layer.kind(row) === "tsconfig-include") {
            if (entries.isCompiled(owner)) return false;
            continue;
          }
          if (CHOOSES.has(layer.kind(row))) continue;
          if (!isSource(user) || isIndex(user, owner, layout)) return false;
        } else if (from !== layout.root) {
          // A string isn't an import: it makes only its own package depend on this one, not other dependents.
          const isString =
            layer.kind(row) === "name-string" && !layer.isPartial(row);
          if (!isString && !layer.isNoUse(row)) return false;
          continue;
        } else if (user === "package.json") {
          // Settings concern all packages; scripts concern only the root.
          if (TOOL_SETTINGS.has(layer.kind(row))) return false;
          continue;
        } else if (CHOOSES.has(layer.kind(row))) continue;
        else if (isLookedUp(user)) return false;
        seen.add(user);
      }
    return true;
  }
}

/** Opens the question which packages read a file of the root. */
function openRead({
  layout,
  matches,
  isLookedUp,
}: Pick<ReachWorld, "layout" | "matches" | "isLookedUp">) {
  const read = new Map<string, boolean>();
  const isFound = remember((rootFile: string) =>
    [...leadingTo(rootFile)].some(isLookedUp),
  );
  return { isRead, isReadAt, isFound };

  /** Returns the files of the root that lead to one of them, with this one. */
  function leadingTo(rootFile: string): ReadonlySet<string> {
    const files = new Set([rootFile]);
    for (const file of files)
      for (const match of matches.of(file))
        if (leadsTo(file, match)) files.add(match.layer.file(match.row));
    return files;
  }

  /** Returns whether a file of the root leads to another one, and not only as a script of the root. */
  function leadsTo(file: string, match: Match): boolean {
    const { layer, row } = match;
    return (
      !mayLeadToCi(file, match) &&
      layer.from(row) === layout.root &&
      !matches.isOfRootScript(layer, row) &&
      layer.kind(row) !== "selection" &&
      !isAbout(layer, row)
    );
  }

  /**
   * Returns whether a row in a file of the root concerns packages other than the given one: they read the file, or look it
   * up.
   */
  function isReadAt(layer: Layer, row: number, owner: number): boolean {
    const file = layer.file(row);
    return file === "package.json"
      ? TOOL_SETTINGS.has(layer.kind(row))
      : isRead(file, owner);
  }

  function isRead(rootFile: string, except = -1): boolean {
    const key = `${except}\0${rootFile}`;
    const answer = read.get(key);
    if (answer !== undefined) return answer;
    const seen = new Set([rootFile]);
    let is = false;
    for (const file of seen) {
      if (is || (is = isLookedUp(file))) break;
      for (const match of matches.of(file)) {
        const { layer, row } = match;
        const from = layer.from(row);
        if (leadsTo(file, match)) seen.add(layer.file(row));
        else if (from !== layout.root && !mayLeadToCi(file, match))
          is ||= from !== except;
      }
    }
    read.set(key, is);
    return is;
  }
}

/** Returns whether a row searches the whole project, so that it doesn't show the purpose of one file. */
function isAbout(layer: Layer, row: number): boolean {
  const target = layer.target(row);
  return target.kind === "path" && target.path === "";
}

/** Returns whether a file is the one that Node loads for a package whose manifest has no `main`. */
function isIndex(path: string, owner: number, layout: Layout): boolean {
  return keyOf(path) === keyOf(below(layout.dirOf(owner), "index.js"));
}

function isSource(path: string): boolean {
  return SOURCE.test(basename(path)) && !path.includes("__mocks__/");
}

type UsesWorld = Pick<
  ReachWorld,
  "layers" | "layout" | "matches" | "isEdge"
> & {
  readonly mentionsOf: ReturnType<typeof openMentions>;
};

/** Yields the rows that may use a file of a package or of the root. */
function* usesOf(
  path: string,
  owner: number,
  { layers, layout, matches, isEdge, mentionsOf }: UsesWorld,
): Iterable<Row> {
  if (layout.ownerOf(path) !== owner) {
    yield* matches.of(path);
    return;
  }
  // Guesses at a package's files say something about that package alone.
  for (const match of matches.withGuesses(path))
    if (
      !match.layer.isOwnGuess(match.row) ||
      match.layer.from(match.row) === owner
    )
      yield match;
  for (const { layer, row } of mentionsOf(path)) {
    const from = layer.from(row);
    if (from === owner || from === layout.root || isEdge(from, owner))
      yield { layer, row };
  }
  // A source that computes where its package is may open any file of it.
  for (const layer of layers)
    for (const row of layer.rowsOfPath(layout.dirOf(owner)))
      if (
        layer.from(row) === owner &&
        (KIND_TRAITS[layer.kind(row)].takesFolders || layer.isOwnGuess(row)) &&
        isSource(layer.file(row))
      )
        yield { layer, row };
}
