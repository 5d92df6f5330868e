import type { Files } from "@skein/testing";

/** A package of the generated workspace. */
export interface Member {
  readonly name: string;
  /** Relative to the workspace's root. */
  readonly dir: string;
  /** The names of the workspace's packages that it depends on. */
  readonly dependencies: readonly string[];
}

/** A generated workspace for the tools. */
export interface Site {
  /**
   * The workspace's absolute path. Each tool's package is in its `node_modules`, and each bin in `node_modules/.bin`.
   */
  readonly dir: string;
  readonly members: readonly Member[];
  /** The number of concurrent units if scripts run. */
  readonly concurrency: number;
}

/** Returns the packages in the files of a workspace, without its root. */
export function membersOf(files: Files): Member[] {
  return Object.entries(files).flatMap(([path, content]) => {
    const [dir] = /^.+(?=\/package\.json$)/.exec(path) ?? [];
    if (dir === undefined || typeof content !== "string") return [];
    const { name, dependencies = {} } = JSON.parse(content) as Manifest;
    return [{ name, dir, dependencies: Object.keys(dependencies) }];
  });
}

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/**
 * Returns the packages that changes in some packages affect: those, and all direct and indirect dependents. It uses
 * brute force and only the manifests, as a reference for every tool's answer.
 * @returns names, sorted
 */
export function expectedAffected(
  members: readonly Member[],
  changed: readonly string[],
): string[] {
  const affected = new Set(changed);
  for (let before = -1; before !== affected.size;) {
    before = affected.size;
    for (const { name, dependencies } of members)
      if (dependencies.some((other) => affected.has(other))) affected.add(name);
  }
  return [...affected].sort();
}
