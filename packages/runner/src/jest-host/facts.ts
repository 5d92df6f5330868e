/** A place that code can change, and its value. */
export type Fact = readonly [place: string, value: unknown];

/** Jest marks objects with this prefix that it must not clean up after a test file. */
const OF_JEST = "Symbol($$jest-";

/** Returns the own properties of an object. Getters are compared, not called. @param except names to skip */
export function factsOf(
  place: string,
  of: object,
  except: readonly string[] = [],
): readonly Fact[] {
  return Reflect.ownKeys(of).flatMap((key): readonly Fact[] => {
    if (String(key).startsWith(OF_JEST) || except.includes(String(key)))
      return [];
    const name = `${place}.${String(key)}`;
    const own = Reflect.getOwnPropertyDescriptor(of, key);
    return own && "value" in own
      ? [[name, own.value]]
      : [
          [`get ${name}`, own?.get],
          [`set ${name}`, own?.set],
        ];
  });
}

/** Returns the exports of a module, and the properties of its classes' prototypes. */
export function factsOfModule(name: string, exports: unknown): readonly Fact[] {
  if (typeof exports === "function") return factsOfClass(name, exports);
  if (typeof exports !== "object" || exports === null) return [];
  const classes = Object.entries(Object.getOwnPropertyDescriptors(exports));
  return [
    ...factsOf(name, exports),
    ...classes.flatMap(([key, { value }]) =>
      prototypeOf(`${name}.${key}`, value),
    ),
  ];
}

/** Returns the own properties of a class or function, and those of its prototype. */
export function factsOfClass(
  name: string,
  value: object,
  except?: readonly string[],
): readonly Fact[] {
  return [...factsOf(name, value, except), ...prototypeOf(name, value)];
}

function prototypeOf(name: string, value: unknown): readonly Fact[] {
  if (typeof value !== "function") return [];
  const { prototype } = value as { readonly prototype?: unknown };
  return typeof prototype === "object" && prototype !== null
    ? factsOf(`${name}.prototype`, prototype)
    : [];
}

/** Returns the first difference and its place; null if there is none. */
export function firstDifference(
  before: readonly Fact[],
  now: readonly Fact[],
): string | null {
  const after = new Map(now);
  for (const [place, value] of before)
    if (!after.has(place) || !Object.is(after.get(place), value))
      return `${place} was changed`;
  if (after.size === before.length) return null;
  const known = new Set(before.map(([place]) => place));
  const added = now.find(([place]) => !known.has(place));
  return added ? `${added[0]} was added` : null;
}
