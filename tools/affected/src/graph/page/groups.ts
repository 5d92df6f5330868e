import type { PageData, PageNode } from "./page-data.js";

/** A drawing with more packages than this shows folders first. */
export const MANY_BOXES = 150;

/** The maximum depth of folders that become groups. */
const DEEPEST = 4;

/**
 * Returns the folder that a package is grouped under: at most `depth` parts of its path, without the package's own
 * folder.
 */
function folderOf({ dir }: PageNode, depth: number): string {
  const parts = dir.split("/");
  return parts.slice(0, Math.min(depth, parts.length - 1)).join("/") || ".";
}

/** Packages by folder. */
export interface Groups {
  /** The folders in the form of packages, and the edges between them. */
  readonly data: PageData;
  /** The places of the packages in each folder, by the folder's place. */
  readonly members: readonly (readonly number[])[];
}

/**
 * Groups packages by folder, at the smallest depth with at least two folders.
 * @param shown places of the packages
 * @returns undefined if there are few packages, or if no depth results in at least two groups and at most as many as
 * can be drawn
 */
export function groupsOf(
  data: PageData,
  shown: readonly number[],
): Groups | undefined {
  if (shown.length <= MANY_BOXES) return undefined;
  for (let depth = 1; depth <= DEEPEST; depth++) {
    const members = new Map<string, number[]>();
    for (const place of shown) {
      const node = data.nodes[place];
      if (!node) continue;
      const folder = folderOf(node, depth);
      const list = members.get(folder);
      if (list) list.push(place);
      else members.set(folder, [place]);
    }
    if (members.size > MANY_BOXES) return undefined;
    if (members.size > 1) return grouped(data, members);
  }
  return undefined;
}

function grouped(
  { title, nodes, edges }: PageData,
  members: ReadonlyMap<string, readonly number[]>,
): Groups {
  const folders = [...members];
  const groupAt = new Map(
    folders.flatMap(([, places], group) =>
      places.map((place) => [place, group] as const),
    ),
  );
  const seen = new Set<string>();
  return {
    members: folders.map(([, places]) => places),
    data: {
      title,
      kinds: ["folder"],
      nodes: folders.map(([folder, places]) => {
        const all = places.flatMap((place) => nodes[place] ?? []);
        return {
          name:
            all.length === 1
              ? (all[0]?.name ?? "")
              : `${folder}/ (${all.length.toLocaleString("en-US")})`,
          dir: folder,
          affected: all.some(({ affected }) => affected),
          ...(all.some(({ changed }) => changed) && { changed: true }),
          reasons: [],
          tags: [],
          owners: [],
        };
      }),
      edges: edges.flatMap(([from, to]) => {
        const [a, b] = [groupAt.get(from), groupAt.get(to)];
        const key = `${a} ${b}`;
        if (a === undefined || b === undefined || a === b || seen.has(key))
          return [];
        seen.add(key);
        return [[a, b, 0] as const];
      }),
    },
  };
}
