import { declareDependency } from "./manifest-edit.js";
import type { AuditProblem, ManifestText } from "./problems.js";

/**
 * Returns the manifests that change, with what the problems' fixes add. It writes nothing.
 * @param manifests the workspaces' manifests, by workspace name
 * @param nested manifests of folders that aren't workspaces, by folder
 * @returns new texts by path
 */
export function fixManifests(
  problems: readonly AuditProblem[],
  manifests: ReadonlyMap<string, ManifestText>,
  nested: ReadonlyMap<string, ManifestText>,
): ReadonlyMap<string, string> {
  const texts = new Map(
    [...manifests.values(), ...nested.values()].map(({ path, text }) => [
      path,
      text,
    ]),
  );
  const fixed = new Map<string, string>();
  for (const problem of problems) {
    if (!("fix" in problem)) continue;
    const { path, field, name, range } = problem.fix;
    const before = fixed.get(path) ?? texts.get(path);
    if (before !== undefined)
      fixed.set(path, declareDependency(before, field, name, range).text);
  }
  return fixed;
}
