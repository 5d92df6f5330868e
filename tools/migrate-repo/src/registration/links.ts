import type { Dependency } from "@skein/workspaces";
import { satisfies, validRange } from "semver";
import { type Member } from "@skein/versions";

/** A range that becomes a link to a workspace, or that must be fixed so that the package installs here. */
export interface LinkChange {
  readonly member: Member;
  readonly ident: string;
  readonly field: Dependency["field"];
  readonly from: string;
  readonly to: string;
  readonly why:
    | { readonly kind: "published" }
    /** The range doesn't match the workspace's version: the dependent may not be ready for it. */
    | { readonly kind: "break"; readonly version: string }
    /** It pointed at a package of the source's own workspace, which isn't migrated. */
    | { readonly kind: "left-behind" }
    /** It named a catalog of the source's workspace. */
    | { readonly kind: "catalog" }
    /** It is a path to a package that is a workspace here. */
    | { readonly kind: "path" };
}

/** A peer range that doesn't match the workspace's version. It isn't changed. */
export interface PeerBreak {
  readonly member: Member;
  readonly ident: string;
  readonly range: string;
  readonly version: string;
}

export interface Links {
  readonly changes: readonly LinkChange[];
  readonly peerBreaks: readonly PeerBreak[];
  /** Ranges of a newcomer that are valid only in its own workspace, and that can't be fixed automatically. */
  readonly lost: readonly {
    readonly member: Member;
    readonly ident: string;
    readonly range: string;
  }[];
}

export interface LinkFacts {
  readonly residents: readonly Member[];
  readonly newcomers: readonly Member[];
  /** The source's own workspace: versions of all its packages, ranges of its catalogs. */
  readonly home: {
    readonly versions: ReadonlyMap<string, string>;
    readonly catalogRange: (ident: string, range: string) => string | undefined;
  };
}

/**
 * Decides which dependencies become links: those of residents on a newcomer's published version, and those of newcomers
 * on a resident or on each other. Yarn links a plain range by itself only if it matches; otherwise it would continue to
 * install the published copy.
 */
export function decideLinks(facts: LinkFacts): Links {
  const changes: LinkChange[] = [];
  const peerBreaks: PeerBreak[] = [];
  const lost: { member: Member; ident: string; range: string }[] = [];
  const all = [...facts.residents, ...facts.newcomers];
  const versions = new Map(all.map(({ name, version }) => [name, version]));
  const isNew = new Set(facts.newcomers.map(({ name }) => name));
  for (const member of all) {
    for (const { ident, range, field } of member.dependencies) {
      const isOwn = isNew.has(member.name);
      const isWorkspace = versions.has(ident) && ident !== member.name;
      const change = (to: string, why: LinkChange["why"]) =>
        changes.push({ member, ident, field, from: range, to, why });
      if (!isWorkspace) {
        const repaired = isOwn ? repair(ident, range, facts.home) : undefined;
        if (repaired === "lost") lost.push({ member, ident, range });
        else if (repaired) change(repaired.to, repaired.why);
        continue;
      }
      if (!isOwn && !isNew.has(ident)) continue;
      const version = versions.get(ident);
      if (field === "peerDependencies") {
        if (version !== undefined && !matches(version, range))
          peerBreaks.push({ member, ident, range, version });
        continue;
      }
      if (range.startsWith("workspace:")) continue;
      const isPath = /^(?:file|link|portal):|^\.{0,2}\//.test(range);
      const isOther = !isPath && plainRange(range) === undefined;
      // An alias, a patch or a git address is a deliberate choice of other code.
      if (isOther && !range.startsWith("catalog:")) continue;
      change(
        "workspace:^",
        isPath
          ? { kind: "path" }
          : version !== undefined && !matches(version, range)
            ? { kind: "break", version }
            : { kind: "published" },
      );
    }
  }
  return { changes, peerBreaks, lost };
}

function repair(
  ident: string,
  range: string,
  { versions, catalogRange }: LinkFacts["home"],
):
  | { readonly to: string; readonly why: LinkChange["why"] }
  | "lost"
  | undefined {
  if (range.startsWith("catalog:")) {
    const to = catalogRange(ident, range);
    return to === undefined ? "lost" : { to, why: { kind: "catalog" } };
  }
  if (!range.startsWith("workspace:")) return undefined;
  const wanted = range.slice("workspace:".length);
  const version = versions.get(ident);
  const why = { kind: "left-behind" } as const;
  if (wanted === "^" || wanted === "~")
    return version === undefined ? "lost" : { to: wanted + version, why };
  if (wanted === "*")
    return version === undefined ? "lost" : { to: version, why };
  return validRange(wanted) === null ? "lost" : { to: wanted, why };
}

/** Returns a semver range without `npm:`; undefined for any other kind. A tag (`latest`) counts as every version. */
export function plainRange(range: string): string | undefined {
  const bare = range.startsWith("npm:") ? range.slice(4) : range;
  if (validRange(bare) !== null) return bare;
  return /^[a-z][\w.-]*$/i.test(bare) ? "*" : undefined;
}

function matches(version: string, range: string): boolean {
  const plain = plainRange(range.replace(/^workspace:/, ""));
  return (
    plain === undefined ||
    satisfies(version, plain, { includePrerelease: true })
  );
}
