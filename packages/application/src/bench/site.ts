import type { Files } from "@skein/testing";

/** A package of the generated workspace. */
export interface Member {
  readonly name: string;
  /** From the workspace's root. */
  readonly dir: string;
  /** Names of the workspace's packages it depends on. */
  readonly dependencies: readonly string[];
}

/** Where the tools are asked. */
export interface Site {
  /** The workspace, absolute. Each tool's package lies in its `node_modules`, each bin in `node_modules/.bin`. */
  readonly dir: string;
  readonly members: readonly Member[];
  /** Units at a time where scripts are run. */
  readonly concurrency: number;
}

/** The packages that the files of a workspace describe, without its root. */
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
 * Who is affected by changes in some packages: they and all that depend on them, however far. By brute force, from the
 * manifests alone: what every tool's answer is compared with.
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
