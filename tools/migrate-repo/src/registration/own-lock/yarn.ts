import { identOf, parseAnyLockfile, rangeOf } from "@skein/workspaces";
import { npmVersion } from "./npm-version.js";
import { lockBuilder, type OwnLock } from "./own-lock.js";

/** Reads a yarn.lock of any version of Yarn. @throws {LockfileError} if the text isn't one */
export function readYarn(text: string, file: string): OwnLock {
  const { entries } = parseAnyLockfile(text);
  const lock = lockBuilder("yarn", file);
  const versions = new Map<string, string>();
  for (const { descriptors, resolution, text } of entries) {
    const version = npmVersion(resolution);
    // Yarn 1 gives a version to a git address or a tarball from elsewhere, too. It isn't one of a registry.
    const [, resolved] = /^ {2}resolved: "?([^"\n]*)/m.exec(text) ?? [];
    const isElsewhere = resolved !== undefined && !isRegistryTarball(resolved);
    if (version === undefined || isElsewhere) continue;
    for (const descriptor of descriptors) {
      const ident = identOf(descriptor);
      const range = inManifests(rangeOf(descriptor));
      lock.add(ident, version);
      lock.describe(ident, range, version);
      versions.set(`${ident}@${range}`, version);
    }
  }
  for (const [ident, range] of entries.flatMap((each) => each.dependencies)) {
    const version = versions.get(`${ident}@${inManifests(range)}`);
    if (version !== undefined) lock.use(ident, version);
  }
  return lock.done();
}

/** Returns `^1.0.0` for `npm:^1.0.0`, as manifests have it. An alias, `npm:a@^1.0.0`, stays the same. */
function inManifests(range: string): string {
  return /^npm:[^@]+$/.test(range) ? range.slice("npm:".length) : range;
}

/** Returns whether a URL is a tarball of npm's registry or a mirror: `…/name/-/name-1.2.3.tgz`. */
export function isRegistryTarball(url: string): boolean {
  return /^https?:\/\/.+\/-\/.+\.tgz/.test(url);
}
