import { COMPARED, decideAffected } from "@skein/workspaces";
import type { FileEffect, Selection } from "@skein/trace";
import type { Survey } from "../survey.js";

/**
 * Opens selection for single files: it decides which packages would be selected if only that file had changed since
 * head. So a trace always judges the actual rules of selection.
 * @param sources all files of the project, relative to its root
 */
export function openSelection(
  facts: Survey,
  sources: readonly string[],
  script: string,
): Selection {
  const { head, settings, references } = facts;
  const known = new Map<string, FileEffect>();
  const suffix = "/tsconfig.json";
  const input = {
    ...{ head, base: head, settings: settings.affected, script },
    pipeline: settings.pipeline,
    unknown: [],
    references: references && {
      ...references,
      // The survey lists them only if a change needs them.
      tsconfigFolders: new Set(
        sources
          .filter((path) => path.endsWith(suffix))
          .map((path) => path.slice(0, -suffix.length)),
      ),
    },
  };
  const decide = (path: string): FileEffect => {
    const { packages, noEffect } = decideAffected({
      ...input,
      changes: [{ path, kind: "modified", origin: "unstaged" }],
    });
    return {
      selects: new Set(packages.keys()),
      // A file that names it selects packages, but for all others, its meaning still counts.
      noEffect: COMPARED.has(path) ? "compared-by-meaning" : noEffect[0]?.why,
    };
  };
  return {
    root: head.graph.root,
    ownerOf: (path) => head.graph.ownerOf(path),
    effectOf(path) {
      const effect = known.get(path) ?? decide(path);
      known.set(path, effect);
      return effect;
    },
  };
}
