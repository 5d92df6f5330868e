import type { Dependency } from "@skein/workspaces";
import {
  compare,
  intersects,
  minVersion,
  satisfies,
  subset,
  validRange,
} from "semver";
import {
  breakingPart,
  COMPARABLE,
  type Catalogs,
  type Member,
} from "@skein/versions";
import type { MigrationRequest } from "../migration.js";
import { chooseDebtCatalog, type DebtCatalog } from "./debt-catalog.js";
import { plainRange } from "./links.js";

/** The decision about one external dependency of a newcomer. */
export interface Alignment {
  readonly member: Member;
  readonly ident: string;
  readonly field: Dependency["field"];
  readonly from: string;
  readonly to: string;
  /** The workspace's range; for a catalog, the catalog's range. */
  readonly theirs: string;
  /** The number of workspaces that use the dependency. */
  readonly users: number;
  /** For a debt in a project that uses catalogs: the catalog that holds the range. */
  readonly catalog?: DebtCatalog;
  readonly verdict:
    /** The range is the same, or the workspace's versions satisfy it. */
    | "aligned"
    /** The major is the same, but the version is outside of the package's range. */
    | "aligned-outside"
    /** The major differs: the package keeps its own range, or gets the higher one under `highest`. */
    | "debt"
    /** The policy keeps the package's range. */
    | "kept"
    /** One side isn't a semver range; nothing changes. */
    | "special";
}

/** A peer range that doesn't match the version that the workspace uses. */
export interface PeerMismatch {
  readonly member: Member;
  readonly ident: string;
  readonly range: string;
  readonly theirs: string;
  /** The number of workspaces that have `theirs`. */
  readonly users: number;
  /** The workspace that uses the newcomer and has `theirs`, if most workspaces have something else. */
  readonly by: string | undefined;
}

export interface AlignFacts {
  readonly residents: readonly Member[];
  readonly newcomers: readonly Member[];
  readonly catalogs: Catalogs;
  /** Returns the version that a descriptor of the workspace resolves to now. */
  readonly resolved: (ident: string, range: string) => string | undefined;
  readonly policy: MigrationRequest["versions"];
}

/**
 * Aligns the newcomers with the workspace, which doesn't change. The result omits dependencies that no other workspace
 * has, and those with the same range.
 */
export function alignVersions(facts: AlignFacts): {
  readonly alignments: readonly Alignment[];
  readonly peers: readonly PeerMismatch[];
} {
  const names = new Set(
    [...facts.residents, ...facts.newcomers].map(({ name }) => name),
  );
  const catalogs = new Map(facts.catalogs);
  const alignments: Alignment[] = [];
  const peers: PeerMismatch[] = [];
  for (const member of facts.newcomers) {
    for (const { ident, range, field } of member.dependencies) {
      if (names.has(ident)) continue;
      const used = usageOf(ident, facts);
      if (!used) continue;
      const theirs = used.range;
      if (field === "peerDependencies") {
        const [a, b] = [plainRange(range), plainRange(theirs)];
        if (a !== undefined && b !== undefined && !meet(a, b))
          peers.push({
            ...{ member, ident, range, theirs, users: used.users },
            by: undefined,
          });
        peers.push(...peersOfUsers(member, ident, range, theirs, facts));
        continue;
      }
      const base = { member, ident, field, from: range, theirs };
      const written = used.catalog ?? theirs;
      if (range === written) continue;
      const verdict = judge(
        range,
        theirs,
        facts.resolved(ident, written),
        facts.policy,
      );
      const catalog =
        verdict.kind === "debt" && !verdict.takes
          ? chooseDebtCatalog(catalogs, member.name, ident, range)
          : undefined;
      // The next newcomer sees the catalog entries of the previous ones.
      if (catalog?.isNew === true)
        catalogs.set(
          catalog.name,
          new Map(catalogs.get(catalog.name)).set(ident, range),
        );
      alignments.push({
        ...base,
        users: used.users,
        verdict: verdict.kind,
        to: verdict.takes
          ? written
          : catalog
            ? `catalog:${catalog.name}`
            : range,
        ...(catalog && { catalog }),
      });
    }
  }
  return { alignments, peers };
}

/**
 * Returns mismatches with workspaces that use the newcomer, and whose version of its peer differs from most others'.
 * The newcomer will get their version.
 */
