import { textOf, type MemoryFiles } from "../memory-files.test.support.js";
import { identOf, rangeOf, workspaceDirOf } from "./lockfile.js";
import type { LockDependency, LockEntry } from "./lockfile.js";
import { parseLockfile } from "./parse.js";

/** Returns a project of Yarn 4 with the yarn.lock that Yarn 6 would write for it. The manifests are the same. */
export function asOfYarn6(files: MemoryFiles): MemoryFiles {
  return { ...files, "yarn.lock": lockOfYarn6(textOf(files, "yarn.lock")) };
}

/**
 * Converts a lockfile of Yarn 4 to that of Yarn 6: JSON, without workspaces, aliases, patches and local folders, and
 * with dependencies without `npm:`.
 */
export function lockOfYarn6(text: string): string {
  const entries = parseLockfile(text).entries.flatMap((entry) => {
    const descriptors = [...new Set(entry.descriptors.flatMap(writtenAs))];
    return workspaceDirOf(entry.resolution) === undefined &&
      descriptors.length > 0
      ? [[descriptors.sort().join(", "), entryOf(entry)] as const]
      : [];
  });
  return `${JSON.stringify(
    {
      __metadata: { version: 9 },
      entries: Object.fromEntries(
        entries.toSorted(([a], [b]) => (a < b ? -1 : 1)),
      ),
    },
    null,
    2,
  )}\n`;
}

/**
 * Returns the descriptors that Yarn 6 writes. An alias is written as its own package. Patches, and descriptors that are
 * bound to a dependent, are not written.
 */
function writtenAs(descriptor: string): string[] {
  const range = rangeOf(descriptor);
  const [, name, inner] = /^npm:(@[^/@]+\/[^@]+|[^@]+)@(.+)$/.exec(range) ?? [];
  if (name !== undefined && inner !== undefined)
    return [`${name}@npm:${inner}`];
  return /^(patch|portal|link|file|workspace|\.)/.test(range)
    ? []
    : [`${identOf(descriptor)}@${range}`];
}

function entryOf({
  resolution,
  dependencies,
  peerDependencies,
  text,
}: LockEntry) {
  const field = (name: string) =>
    new RegExp(`^  ${name}: (.*)$`, "m").exec(text)?.[1];
  const ranges = (all: readonly LockDependency[]) =>
    Object.fromEntries(
      all.map(([ident, range]) => [ident, range.replace(/^npm:(?!.*@)/, "")]),
    );
  return {
    checksum: field("checksum") ?? null,
    resolution: {
      resolution,
      version: field("version"),
      ...(field("conditions") !== undefined && {
        requirements: field("conditions"),
      }),
      ...(dependencies.length > 0 && { dependencies: ranges(dependencies) }),
      ...(peerDependencies.length > 0 && {
        peerDependencies: ranges(peerDependencies),
      }),
    },
  };
}
