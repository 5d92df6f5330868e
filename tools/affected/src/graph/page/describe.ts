import type { PageData, PageNode } from "./page-data.js";
import { reachFrom, wayTo, type AllNeighbours } from "./reach.js";

/** The relation of a package to the selected one; `other` means unrelated, or not found by the search. */
export type Role =
  | "selected"
  | "dependent"
  | "dependency"
  | "both"
  | "plain"
  | "other";

/** The signs that distinguish roles without colour. */
export const signs: Readonly<Record<Role, string>> = {
  selected: "◆ ",
  dependent: "▲ ",
  dependency: "▼ ",
  both: "▲▼ ",
  plain: "",
  other: "",
};

/**
 * Returns `5,000 packages, 9,000 edges; 12 affected by the changes from main to HEAD`. Without a base, the text ends
 * after `affected`, or after the edges if nothing is affected.
 */
export function summaryOf(data: PageData): string {
  const { nodes, edges, base, head } = data;
  const affected = nodes.filter((node) => node.affected).length;
  // Edges of several kinds between two packages are one line in the drawing.
  const lines = new Set(edges.map(([from, to]) => from * nodes.length + to));
  const size = `${nodes.length.toLocaleString("en-US")} ${nounOf(data, nodes.length)}, ${lines.size.toLocaleString("en-US")} ${lines.size === 1 ? "edge" : "edges"}`;
  // HEAD's commit would be a distraction if the working tree is compared: it is often the same as that of the base.
  const end =
    head === undefined || head.endsWith(" with the working tree")
      ? "the working tree"
      : head;
  const between =
    base === undefined ? "" : ` by the changes from ${base} to ${end}`;
  return base === undefined && affected === 0
    ? size
    : `${size}; ${affected.toLocaleString("en-US")} affected${between}`;
}

/** Returns the word for this number of nodes: `package`, `scripts`. */
export function nounOf(
  { nouns = "packages" }: PageData,
  amount: number,
): string {
  return amount === 1 ? nouns.replace(/s$/, "") : nouns;
}

/** Returns whether a package's name, folder, tags or owners contain every word of a search, in upper or lower case. */
export function isFound(node: PageNode, search: string): boolean {
  const text = [node.name, node.dir, ...node.tags, ...node.owners]
    .join("\n")
    .toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** All dependents and dependencies of a package. Each has the package before it on a shortest way. */
export interface Surroundings {
  readonly dependents: ReadonlyMap<number, number>;
  readonly dependencies: ReadonlyMap<number, number>;
}

/** Finds all dependents and dependencies of a package. @param place of the package */
export function surroundingsOf(
  place: number,
  { dependents, dependencies, beyondTests }: AllNeighbours,
): Surroundings {
  return {
    // Dependents of a package aren't affected by packages that only its tests use.
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

/** Returns a package's role in the surroundings of the selected one. */
export function roleIn(
  place: number,
  selected: number,
  { dependents, dependencies }: Surroundings,
): Role {
  if (place === selected) return "selected";
  const [up, down] = [dependents.has(place), dependencies.has(place)];
  return up && down ? "both" : up ? "dependent" : down ? "dependency" : "other";
}

/** Returns each way of one direction as text, `core → ui → web`, with the place where it ends; nearest first. */
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