function peersOfUsers(
  member: Member,
  ident: string,
  range: string,
  most: string,
  { residents, catalogs }: AlignFacts,
): readonly PeerMismatch[] {
  return residents
    .filter(({ dependencies }) =>
      dependencies.some((one) => one.ident === member.name),
    )
    .flatMap(({ name, dependencies }) => {
      const own = dependencies.find(
        (one) => one.ident === ident && one.field !== "peerDependencies",
      )?.range;
      const theirs = own?.startsWith("catalog:")
        ? catalogs.get(own.slice("catalog:".length))?.get(ident)
        : own;
      if (theirs === undefined || theirs === most) return [];
      const [a, b] = [plainRange(range), plainRange(theirs)];
      return a === undefined || b === undefined || meet(a, b)
        ? []
        : [{ member, ident, range, theirs, users: 1, by: name }];
    });
}

/** The range that the workspace uses for a dependency. */
export interface Usage {
  /** For a catalog, the catalog's range. */
  readonly range: string;
  /** The text of the range in a manifest, if a catalog holds it. */
  readonly catalog: string | undefined;
  readonly users: number;
}

/**
 * Returns the range of the default catalog if that has the dependency. Otherwise it returns the most used range, which
 * may be a named catalog's, and the higher one of equally used ranges. A range that can't be the workspace's version
 * (`>=5 <6`, a patch) comes last, however often it is used.
 * @returns undefined if no package uses the dependency
 */
export function usageOf(
  ident: string,
  facts: Pick<AlignFacts, "residents" | "catalogs">,
): Usage | undefined {
  const counts = new Map<string, number>();
  for (const { dependencies } of facts.residents) {
    for (const { ident: other, range, field } of dependencies) {
      if (other === ident && field !== "peerDependencies")
        counts.set(range, (counts.get(range) ?? 0) + 1);
    }
  }
  const ranked = [...counts].sort(
    ([a, many], [b, more]) =>
      Number(isVersion(b)) - Number(isVersion(a)) ||
      more - many ||
      compareLow(b, a),
  );
  const users = [...counts.values()].reduce((sum, one) => sum + one, 0);
  const inDefault = facts.catalogs.get("")?.get(ident);
  const [best] = ranked;
  const named = inDefault === undefined ? best?.[0] : "catalog:";
  if (named?.startsWith("catalog:")) {
    const range = facts.catalogs.get(named.slice(8))?.get(ident);
    if (range !== undefined) return { range, catalog: named, users };
  }
  return best && { range: best[0], catalog: undefined, users };
}

function isVersion(range: string): boolean {
  return COMPARABLE.test(range) || range.startsWith("catalog:");
}

function judge(
  own: string,
  theirs: string,
  resolved: string | undefined,
  policy: AlignFacts["policy"],
): { readonly kind: Alignment["verdict"]; readonly takes: boolean } {
  const [a, b] = [plainRange(own), plainRange(theirs)];
  if (a === undefined || b === undefined)
    return { kind: "special", takes: false };
  if (policy === "keep") return { kind: "kept", takes: false };
  if (policy === "highest" && compareLow(own, theirs) > 0)
    return {
      kind: breakingPart(a) === breakingPart(b) ? "kept" : "debt",
      takes: false,
    };
  if (own === theirs || fits(a, b, resolved))
    return { kind: "aligned", takes: true };
  if (breakingPart(a) === breakingPart(b))
    return { kind: "aligned-outside", takes: true };
  return { kind: "debt", takes: policy === "highest" };
}

/** Returns whether the workspace's version satisfies the package's own range. */
function fits(
  own: string,
  theirs: string,
  resolved: string | undefined,
): boolean {
  if (resolved !== undefined)
    return satisfies(resolved, own, { includePrerelease: true });
  if (subset(theirs, own)) return true;
  const low = minVersion(theirs);
  return low !== null && satisfies(low, own, { includePrerelease: true });
}

function compareLow(one: string, other: string): number {
  const [a, b] = [one, other].map((range) => {
    const plain = plainRange(range);
    return plain === undefined || validRange(plain) === null
      ? null
      : minVersion(plain);
  });
  if (!a || !b) return a ? 1 : b ? -1 : 0;
  return compare(a, b);
}

function meet(one: string, other: string): boolean {
  return intersects(one, other, { includePrerelease: true });
}
