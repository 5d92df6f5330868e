import { lstat, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Bins } from "./wrappers.js";
import { readRegularText } from "@skein/reporting";
import { fieldsIn } from "@skein/reporting/json-fields";

interface Manifest {
  readonly name?: unknown;
  readonly bin?: unknown;
  readonly dependencies?: unknown;
  readonly devDependencies?: unknown;
  readonly optionalDependencies?: unknown;
}

interface Found {
  /** Absolute, with links resolved. */
  readonly dir: string;
  readonly manifest: Manifest;
}

/**
 * Opens a reader of the programs that a package can call: its own and those of its direct dependencies, found as Node
 * finds packages. It reads each manifest once, however many packages depend on it.
 * @param root the project's root; folders above it are ignored
 */
export function openNodeModulesBins(
  root: string,
): (dir: string) => Promise<Bins> {
  const cache = new Map<string, Promise<Found | undefined>>();
  const read = (dir: string) => {
    let found = cache.get(dir);
    if (found === undefined) {
      found = readPackage(dir);
      cache.set(dir, found);
    }
    return found;
  };
  const find = async (name: string, from: string) => {
    for (let dir = from; ; dir = dirname(dir)) {
      const found = await read(join(dir, "node_modules", name));
      if (found) return found;
      if (dir === root || dirname(dir) === dir) return undefined;
    }
  };
  return async (dir) => {
    const own = await readPackage(dir);
    if (own === undefined) return new Map();
    const others = await Promise.all(
      dependencyNames(own.manifest).map((name) => find(name, dir)),
    );
    return new Map(
      [own, ...others].flatMap((found) => (found ? binsOf(found) : [])),
    );
  };
}

async function readPackage(dir: string): Promise<Found | undefined> {
  try {
    const text = await readRegularText(join(dir, "package.json"));
    const isLink = (await lstat(dir)).isSymbolicLink();
    return {
      dir: isLink ? await realpath(dir) : dir,
      manifest: fieldsIn(text),
    };
  } catch {
    // Not installed here: an optional package of another platform, or a package that is hoisted higher.
    return undefined;
  }
}

/**
 * Returns the names of direct dependencies by Yarn's rules. Yarn reads no manifest of `link:` packages, so they have no
 * programs.
 */
function dependencyNames(manifest: Manifest): readonly string[] {
  const fields = [
    manifest.dependencies,
    manifest.devDependencies,
    manifest.optionalDependencies,
  ];
  const names = fields.flatMap((field) =>
    Object.entries((field ?? {}) as Record<string, unknown>)
      .filter(
        ([, range]) => typeof range === "string" && !range.startsWith("link:"),
      )
      .map(([name]) => name),
  );
  return [...new Set(names)].sort();
}

function binsOf({ dir, manifest }: Found): readonly [string, string][] {
  const { bin, name } = manifest;
  if (typeof bin === "string")
    return typeof name === "string"
      ? [[name.replace(/^@[^/]*\//, ""), join(dir, bin)]]
      : [];
  if (typeof bin !== "object" || bin === null) return [];
  return Object.entries(bin).flatMap(([key, target]) =>
    typeof target === "string" ? [[key, join(dir, target)]] : [],
  );
}
