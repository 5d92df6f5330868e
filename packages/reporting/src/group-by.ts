/**
 * Groups items by a key. Groups are in the order of their first items. Node 20 has no `Map.groupBy`, which does the same.
 */
export function groupBy<Key, Item>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key,
): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) addTo(groups, keyOf(item), item);
  return groups;
}

/** Adds an item to the group of its key. */
export function addTo<Key, Item>(
  groups: Map<Key, Item[]>,
  key: Key,
  item: Item,
): void {
  const group = groups.get(key);
  if (group) group.push(item);
  else groups.set(key, [item]);
}
