import { nameAndText } from "../reference.js";
import { below } from "../resolve.js";
import type { Rerouted } from "./aliases.js";
import type { Layer } from "./layer.js";
import type { Layout } from "./layout.js";
import { SCRIPT_CALLS, SCRIPT_NAMES, SCRIPT_TEXTS } from "./table.js";

/** A script's name, or a word that may be one, in the manifest of a workspace. */
export interface ScriptWord {
  readonly layer: Layer;
  readonly row: number;
  readonly name: string;
  /** Number of the workspace. */
  readonly owner: number;
  readonly line: number;
}

/** What calls of scripts that another workspace has come to. */
export interface CalledScripts {
  /** Calls that mean another package. */
  readonly rerouted: readonly Rerouted[];
  /** By the line of a script in the root's manifest: the calls in packages that run it. */
  readonly callersOf: ReadonlyMap<number, ReadonlySet<ScriptWord>>;
}

/**
 * Calls of scripts that another workspace has. `yarn x:y` runs the script of that name wherever it is, if the caller has
 * none and one workspace alone has it; `yarn run -T x` runs the root's, or a program that it has installed, perhaps from the
 * workspace. What a script of the root calls is called by those
 * who call it. Two scripts on one line are taken for each other's.
 */
export function readCalledScripts(
  layers: readonly Layer[],
  layout: Layout,
): CalledScripts {
  const calls = wordsAt(SCRIPT_CALLS, layers, layout);
  const callersOf = new Map<number, Set<ScriptWord>>();
  if (calls.every(({ owner }) => owner === layout.root))
    return { rerouted: [], callersOf };
  const ownersOf = new Map<string, Set<number>>();
  const rootLines = new Map<string, Set<number>>();
  for (const { name, owner, line } of wordsAt(SCRIPT_NAMES, layers, layout)) {
    addTo(ownersOf, name, owner);
    if (owner === layout.root) addTo(rootLines, name, line);
  }
  const byRootLine = new Map<number, Set<string>>();
  for (const { name, owner, line } of calls)
    if (owner === layout.root) addTo(byRootLine, line, name);

  const rerouted = calls.flatMap((call) => {
    const { layer, row, name, owner } = call;
    if (owner === layout.root || ownersOf.get(name)?.has(owner)) return [];
    const called = new Set([name]);
    const found: Rerouted[] = [];
    for (const one of called) {
      const isTop = one.startsWith("-T ");
      const script = isTop ? one.slice(3) : one;
      // Yarn looks for a script first.
      if (isTop && !rootLines.has(script))
        for (const number of ownersOf.get(`bin ${script}`) ?? [])
          if (number !== owner)
            found.push({
              layer,
              row,
              key: below(layout.dirOf(number), "package.json"),
            });
      const [only, other] = isTop ? [layout.root] : (ownersOf.get(one) ?? []);
      if (only === undefined || other !== undefined) continue;
      if (only === layout.root) {
        for (const line of rootLines.get(script) ?? []) {
          addTo(callersOf, line, call);
          for (const next of byRootLine.get(line) ?? []) called.add(next);
        }
      } else if (only !== owner) {
        const key = below(layout.dirOf(only), "package.json");
        found.push({ layer, row, key });
      }
    }
    return found;
  });
  return { rerouted, callersOf };
}

/** The scripts and programs of the workspaces' manifests. */
export interface ManifestScripts {
  /** By the workspace's number: the texts of its scripts by name. */
  readonly scripts: ReadonlyMap<number, Readonly<Record<string, string>>>;
  /** By a program's name: the number of the workspace that offers it. */
  readonly bins: ReadonlyMap<string, number>;
}

/** Reads the scripts of all workspaces, and the programs that they offer. */
export function readManifestScripts(
  layers: readonly Layer[],
  layout: Layout,
): ManifestScripts {
  const scripts = new Map<number, Record<string, string>>();
  for (const { name: specifier, owner } of wordsAt(
    SCRIPT_TEXTS,
    layers,
    layout,
  )) {
    const [name, text] = nameAndText(specifier);
    const own = scripts.get(owner) ?? {};
    scripts.set(owner, own);
    // A script may be called `__proto__`.
    Object.defineProperty(own, name, { value: text, enumerable: true });
  }
  const bins = new Map<string, number>();
  for (const { name, owner } of wordsAt(SCRIPT_NAMES, layers, layout))
    if (name.startsWith("bin ")) bins.set(name.slice("bin ".length), owner);
  return { scripts, bins };
}

/** The rows at one of the special nodes that stand in the manifest of a workspace, or call from a source of a package. */
function wordsAt(
  special: string,
  layers: readonly Layer[],
  layout: Layout,
): readonly ScriptWord[] {
  return layers.flatMap((layer) =>
    layer.rowsOfPackage(special).flatMap((row): ScriptWord[] => {
      const owner = layer.from(row);
      const manifest = below(layout.dirOf(owner), "package.json");
      const file = layer.file(row);
      const isFixture = file.endsWith("package.json") || owner === layout.root;
      if (owner < 0 || (isFixture && file !== manifest)) return [];
      const { specifier: name, line } = layer.table.referenceOf(row);
      return [{ layer, row, name, owner, line }];
    }),
  );
}

function addTo<Key, Value>(
  index: Map<Key, Set<Value>>,
  key: Key,
  value: Value,
): void {
  index.set(key, (index.get(key) ?? new Set<Value>()).add(value));
}
