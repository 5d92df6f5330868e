import { isAbsolute, relative, sep } from "node:path";

/**
 * Returns the coverage of a run as JSON, with the paths of its files relative to the workspace. So the coverage of
 * several machines can be merged, whatever folder each has. Pure. Files outside of the workspace are ignored.
 * @param coverage a coverage map of istanbul: https://github.com/istanbuljs/istanbuljs/tree/main/packages/istanbul-lib-coverage
 * @param root the workspace's folder, absolute, with links resolved
 */
export function coverageJson(coverage: unknown, root: string): string {
  const files = Object.entries(
    (coverage ?? {}) as Readonly<Record<string, object>>,
  ).flatMap(([path, file]) => {
    const inside = relative(root, path);
    if (inside === "" || inside.startsWith("..") || isAbsolute(inside))
      return [];
    const name = inside.replaceAll(sep, "/");
    return [[name, { ...file, path: name }] as const];
  });
  return JSON.stringify(Object.fromEntries(files));
}
