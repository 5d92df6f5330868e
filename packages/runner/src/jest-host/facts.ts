/** The own properties of an object at one time. Code can change each of them. */
export interface Snapshot {
  readonly place: string;
  readonly of: object;
  readonly keys: readonly PropertyKey[];
  readonly properties: readonly (PropertyDescriptor | undefined)[];
  /** Names that are not compared. */
  readonly except: readonly string[];
  /** The class, if the object is a prototype. */
  readonly constructorOf?: object;
}

/** Jest marks objects with this prefix that it must not clean up after a test file. */
const OF_JEST = "Symbol($$jest-";

/** Returns the own properties of an object. Getters are compared, not called. @param except names to skip */
export function snapshotOf(
  place: string,
  of: object,
  except: readonly string[] = [],
): Snapshot {
  const keys = keysOf(of, except);
  const properties = keys.map((key) =>
    Reflect.getOwnPropertyDescriptor(of, key),
  );
  return { place, of, keys, properties, except };
}

/** Returns snapshots of a module's exports, and of the prototypes of its classes. */
export function snapshotsOfModule(
  name: string,
  exports: unknown,
): readonly Snapshot[] {
  if (typeof exports === "function") return snapshotsOfClass(name, exports);
  if (typeof exports !== "object" || exports === null) return [];
  const own = snapshotOf(name, exports);
  const prototypes = own.properties.flatMap((property, at) =>
    prototypeOf(`${name}.${String(own.keys[at])}`, property?.value),
  );
  return [own, ...prototypes];
}

/** Returns snapshots of a class or function, and of its prototype. */
export function snapshotsOfClass(
  name: string,
  value: object,
  except?: readonly string[],
): readonly Snapshot[] {
  return [snapshotOf(name, value, except), ...prototypeOf(name, value)];
}

/** Returns the first difference between objects and their snapshots, and its place; null if there is none. */
export function firstDifference(before: readonly Snapshot[]): string | null {
  for (const snapshot of before) {
    const found = differenceFrom(snapshot);
    if (found !== null) return found;
  }
  return null;
}

function differenceFrom(snapshot: Snapshot): string | null {
  const { place, of, keys, properties, except, constructorOf } = snapshot;
  if (constructorOf && Reflect.get(constructorOf, "prototype") !== of)
    return `${place} was changed`;
  for (const [at, key] of keys.entries()) {
    const before = properties[at];
    const now = Reflect.getOwnPropertyDescriptor(of, key);
    const isSame =
      now !== undefined &&
      Object.is(now.value, before?.value) &&
      now.get === before?.get &&
      now.set === before?.set;
    if (!isSame) return `${place}.${String(key)} was changed`;
  }
  const now = keysOf(of, except);
  if (now.length === keys.length) return null;
  const added = now.find((key) => !keys.includes(key));
  return `${place}.${String(added)} was added`;
}

function keysOf(of: object, except: readonly string[]): readonly PropertyKey[] {
  return Reflect.ownKeys(of).filter((key) =>
    typeof key === "symbol"
      ? !String(key).startsWith(OF_JEST)
      : !except.includes(key),
  );
}

function prototypeOf(name: string, value: unknown): readonly Snapshot[] {
  if (typeof value !== "function") return [];
  const { prototype } = value as { readonly prototype?: unknown };
  return typeof prototype === "object" && prototype !== null
    ? [
        {
          ...snapshotOf(`${name}.prototype`, prototype),
          constructorOf: value,
        },
      ]
    : [];
}
