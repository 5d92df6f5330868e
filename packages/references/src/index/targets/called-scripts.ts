import { addToSet, groupBy } from "@skein/reporting/group-by";
import { EACH_OWNER, nameAndText } from "../../reference.js";
import { below, dirOf, packageNameOf, pathFrom } from "../../resolve.js";
import { isOfCi } from "@skein/known-tools";
import type { Rerouted } from "./aliases.js";
import { PERHAPS_ROOT } from "../../scan/commands/calls-above.js";
import type { Layer } from "../layer.js";
import type { Layout } from "../layout.js";
import { SCRIPT_CALLS, SCRIPT_NAMES, SCRIPT_TEXTS } from "../table/table.js";
import type { Row } from "./match.js";

/** A call in a folder that is probably the project's. */
const CALLED_PERHAPS = `-C ${PERHAPS_ROOT} `;

/** A script's name, or a word that may be one, in a workspace's manifest. */
export interface ScriptWord extends Row {
  readonly name: string;
  /** Number of the workspace. */
  readonly owner: number;
  readonly line: number;
}

/** The calls of scripts that belong to another workspace. */
export interface CalledScripts {
  /** Calls that mean another package. */
  readonly rerouted: readonly Rerouted[];
  /** The calls in packages that run a script of the root, by the script's line in the root's manifest. */
  readonly callersOf: ReadonlyMap<number, ReadonlySet<ScriptWord>>;
  /** The same by the script's name, also for scripts that the root no longer has. */
  readonly callersByName: ReadonlyMap<string, ReadonlySet<ScriptWord>>;
}

/**
 * Finds calls of scripts that belong to another workspace. `yarn x:y` runs the script of that name in any workspace, if the
 * caller has none and exactly one workspace has it. `yarn run -T x` runs the root's script, or a program that the root has
 * installed, which may come from a workspace. A script of the root is treated as a part of the scripts that call it. Two
 * scripts on one line are not distinguished.
 */
export function readCalledScripts(
  layers: readonly Layer[],
  layout: Layout,
): CalledScripts {
  const calls = [
    ...wordsAt(SCRIPT_CALLS, layers, layout),
    ...callsByTasks(layers, layout),
    ...callsInFilesOfRoot(layers, layout),
  ];
  const isInRoot = ({ layer, row, owner }: ScriptWord) =>
    owner === layout.root && layer.file(row) === "package.json";
  const callersOf = new Map<number, Set<ScriptWord>>();
  const callersByName = new Map<string, Set<ScriptWord>>();
  if (calls.every(isInRoot)) return { rerouted: [], callersOf, callersByName };
  const ownersOf = new Map<string, Set<number>>();
  const rootLines = new Map<string, Set<number>>();
  for (const { name, owner, line } of wordsAt(SCRIPT_NAMES, layers, layout)) {
    addToSet(ownersOf, name, owner);
    if (owner === layout.root) addToSet(rootLines, name, line);
  }
  const byRootLine = new Map<number, Set<string>>();
  for (const call of calls)
    if (isInRoot(call)) addToSet(byRootLine, call.line, call.name);

  let texts: ReadonlyMap<number, Readonly<Record<string, string>>> | undefined;
  const hasOwn = (owner: number, script: string) => {
    texts ??= readManifestScripts(layers, layout).scripts;
    return Object.hasOwn(texts.get(owner) ?? {}, script);
  };
  const rerouted = calls.flatMap((call) => {
    const { layer, row, name, owner } = call;
    if (isInRoot(call)) return [];
    if (owner !== layout.root && ownersOf.get(name)?.has(owner)) return [];
    const perhaps = name.startsWith(CALLED_PERHAPS)
      ? name.slice(CALLED_PERHAPS.length)
      : undefined;
    // In a folder that only may be the root, the package's own script comes first.
    if (perhaps !== undefined && hasOwn(owner, perhaps)) return [];
    const called = new Set([perhaps === undefined ? name : `-T ${perhaps}`]);
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
        addToSet(callersByName, script, call);
        for (const line of rootLines.get(script) ?? []) {
          addToSet(callersOf, line, call);
          for (const next of byRootLine.get(line) ?? []) called.add(next);
        }
      } else if (only !== owner) {
        const key = below(layout.dirOf(only), "package.json");
        found.push({ layer, row, key });
      }
    }
    return found;
  });
  return { rerouted, callersOf, callersByName };
}

/**
 * Returns the calls in files of the root, other than its manifest. Such a file may change to the root's folder first, or run in
 * it.
 */
