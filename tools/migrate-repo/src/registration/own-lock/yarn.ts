import { parseLockfile } from "@skein/workspaces";
import { parseSyml } from "@yarnpkg/parsers";
import { npmVersion } from "./npm-version.js";
import { lockBuilder, type OwnLock } from "./own-lock.js";

interface Yarn1Entry {
  readonly version?: unknown;
  readonly resolved?: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Reads a yarn.lock of Yarn 1. @throws if the text isn't one */
export function readYarn1(text: string, file: string): OwnLock {
  const lock = lockBuilder("yarn-1", file);
  const entries = parseSyml(text) as Record<string, Yarn1Entry | undefined>;
  const versions = new Map<string, string>();
  for (const [keys, entry] of Object.entries(entries)) {
    const { version, resolved } = entry ?? {};
    if (typeof version !== "string") continue;
    // A git address or a tarball from elsewhere isn't a version of a registry.
    if (typeof resolved === "string" && !isRegistryTarball(resolved)) continue;
    for (const key of keys.split(/ *, */)) {
      const at = key.indexOf("@", 1);
      const [ident, range] = [key.slice(0, at), key.slice(at + 1)];
      lock.add(ident, version);
      lock.describe(ident, range, version);
      versions.set(`${ident}@${range}`, version);
    }
  }
  const used = Object.values(entries).flatMap((entry) =>
    Object.entries({ ...entry?.dependencies, ...entry?.optionalDependencies }),
  );
  countUses(lock, used, versions);
  return lock.done();
}

/** Reads a yarn.lock of Yarn 2 or newer. @throws {LockfileError} if the text isn't one */
export function readBerry(text: string, file: string): OwnLock {
  const lock = lockBuilder("yarn", file);
  const { entries } = parseLockfile(text);
  const versions = new Map<string, string>();
  for (const { descriptors, resolution } of entries) {
    const version = npmVersion(resolution);
    if (version === undefined) continue;
    for (const descriptor of descriptors) {
      const at = descriptor.indexOf("@", 1);
      const ident = descriptor.slice(0, at);
      lock.add(ident, version);
      versions.set(descriptor, version);
      const range = descriptor.slice(at + 1);
      if (range.startsWith("npm:"))
        lock.describe(ident, range.slice(4), version);
    }
  }
  const used = entries.flatMap(({ dependencies }) => dependencies);
  countUses(lock, used, versions);
  return lock.done();
}

/** Counts how many packages require each version. @param versions by `ident@range` */
function countUses(
  lock: ReturnType<typeof lockBuilder>,
  used: readonly (readonly [ident: string, range: string])[],
  versions: ReadonlyMap<string, string>,
): void {
  for (const [ident, range] of used) {
    const version = versions.get(`${ident}@${range}`);
    if (version !== undefined) lock.use(ident, version);
  }
}

/** Returns whether a URL is a tarball of npm's registry or a mirror: `…/name/-/name-1.2.3.tgz`. */
export function isRegistryTarball(url: string): boolean {
  return /^https?:\/\/.+\/-\/.+\.tgz/.test(url);
}
