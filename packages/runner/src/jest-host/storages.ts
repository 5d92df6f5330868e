import { AsyncLocalStorage } from "node:async_hooks";

/** An `AsyncLocalStorage` of any type. */
type Storage = AsyncLocalStorage<unknown>;

/**
 * Records which `AsyncLocalStorage`s are used. Jest opens one for each test file and doesn't close it. On Node 20 and 22, each
 * promise then copies the values of all of them, so a host would slow down with each package.
 * @returns a function that closes those used since its last call
 */
export function watchStorages(): () => void {
  const used = new Set<Storage>();
  for (const name of ["run", "enterWith"] as const) {
    const { prototype } = AsyncLocalStorage;
    const original = Reflect.get(prototype, name) as () => unknown;
    Object.defineProperty(prototype, name, {
      configurable: true,
      enumerable: false,
      writable: true,
      value: new Proxy(original, {
        apply(target, self: Storage, given) {
          used.add(self);
          return Reflect.apply(target, self, given) as unknown;
        },
      }),
    });
  }
  return () => {
    for (const storage of used) storage.disable();
    used.clear();
  };
}
