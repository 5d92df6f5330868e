import { addTo } from "@skein/reporting/group-by";
import { parseLockfile, type Lockfile } from "@skein/workspaces";
import { rsort, satisfies, validRange } from "semver";
import type { OwnLock } from "./own-lock/own-lock.js";
import { npmVersion } from "./own-lock/npm-version.js";

/** A descriptor of yarn.lock and its wanted version. */
export interface Graft {
  readonly ident: string;
  /** The range without `npm:`; `name@range` for an alias. */
  readonly range: string;
  readonly version: string;
}

/**
 * Returns resolutions of the package's own lockfile that the workspace's yarn.lock lacks. No existing resolution
 * changes.
 */
export function chooseGrafts(
  own: OwnLock,
  workspace: Lockfile,
): readonly Graft[] {
  const taken = new Set(
    workspace.entries.flatMap(({ descriptors }) => descriptors),
  );
  return [...own.descriptors].flatMap(([descriptor, version]) => {
    const { ident, range } = splitDescriptor(descriptor);
    if (!isGraftable(range) || taken.has(`${ident}@npm:${range}`)) return [];
    return [{ ident, range, version }];
  });
}

/**
 * Returns grafts for entries that Yarn resolved to a new version although the own lockfile had a version that fits;
 * another round applies them. pnpm's lockfiles have no ranges of transitive dependencies; these ranges are known once
 * Yarn has written them.
 */
export function chooseMoreGrafts(
  own: OwnLock,
  before: Lockfile,
  after: Lockfile,
): readonly Graft[] {
  const taken = new Set(
    before.entries.flatMap(({ descriptors }) => descriptors),
  );
  return after.entries.flatMap(({ descriptors, resolution }) => {
    const version = npmVersion(resolution);
    if (version === undefined) return [];
    return descriptors.flatMap((descriptor): readonly Graft[] => {
      const { ident, range } = splitDescriptor(descriptor);
      if (taken.has(descriptor) || validRange(range) === null) return [];
      const had = own.versions.get(ident);
      if (!had || had.has(version)) return [];
      const [best] = rsort([...had].filter((one) => satisfies(one, range)));
      return best === undefined ? [] : [{ ident, range, version: best }];
    });
  });
}

function splitDescriptor(descriptor: string): Pick<Graft, "ident" | "range"> {
  const at = descriptor.indexOf("@", 1);
  return {
    ident: descriptor.slice(0, at),
    range: descriptor.slice(at + 1).replace(/^npm:/, ""),
  };
}

/** Returns whether a range can be part of a `yarn.lock` key: it must not hold characters that end the key. */
function isGraftable(range: string): boolean {
  if (/[",\n\\]/.test(range)) return false;
  const alias = /^@?[^@/]+(?:\/[^@]+)?@(.+)$/.exec(range)?.[1];
  return validRange(alias ?? range) !== null;
}

/**
 * Writes grafts into a yarn.lock. A descriptor is added to the entry of its package if there is one; otherwise it gets
 * a new entry with only a version. `yarn install --refresh-lockfile` adds the rest and keeps the versions. (Without
 * that flag, Yarn treats the entry as complete, without dependencies.) A descriptor that another entry has is moved.
 */
export function graftLock(text: string, grafts: readonly Graft[]): string {
  const blocks = text.split(/\n(?=\S)/);
  const wanted = new Map<string, string[]>();
  const moved = new Set<string>();
  for (const { ident, range, version } of grafts) {
    const alias = /^(@?[^@/]+(?:\/[^@]+)?)@.+$/.exec(range)?.[1];
    const locator =
      alias === undefined
        ? `${ident}@npm:${version}`
        : `${ident}@npm:${alias}@${version}`;
    const descriptor = `${ident}@npm:${range}`;
    moved.add(descriptor);
    addTo(wanted, locator, descriptor);
  }
  const kept = blocks.flatMap((block) => {
    const key = /^"?([^"\n]+)"?:\n/.exec(block)?.[1];
    const resolution = /^ {2}resolution: "?([^"\n]+)"?$/m.exec(block)?.[1];
    if (key === undefined || resolution === undefined) return [block];
    const joining = wanted.get(resolution) ?? [];
    wanted.delete(resolution);
    const before = key.split(/ *, */);
    const stay = before.filter((one) => !moved.has(one));
    const now = [...new Set([...stay, ...joining])].sort();
    if (now.length === 0) return [];
    if (now.join(", ") === key) return [block];
    return [block.replace(/^.*\n/, `"${now.join(", ")}":\n`)];
  });
  const fresh = [...wanted].map(([locator, descriptors]) => {
    const version = npmVersion(locator) ?? "";
    return `\n"${[...new Set(descriptors)].sort().join(", ")}":\n  version: ${version}\n  resolution: "${locator}"\n  languageName: node\n  linkType: hard\n`;
  });
  return [kept.join("\n").trimEnd() + "\n", ...fresh].join("");
}

/** Parses a yarn.lock that may be empty or missing. */
export function parseLock(text: string | undefined): Lockfile {
  return parseLockfile(text ?? "");
}
