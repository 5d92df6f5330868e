import { remember } from "@skein/reporting/group-by";
import { openReportReaders } from "./api-reports.js";
import type { Workspace } from "../../graph.js";
import type { Effect } from "../owned/effects.js";
import { compileGlobs } from "../globs.js";
import type { User } from "../input.js";
import type { Reader } from "../programs/lookups.js";
import type { Reason } from "../reason.js";
import {
  environmentUsers,
  linksOf,
  readBy,
  referenced,
  type LinkOptions,
} from "./reader-links.js";
import { openSearch, type FindReaders } from "./reader-search.js";
import { tsconfigUsers } from "./tsconfig-users.js";
import type { DecisionWorld } from "../world.js";

/**
 * Opens the readers of what a project's root files refer to; each file is searched once.
 * @returns the packages that can read a file that no package owns, each with one reason
 */
export function openReaders(
  world: DecisionWorld,
): (path: string) => ReadonlyMap<string, Reason> {
  const isPage = openPages(world.input.settings.documentation);
  const isOfUses = true;
  return remember(openReadersOf(world, { isPage, isOfUses, isExact: false }));
}

/** Opens the search for the packages that can read a file, also through other files of the root. @see openSearch */
export function openReadersOf(
  world: DecisionWorld,
  options: LinkOptions,
): FindReaders {
  const find = (file: string, isFirst: boolean) =>
    linksOf(file, isFirst, world, options);
  return openReportReaders(openSearch(find), (file) => find(file, true));
}

/**
 * Finds packages in the folder of another package that look up its settings: ESLint searches the folders above, also if they
 * are a package.
 * @returns a function of a file and its owner
 */
export function openInnerReaders({
  input,
  lookups,
  above,
}: DecisionWorld): (path: string, owner: Workspace) => readonly Effect[] {
  return (path, { name, dir }) => {
    if (!above().has(dir)) return [];
    const users = [
      ...tsconfigUsers(path, input),
      ...environmentUsers(path, input),
    ];
    return [
      ...lookups.readersOf(path).map((reader): Effect => ({
        kind: "package",
        name: reader.workspace.name,
        reason: lookupReason(path, path, reader),
      })),
      ...users.map(([user, found]) => use(path, user, found)),
    ].filter((effect) => effect.kind === "package" && effect.name !== name);
  };
}

/**
 * Returns the reason of a package whose units look up settings.
 * @param file the settings that lead to the path, or the path itself
 */
export function lookupReason(
  path: string,
  file: string,
  reader: Reader,
): Reason {
  const { isGuess } = reader.lookup;
  return { ...readBy(path, file, reader), ...(isGuess && { isGuess }) };
}

/** Returns the effect of a changed file on a package that refers to it. */
export function use(path: string, name: string, user: User): Effect {
  return { kind: "package", name, reason: referenced(path, user) };
}

/** @returns whether a file is documentation: a folder that isn't a package's has pages like the root */
export function openPages(globs: readonly string[]): (path: string) => boolean {
  const matches = compileGlobs(globs);
  return (path) =>
    matches(path) || matches(path.slice(path.lastIndexOf("/") + 1));
}
