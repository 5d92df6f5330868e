import { settingsOf, type SettingsName } from "@skein/known-tools";
import type { Workspace } from "../../graph.js";
import { isWithin } from "../../paths.js";
import type { Project } from "../../project.js";
import type { Lookup, Units } from "./units.js";
import {
  mayPassOn,
  nameAbove,
  programsOfSettings,
  settingsIn,
  settingsOfField,
} from "../unowned/unowned-rules.js";

/** A package whose units look up a file. */
export interface Reader {
  readonly workspace: Pick<Workspace, "name" | "dir">;
  readonly settings: SettingsName;
  readonly lookup: Lookup;
  /** Whether the packages that the settings name count as dependencies of the reader. */
  readonly passesOn: boolean;
}

/** Finds the packages, including the root, whose units look up settings that no file names. */
export interface Lookups {
  /** @param path of a file that no package owns, from the project's root */
  readonly readersOf: (path: string) => readonly Reader[];
  /** @param field of the root's package.json */
  readonly readersOfField: (field: string) => readonly Reader[];
}

/** Opens the lookups of a project. */
export function openLookups(
  project: Pick<Project, "packages" | "graph">,
  units: Units,
  above: () => ReadonlySet<string> = openFoldersAbove({
    base: undefined,
    head: project,
  }),
): Lookups {
  const readers = (folder: string, settings: SettingsName) => {
    const { foreignEndings, listsTasks = false } = settingsOf(settings);
    const passesOn = !foreignEndings && !listsTasks;
    return project.packages.flatMap((workspace): readonly Reader[] => {
      if (folder !== "." && !isWithin(workspace.dir, folder)) return [];
      const lookup = units.lookup(workspace.name, settings);
      return lookup ? [{ workspace, settings, lookup, passesOn }] : [];
    });
  };
  /** Programs that look up a file by its name. */
  const readersByName = (path: string) => {
    const found = programsOfSettings(path);
    if (!found || (found.folder !== "." && !above().has(found.folder)))
      return [];
    const { folder, programs, passesOn } = found;
    return project.packages.flatMap((workspace): readonly Reader[] => {
      if (folder !== "." && !isWithin(workspace.dir, folder)) return [];
      const settings = "unknown";
      return programs.flatMap((program) => {
        const lookup = units.calls(workspace.name, program);
        return lookup ? [{ workspace, settings, lookup, passesOn }] : [];
      });
    });
  };
  return {
    readersOf(file) {
      // Programs also search the folders above the project.
      const path = nameAbove(file);
      const all = [
        ...settingsIn(path, above()).flatMap(({ folder, settings }) =>
          readers(folder, settings),
        ),
        ...readersByName(path),
      ];
      const strongest = new Map<string, Reader>();
      for (const reader of all.toSorted((a, b) => weight(a) - weight(b))) {
        const { workspace, lookup } = reader;
        const isGuess =
          lookup.isGuess &&
          (strongest.get(workspace.name)?.lookup.isGuess ?? true);
        strongest.set(workspace.name, {
          ...reader,
          lookup: { ...lookup, isGuess },
        });
      }
      return [...strongest.values()];
    },
    readersOfField: (field) => readers(".", settingsOfField(field)),
  };
}

/**
 * Opens a check by names only.
 * @returns whether a program looks up a file that no package owns, and its references count as dependencies
 */
export function openSettingsCheck(
  project: Pick<Project, "graph">,
): (path: string) => boolean {
  const above = openFoldersAbove({ base: undefined, head: project });
  return (path) =>
    settingsIn(path, above()).some(
      ({ settings }) => !settingsOf(settings).foreignEndings,
    );
}

/**
 * Opens a check by names only.
 * @returns whether a program, known or not, may look up a file that no package owns
 */
export function openLookupCheck(
  project: Pick<Project, "graph">,
): (path: string) => boolean {
  const above = openFoldersAbove({ base: undefined, head: project });
  return (path) =>
    (!path.startsWith("../") && mayPassOn(path)) ||
    settingsIn(path, above()).length > 0;
}

/** Returns the place of a way to read a file among several: the strongest comes last. */
function weight({ lookup: { spreads, isKnown } }: Reader): number {
  return (spreads ? 2 : 0) + (isKnown ? 1 : 0);
}

/** Fields of a package.json whose keys are names of packages. */
const DECLARES =
  /^(?:(?:dev|peer|optional)?[dD]ependencies(?:Meta)?|resolutions)$/;

/** Returns the readers of the fields of the root's package.json whose settings contain a specifier. */
export function fieldReaders(
  specifier: string,
  lookups: Lookups,
  { root }: Pick<Project, "root">,
): readonly Reader[] {
  // A package that settings name is declared too, and a declaration loads nothing.
  const fields = Object.entries(root.fields).filter(
    ([field]) => !DECLARES.test(field),
  );
  const holding = fields.filter(([, value]) =>
    JSON.stringify(value).includes(specifier),
  );
  // A specifier with an escape in it has another spelling.
  return (holding.length > 0 ? holding : fields).flatMap(([field]) =>
    lookups.readersOfField(field),
  );
}

/**
 * Finds the folders that contain workspaces without being one, except the root (`.`): tools search them on their way up.
 * @returns a function that computes them at the first call
 */
export function openFoldersAbove({
  base,
  head,
}: {
  readonly base: Pick<Project, "graph"> | undefined;
  readonly head: Pick<Project, "graph">;
}): () => ReadonlySet<string> {
  let folders: Set<string> | undefined;
  return () => (folders ??= foldersOf(new Set(base ? [head, base] : [head])));
}

function foldersOf(projects: ReadonlySet<Pick<Project, "graph">>): Set<string> {
  const folders = new Set<string>();
  for (const { graph } of projects) {
    for (const { dir } of graph.workspaces.values()) {
      // If a folder is known, the folders above it are known too.
      for (
        let slash = dir.lastIndexOf("/");
        slash > 0;
        slash = dir.lastIndexOf("/", slash - 1)
      ) {
        const folder = dir.slice(0, slash);
        if (folders.has(folder)) break;
        folders.add(folder);
      }
    }
  }
  return folders;
}
