import type { PageData, PageNode } from "./page-data.js";
import { reachFrom, wayTo, type AllNeighbours } from "./reach.js";

/** What a package is to the selected one; `other` is nothing to it, or not found by the search. */
export type Role =
  "selected" | "dependent" | "dependency" | "both" | "plain" | "other";

/** The signs that tell roles without colour. */
export const signs: Readonly<Record<Role, string>> = {
  selected: "◆ ",
  dependent: "▲ ",
  dependency: "▼ ",
  both: "▲▼ ",
  plain: "",
  other: "",
};

/** `12 of 5,000 packages are affected between main and HEAD`, or the count alone where no change is shown. */
export function summaryOf(data: PageData): string {
  const { nodes, edges, base, head, nouns = "packages" } = data;
  const affected = nodes.filter((node) => node.affected).length;
  const size = `${nodes.length.toLocaleString("en-US")} ${nodes.length === 1 ? nouns.replace(/s$/, "") : nouns}, ${edges.length.toLocaleString("en-US")} ${edges.length === 1 ? "edge" : "edges"}`;
  const between =
    base === undefined
      ? ""
      : ` by what changed between ${base} and ${head ?? "the working tree"}`;
  return base === undefined && affected === 0
    ? size
    : `${size}; ${affected.toLocaleString("en-US")} affected${between}`;
}

/** Whether every word of a search stands in a package's name, folder, tags or owners; upper and lower case are the same. */
export function isFound(node: PageNode, search: string): boolean {
  const text = [node.name, node.dir, ...node.tags, ...node.owners]
    .join("\n")
    .toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** All that depends on a package and all that it depends on, with the ways. */
export interface Surroundings {
  readonly dependents: ReadonlyMap<number, number>;
  readonly dependencies: ReadonlyMap<number, number>;
}

export function surroundingsOf(
  place: number,
  { dependents, dependencies, beyondTests }: AllNeighbours,
): Surroundings {
  return {
    // What only tests of a package use is of no matter to those who depend on that package.
    dependents: reachFrom(
      place,
      (at) => beyondTests.dependents[at],
      (at) => dependents[at],
    ),
    dependencies: reachFrom(
      place,
      (at) => (at === place ? dependencies : beyondTests.dependencies)[at],
    ),
  };
}

/** A package's role in the surroundings of the selected one. */
export function roleIn(
  place: number,
  selected: number,
  { dependents, dependencies }: Surroundings,
): Role {
  if (place === selected) return "selected";
  const [up, down] = [dependents.has(place), dependencies.has(place)];
  return up && down ? "both" : up ? "dependent" : down ? "dependency" : "other";
}

/** Each way of one direction as text, `core → ui → web`, with the place it leads to; nearest first. */
export function waysAsText(
  reached: ReadonlyMap<number, number>,
  nodes: readonly PageNode[],
): { readonly place: number; readonly way: string }[] {
  return [...reached.keys()].map((place) => ({
    place,
    way: wayTo(place, reached)
      .map((each) => nodes[each]?.name ?? "")
      .join(" → "),
  }));
}
