import { globMatches } from "./glob.js";
import { compare, minVersion } from "semver";
import type { Catalogs, Member } from "./members.js";
import { breakingPart, COMPARABLE } from "./ranges.js";

/** A dependency that isn't at the workspace's version. */
export interface Violation {
  readonly kind:
    /** The range differs from the workspace's. */
    | "differs"
    /** `catalog:` in a peer dependency, which `yarn pack` writes as `*`. */
    | "catalog-peer";
  readonly member: Pick<Member, "name" | "dir">;
  readonly ident: string;
  readonly field: string;
  readonly range: string;
  /** The range that it should have. */
  readonly wanted: string;
  /** The range behind `wanted`, if `wanted` is a catalog's. */
  readonly meaning: string;
  /** Whether the two differ in the breaking part: the major, or the minor below 1.0.0. */
  readonly isMajor: boolean;
}

export interface PolicyFacts {
  /** All workspaces, including the root. */
  readonly members: readonly Member[];
  readonly catalogs: Catalogs;
  /** Maps package names (`*` matches anything) to dependencies that they may have at another version. */
  readonly ownVersions: Readonly<Record<string, readonly string[]>>;
}

/**
 * Finds violations of one version for each external dependency. The version is that of the default catalog, or else the
 * newest range in use. A named catalog is deliberately another version. Ranges that aren't semver (workspaces, files,
 * git, patches) are ignored, and so are peers, because they declare compatibility and not a version.
 */
export function findViolations({
  members,
  catalogs,
  ownVersions,
}: PolicyFacts): readonly Violation[] {
  const names = new Set(members.map(({ name }) => name));
  const uses = members.flatMap((member) =>
    member.dependencies
      .filter(({ ident }) => !names.has(ident))
      .map((dependency) => ({ member, ...dependency })),
  );
  const wanted = new Map<string, string>();
  for (const { ident, range, field, member } of uses) {
    if (field === "peerDependencies" || mayDiffer(ownVersions, member, ident))
      continue;
    const known = wanted.get(ident);
    if (catalogs.get("")?.has(ident)) wanted.set(ident, "catalog:");
    else if (
      COMPARABLE.test(range) &&
      (known === undefined || isNewer(range, known))
    )
      wanted.set(ident, range);
  }
  return uses.flatMap(({ member, ident, field, range }): Violation[] => {
    const where = { member, ident, field, range };
    if (field === "peerDependencies") {
      const meaning = meaningOf(catalogs, ident, range);
      return meaning === undefined || !range.startsWith("catalog:")
        ? []
        : [
            {
              kind: "catalog-peer",
              ...where,
              wanted: meaning,
              meaning,
              isMajor: false,
            },
          ];
    }
    const goal = wanted.get(ident);
    if (goal === undefined || goal === range || !RANGE.test(range)) return [];
    if (mayDiffer(ownVersions, member, ident)) return [];
    const meaning = meaningOf(catalogs, ident, goal) ?? goal;
    return [
      {
        kind: "differs",
        ...where,
        wanted: goal,
        meaning,
        isMajor: breakingPart(bare(range)) !== breakingPart(bare(meaning)),
      },
    ];
  });
}

function meaningOf(
  catalogs: Catalogs,
  ident: string,
  range: string,
): string | undefined {
  if (!range.startsWith("catalog:")) return range;
  const name = range.slice("catalog:".length);
  return catalogs.get(name === "default" ? "" : name)?.get(ident);
}

function mayDiffer(
  ownVersions: PolicyFacts["ownVersions"],
  { name }: Pick<Member, "name">,
  ident: string,
): boolean {
  return Object.entries(ownVersions).some(
    ([glob, idents]) => idents.includes(ident) && globMatches(glob, name),
  );
}

/** Any semver range (`>=1 <3`, `*`). It must conform, but is never the version for others. */
export const RANGE = /^(?:npm:)?[~^<>=\dvxX*][-\w.+<>=~^|*\s]*$/;

function bare(range: string): string {
  return range.startsWith("npm:") ? range.slice(4) : range;
}

/**
 * Compares two ranges by the lowest version that they allow. If these are equal, the less strict range is newer (by
 * semver, a package that needs less can use it). The text decides last, so that the result is deterministic.
 */
function isNewer(one: string, other: string): boolean {
  const [a, b] = [minVersion(bare(one)), minVersion(bare(other))];
  const order = a && b ? compare(a, b) : 0;
  const freer = freedom(one) - freedom(other);
  return (order || freer || (one > other ? 1 : -1)) > 0;
}

function freedom(range: string): number {
  return { "^": 2, "~": 1 }[bare(range)[0] ?? ""] ?? 0;
}
