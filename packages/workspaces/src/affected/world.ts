import type { WorkspaceGraph } from "../graph.js";
import type { PackageFacts } from "../project.js";
import { openFoldersAbove } from "./folders-above.js";
import type { AffectedInput } from "./input.js";
import { openLookups } from "./lookups.js";
import type { Reader } from "./lookups.js";
import { CONCERNS_EVERYBODY } from "./root-manifest.js";
import { openUnits } from "./units.js";
import type { UnownedWorld } from "./unowned.js";

/** Opens all that judges files, fields and external packages: selection and fingerprints ask it alike. */
export function openWorld(input: AffectedInput): UnownedWorld {
  const { head, references, script } = input;
  const units = openUnits({
    packages: head.packages,
    root: head.graph.root,
    scriptsOf: (name) =>
      references
        ? (references.scriptsOf(name) ?? {})
        : head.packages.find((facts) => facts.name === name)?.manifest?.scripts,
    ownerOfBin: (program) => references?.ownerOfBin(program),
    names: (workspace, external) =>
      (references?.namersOf(external) ?? []).some(
        (namer) => namer.workspace === workspace,
      ),
    speakersOf: (programs, endings) =>
      references?.speakersOf(programs, endings),
    script,
  });
  const above = openFoldersAbove(input);
  return { input, units, above, lookups: openLookups(head, units, above) };
}

/** Returns the packages that a field of the root's package.json concerns, by what reads it. */
export function readersOfField(
  field: string,
  { input, lookups }: UnownedWorld,
): "everybody" | readonly Reader[] {
  return CONCERNS_EVERYBODY.has(field) || !input.references
    ? "everybody"
    : lookups.readersOfField(field);
}

/** Returns whom the root's own dependencies concern: the root, the packages that use one, or everybody. */
export function usersOfRootDependencies({
  settings,
  references,
}: AffectedInput): "root" | "used" | "everything" {
  if (settings.rootDependencies === "used" && !references) return "everything";
  return settings.rootDependencies;
}

/**
 * Returns the package in whose folder another package lies; undefined where that is the root. When a package comes or
 * goes in there, files of the outer one change hands, or are read by another package.json, without being changed.

 */
export function packageAround(
  dir: string,
  graph: WorkspaceGraph,
): PackageFacts["name"] | undefined {
  const slash = dir.lastIndexOf("/");
  if (slash < 0) return undefined;
  const outer = graph.ownerOf(dir.slice(0, slash));
  return outer.dir === "." ? undefined : outer.name;
}
