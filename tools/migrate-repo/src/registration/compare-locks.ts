import { byDescriptor, byIdent } from "./lock-index.js";
import { identOf, type LockEntry, type Lockfile } from "@skein/workspaces";
import type { OwnLock } from "./own-lock/own-lock.js";
import { npmVersion } from "./own-lock/npm-version.js";

/** A resolution of the workspace that an install changed, which must not happen. */
export interface Moved {
  readonly descriptor: string;
  readonly before: string;
  readonly after: string;
}

/**
 * Returns descriptors that both lockfiles have but resolve differently. A descriptor that is no longer in use isn't a
 * change.
 */
export function movedResolutions(
  before: Lockfile,
  after: Lockfile,
): readonly Moved[] {
  const now = byDescriptor(after);
  return before.entries.flatMap(({ descriptors, resolution }) =>
    descriptors.flatMap((descriptor) => {
      const entry = now.get(descriptor);
      return entry === undefined || entry.resolution === resolution
        ? []
        : [{ descriptor, before: resolution, after: entry.resolution }];
    }),
  );
}

/** A package below a newcomer with a version that the newcomer's own lockfile didn't have. */
export interface Drift {
  readonly ident: string;
  readonly had: readonly string[];
  readonly has: string;
  readonly because:
    /** The workspace had already resolved exactly this range. */
    | "workspace"
    /** The registration changed this range, or a range above it. */
    | "aligned"
    /** The newcomer's own lockfile had no such range. */
    | "unknown";
}

export interface Comparison {
  /** The number of external packages below the newcomers. */
  readonly packages: number;
  readonly drifts: readonly Drift[];
}

/**
 * Compares the packages that the newcomers install with those of their own lockfile. A package that their lockfile
 * didn't have in any version comes with a drifted one, and isn't listed separately.
 * @param aligned descriptors (`lodash@npm:^4.17.21`) that the version policy wrote
 */
export function compareWithHome(
  own: OwnLock,
  before: Lockfile,
  after: Lockfile,
  newcomers: readonly string[],
  aligned: ReadonlySet<string>,
): Comparison {
  const entries = byDescriptor(after);
  const known = byDescriptor(before);
  const ofIdent = byIdent(after);
  const seen = new Set<string>();
  const drifts = new Map<string, Drift>();
  const open: { entry: LockEntry; isAligned: boolean }[] = after.entries
    .filter(
      ({ resolution }) =>
        newcomers.includes(identOf(resolution)) &&
        resolution.includes("@workspace:"),
    )
    .map((entry) => ({ entry, isAligned: false }));
  for (let next = open.pop(); next; next = open.pop()) {
    for (const [ident, range] of next.entry.dependencies) {
      const exact = entries.get(`${ident}@${range}`);
      const descriptor = `${ident}@${range}`;
      for (const entry of exact ? [exact] : ofIdent(ident)) {
        // A workspace's own dependencies don't matter here.
        if (entry.resolution.includes("@workspace:")) continue;
        const isAligned = next.isAligned || aligned.has(descriptor);
        const version = npmVersion(entry.resolution);
        const had = own.versions.get(ident);
        if (version !== undefined && had && !had.has(version))
          drifts.set(`${ident}@${version}`, {
            ident,
            had: [...had],
            has: version,
            because: isAligned
              ? "aligned"
              : known.has(descriptor)
                ? "workspace"
                : "unknown",
          });
        if (seen.has(entry.resolution)) continue;
        seen.add(entry.resolution);
        open.push({ entry, isAligned });
      }
    }
  }
  return {
    packages: seen.size,
    drifts: [...drifts.values()].sort((a, b) => (a.ident < b.ident ? -1 : 1)),
  };
}
