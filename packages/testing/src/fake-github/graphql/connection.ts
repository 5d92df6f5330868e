/** The arguments of a list. */
export interface ListArguments {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
}

/**
 * Returns one page of a list, as GitHub's GraphQL API does. A cursor contains the key of the item before it. So the
 * other pages don't shift if an item moves to the front between two requests.
 * @param key returns the key of an item; the keys of a sorted list are sorted too, in descending order
 */
export function connection<T>(
  items: readonly T[],
  { first, last, after }: ListArguments,
  key: (item: T) => string = (item) => String(items.indexOf(item)),
) {
  if (first === undefined && last === undefined)
    throw new Error("You must provide a `first` or `last` value.");
  const from =
    after === undefined || after === null ? 0 : startAfter(items, key, after);
  const size = Math.min(first ?? last ?? 0, 100);
  const nodes =
    first === undefined ? items.slice(-size) : items.slice(from, from + size);
  const end = nodes.at(-1);
  return {
    totalCount: items.length,
    nodes,
    pageInfo: {
      hasNextPage: first !== undefined && from + size < items.length,
      endCursor:
        end === undefined ? null : Buffer.from(key(end)).toString("base64"),
    },
  };
}

function startAfter<T>(
  items: readonly T[],
  key: (item: T) => string,
  cursor: string,
): number {
  const wanted = Buffer.from(cursor, "base64").toString();
  const at = items.findIndex((item) => key(item) === wanted);
  if (at >= 0) return at + 1;
  // The item has moved. The page then starts at the first item below its former position.
  const below = items.findIndex((item) => key(item) < wanted);
  return below < 0 ? items.length : below;
}
