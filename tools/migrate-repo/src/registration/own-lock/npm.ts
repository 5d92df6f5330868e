import { isRegistryTarball } from "./yarn.js";
import { lockBuilder, type OwnLock } from "./own-lock.js";

interface NpmPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly name?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

interface NpmLock {
  readonly packages?: Readonly<Record<string, NpmPackage>>;
  readonly dependencies?: Readonly<Record<string, OldPackage>>;
}

/** An entry of lockfileVersion 1, nested as node_modules was. */
interface OldPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly requires?: Readonly<Record<string, string>> | boolean;
  readonly dependencies?: Readonly<Record<string, OldPackage>>;
}

/**
 * Reads package-lock.json or npm-shrinkwrap.json, lockfileVersion 1 to 3 (docs.npmjs.com, "package-lock.json").
 * @param manifest the package's own manifest, for version 1, which doesn't repeat its ranges
 * @throws {SyntaxError} if the text isn't JSON
 */
export function readNpm(
  text: string,
  file: string,
  manifest: Omit<NpmPackage, "name">,
): OwnLock {
  const parsed = JSON.parse(text.replace(/^\uFEFF/, "")) as NpmLock;
  const packages =
    parsed.packages ?? flatten(parsed.dependencies ?? {}, manifest);
  const lock = lockBuilder("npm", file);
  const byDepth = Object.entries(packages).sort(
    ([a], [b]) => depth(a) - depth(b),
  );
  for (const [path, entry] of byDepth) {
    const ident = identAt(path);
    if (ident !== undefined && isUsable(entry)) {
      lock.add(ident, entry.version);
      if (path === `node_modules/${ident}`) lock.hoist(ident, entry.version);
    }
    if (entry.link === true) continue;
    for (const [name, range] of Object.entries({
      ...entry.devDependencies,
      ...entry.dependencies,
      ...entry.optionalDependencies,
    })) {
      const found = resolveFrom(packages, path, name);
      if (found && isUsable(found)) lock.describe(name, range, found.version);
    }
  }
  return lock.done();
}

/** Finds a package in the nearest node_modules above a path, as Node does. */
function resolveFrom(
  packages: Readonly<Record<string, NpmPackage>>,
  path: string,
  name: string,
): NpmPackage | undefined {
  for (let dir = path; ;) {
    const found =
      packages[`${dir === "" ? "" : `${dir}/`}node_modules/${name}`];
    if (found) return found;
    if (dir === "") return undefined;
    const up = dir.lastIndexOf("/node_modules/");
    const slash = dir.lastIndexOf("/");
    dir = dir.includes("node_modules/")
      ? dir.slice(0, Math.max(up, 0))
      : dir.slice(0, Math.max(slash, 0));
  }
}

function flatten(
  dependencies: Readonly<Record<string, OldPackage>>,
  manifest: Omit<NpmPackage, "name">,
): Record<string, NpmPackage> {
  const packages: Record<string, NpmPackage> = { "": manifest };
  const walk = (above: string, list: Readonly<Record<string, OldPackage>>) => {
    for (const [name, entry] of Object.entries(list)) {
      const path = `${above}node_modules/${name}`;
      const { version, resolved, requires } = entry;
      packages[path] = {
        ...(version !== undefined && { version }),
        ...(resolved !== undefined && { resolved }),
        ...(typeof requires === "object" && { dependencies: requires }),
      };
      walk(`${path}/`, entry.dependencies ?? {});
    }
  };
  walk("", dependencies);
  return packages;
}

function isUsable(
  entry: NpmPackage,
): entry is NpmPackage & { readonly version: string } {
  return (
    entry.link !== true &&
    entry.version !== undefined &&
    /^\d/.test(entry.version) &&
    // npm omits `resolved` with `omit-lockfile-registry-resolved`.
    (entry.resolved === undefined || isRegistryTarball(entry.resolved))
  );
}

function identAt(path: string): string | undefined {
  const at = path.lastIndexOf("node_modules/");
  return at < 0 ? undefined : path.slice(at + "node_modules/".length);
}

function depth(path: string): number {
  return path.split("node_modules/").length;
}
