import type { PageData, PageNode } from "./page-data.js";

/** From so many packages on, a drawing shows folders first. */
export const MANY_BOXES = 150;

/** Folders deeper than this are not looked at. */
const DEEPEST = 4;

/** The folder that a package is shown with: at most so many parts of its path, without its own. */
function folderOf({ dir }: PageNode, depth: number): string {
  const parts = dir.split("/");
  return parts.slice(0, Math.min(depth, parts.length - 1)).join("/") || ".";
}

/** Packages by their folder. */
export interface Groups {
  /** The folders as if they were packages, and the edges between them. */
  readonly data: PageData;
  /** The places of the packages in each folder, by the folder's place. */
  readonly members: readonly (readonly number[])[];
}

/**
 * Groups packages by folder, at the smallest depth that tells at least two folders apart.
 * @param shown places of the packages
 * @returns undefined if there are few packages, or if no depth makes from two to as many groups as can be drawn
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
          name: `${folder}/ (${all.length.toLocaleString("en-US")})`,
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
