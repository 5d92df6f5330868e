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

/** Adds a value to the set of its key. */
export function addToSet<Key, Value>(
  sets: Map<Key, Set<Value>>,
  key: Key,
  value: Value,
): void {
  sets.set(key, (sets.get(key) ?? new Set<Value>()).add(value));
}

/** Returns a function that computes the answer to each question only once. */
export function remember<Key, Value>(
  compute: (key: Key) => Value,
): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    let value = known.get(key);
    if (value === undefined && !known.has(key))
      known.set(key, (value = compute(key)));
    return value as Value;
  };
}