function callsInFilesOfRoot(
  layers: readonly Layer[],
  { root }: Layout,
): readonly ScriptWord[] {
  return layers.flatMap((layer) =>
    Array.from(layer.rowsOfPackage(SCRIPT_CALLS)).flatMap((row) => {
      const file = layer.file(row);
      if (layer.from(row) !== root || isOfCi(file)) return [];
      if (file.endsWith("package.json") || layer.table.suffixOf(row) !== "")
        return [];
      const { line } = layer.table.referenceOf(row);
      const call = layer.table.specifierOf(row);
      const [, script] = /^-(?:C \S+|T) (.+)$/.exec(call) ?? [];
      const name =
        script !== undefined
          ? `-T ${script}`
          : /^\S+:\S+$/.test(call)
            ? call
            : undefined;
      return name === undefined
        ? []
        : [{ layer, row, name, owner: root, line }];
    }),
  );
}

/** Returns the scripts of packages that, by a task of the root's settings, need a script of the root, as calls of it. */
function callsByTasks(
  layers: readonly Layer[],
  layout: Layout,
): readonly ScriptWord[] {
  const scriptsOf = openTaskScripts(layers, layout);
  return layers.flatMap((layer) =>
    Array.from(layer.rowsOfPackage(SCRIPT_CALLS)).flatMap((row) => {
      const task = layer.table.suffixOf(row);
      if (task === "" || layer.from(row) !== layout.root) return [];
      const name = layer.table.specifierOf(row);
      return scriptsOf(task).map((script) => ({ ...script, name }));
    }),
  );
}

/**
 * Opens the scripts of packages that run as a task of the root's settings: `a/test`, or those of all packages. In the name of a
 * task, a hyphen replaces a colon.
 */
export function openTaskScripts(
  layers: readonly Layer[],
  layout: Layout,
): (task: string) => readonly ScriptWord[] {
  let byTask: ReadonlyMap<string, readonly ScriptWord[]> | undefined;
  return (task) => {
    byTask ??= groupBy(wordsAt(SCRIPT_TEXTS, layers, layout), ({ name }) =>
      nameAndText(name)[0].replaceAll(":", "-"),
    );
    const workspace = packageNameOf(task);
    const scripts = byTask.get(task.slice(task.lastIndexOf("/") + 1)) ?? [];
    const named = layout.byName.get(workspace);
    return scripts.filter(({ owner }) =>
      workspace === EACH_OWNER ? owner !== layout.root : owner === named,
    );
  };
}

/** The scripts of the workspaces' manifests, and the programs that they provide. */
export interface ManifestScripts {
  /** The texts of a workspace's scripts by name, by the workspace's number. */
  readonly scripts: ReadonlyMap<number, Readonly<Record<string, string>>>;
  /** The number of the workspace that provides a program, by the program's name. */
  readonly bins: ReadonlyMap<string, number>;
}

/** Reads the scripts of all workspaces, and the programs that they provide. */
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
    // A script may have the name `__proto__`.
    Object.defineProperty(own, name, { value: text, enumerable: true });
  }
  const bins = new Map<string, number>();
  for (const { name, owner } of wordsAt(SCRIPT_NAMES, layers, layout))
    if (name.startsWith("bin ")) bins.set(name.slice("bin ".length), owner);
  return { scripts, bins };
}

/**
 * Returns the rows of one of the special nodes that are in a workspace's manifest, or that are calls in a source of a
 * package.
 */
export function wordsAt(
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
      const { line } = layer.table.referenceOf(row);
      const specifier = layer.table.specifierOf(row);
      const name = /^-[CW] /.test(specifier)
        ? calledInRoot(specifier, [dirOf(file), layout.dirOf(owner)], layout)
        : specifier;
      return name === undefined ? [] : [{ layer, row, name, owner, line }];
    }),
  );
}

/**
 * Returns the name of a script that runs in a folder above (`-C ../.. x`) or in a workspace (`-W name x`), if that is the root.
 * @param folders at which the path may begin
 */
function calledInRoot(
  call: string,
  folders: readonly string[],
  { byName, root }: Layout,
): string | undefined {
  const [option, above = "", script = ""] = call.split(" ");
  if (above === PERHAPS_ROOT) return call;
  const isRoot =
    option === "-W"
      ? byName.get(above) === root
      : folders.some((dir) => pathFrom(dir, above, false) === "");
  return isRoot ? `-T ${script}` : undefined;
}
