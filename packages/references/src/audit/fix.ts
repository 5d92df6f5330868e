import { declareDependency } from "./manifest-edit.js";
import type { AuditProblem, ManifestText } from "./problems.js";

/**
 * The manifests with what the problems' fixes add; only those that change. Nothing is written.
 * @returns new texts by path
 */
export function fixManifests(
  problems: readonly AuditProblem[],
  manifests: ReadonlyMap<string, ManifestText>,
): ReadonlyMap<string, string> {
  const fixed = new Map<string, string>();
  for (const problem of problems) {
    if (!("fix" in problem)) continue;
    const { path, field, name, range } = problem.fix;
    const before = fixed.get(path) ?? manifests.get(problem.workspace)?.text;
    if (before !== undefined)
      fixed.set(path, declareDependency(before, field, name, range).text);
  }
  return fixed;
}
