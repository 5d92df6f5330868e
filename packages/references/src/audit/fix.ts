import { declareDependency } from "./manifest-edit.js";
import type { AuditProblem, ManifestText } from "./problems.js";

/**
 * The manifests with what the problems' fixes add; only those that change. Nothing is written.
 * @param manifests each workspace's by its name
 * @param nested those of folders that are no workspaces
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
