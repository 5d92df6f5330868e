import { groupBy } from "@skein/reporting/group-by";
import type { Crossing } from "../graph.js";
import type { AuditProblem } from "./problems.js";

type Kind = AuditProblem["kind"];

/** A reference with its problem. */
export interface Finding {
  readonly kind: Kind;
  readonly crossing: Crossing;
  /** The path of the nearest manifest above the file, where a fix is written. */
  readonly manifest: string;
}

/** Findings that one change fixes. */
export interface Cause {
  readonly kind: Kind;
  readonly manifest: string;
  /** The package that is referred to, or the first of them by name. */
  readonly to: string;
  /** More packages that the same reference may mean, sorted by name. */
  readonly others: readonly string[];
  /** All places, those of this kind first. */
  readonly places: readonly Crossing[];
  /** The places of this kind only. */
  readonly own: readonly Crossing[];
}

/**
 * The kinds that one declaration fixes too. If a pair of packages has several kinds, the first one is the cause of the
 * others.
 */
const MENDED: Readonly<Record<Kind, readonly Kind[]>> = {
  "undeclared-dependency": ["symlink", "settings", "path-string"],
  "only-dev-dependency": [],
  "path-import": ["settings", "path-string"],
  symlink: ["settings", "path-string"],
  settings: ["path-string"],
  "path-string": [],
};

/**
 * Groups findings by their cause:
 * - a path in a string is one cause, however many packages it may mean: only its beginning is known (a listing of
 *   `../../packages`), or a variable in it has several values;
 * - what the files of one manifest need from another package by one kind of reference is one cause, with all its places;
 * - a finding that the fix of another cause with the same manifest and package also fixes belongs to that cause.
 * @param findings sorted by file
 * @returns causes in the order of their first findings
 */
export function groupByCause(findings: readonly Finding[]): readonly Cause[] {
  const mayBeOpen = ({ kind, crossing }: Finding) =>
    crossing.partial || kind === "path-string";
  const open = groupBy(findings.filter(mayBeOpen), placeOf);
  const isOpen = (finding: Finding) =>
    mayBeOpen(finding) &&
    open
      .get(placeOf(finding))
      ?.some(({ crossing }) => crossing.to !== finding.crossing.to) === true;
  const groups = groupBy(findings, (finding) => {
    const { crossing, kind, manifest } = finding;
    return isOpen(finding)
      ? placeOf(finding)
      : JSON.stringify([crossing.from, kind, crossing.to, manifest]);
  });
  const causes = [...groups.values()].map(causeOf);
  const byPair = groupBy(causes, pairOf);
  return causes.flatMap((cause) => {
    const siblings = byPair.get(pairOf(cause)) ?? [];
    if (siblings.some((other) => isPart(cause, other))) return [];
    const parts = siblings.filter((other) => isPart(other, cause));
    const places = [cause, ...parts].flatMap(({ places }) => places);
    return [{ ...cause, places: withoutTwins(places) }];
  });
}

/**
 * Returns a key of the line and the text of a reference, or of its column if a variable in it has several values. A file may have
 * only one line, so the column of other references isn't part of the key.
 */
function placeOf({ kind, crossing }: Finding): string {
  const { from, file, line, column, specifier, partial } = crossing;
  return JSON.stringify([from, kind, file, line, partial ? specifier : column]);
}

/** Returns a key of the manifest and the two packages of a cause. A cause that may mean many packages is never grouped with another. */
function pairOf({ to, others, places, manifest }: Cause): string {
  const [first] = places;
  return JSON.stringify(
    others.length > 0
      ? [first?.file, first?.line, first?.column, first?.specifier]
      : [first?.from, to, manifest],
  );
}

/** Removes duplicates: one place can be found both as a string that is a path and as the argument of a call that loads it. */
function withoutTwins(places: readonly Crossing[]): readonly Crossing[] {
  const seen = new Set<string>();
  return places.filter(({ file, line, column }) => {
    const key = `${line}:${column}:${file}`;
    return !seen.has(key) && seen.add(key);
  });
}

function causeOf(group: readonly Finding[]): Cause {
  const crossings = group.map(({ crossing }) => crossing);
  const [to = "", ...others] = [
    ...new Set(crossings.map((crossing) => crossing.to)),
  ].sort();
  const [first] = crossings;
  // A reference that may mean many packages is one place.
  const places = first && others.length > 0 ? [{ ...first, to }] : crossings;
  return {
    kind: group[0]?.kind ?? "path-string",
    manifest: group[0]?.manifest ?? "",
    to,
    others,
    places,
    own: places,
  };
}

function isPart(part: Cause, whole: Cause): boolean {
  return MENDED[whole.kind].includes(part.kind);
}
