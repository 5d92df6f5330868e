import { addToSet } from "@skein/reporting/group-by";
import { isCheckScript } from "@skein/known-tools";
import type { FoundReference } from "../../graph.js";
import { CHECK_CALL, nameAndText } from "../../reference.js";
import { wordsAt } from "../targets/called-scripts.js";
import type { Layer } from "../layer.js";
import type { Layout } from "../layout.js";
import { SCRIPT_CALLS, SCRIPT_TEXTS } from "../table/table.js";

/** The scripts of packages that only test or check, by their names. */
export interface Checks {
  /** Returns the name of the script that contains a reference; undefined if it isn't in such a script. */
  around(reference: FoundReference): string | undefined;
  /** Returns the names of the workspaces whose sources call a script of this name. */
  callersOf(script: string): ReadonlySet<string>;
}

/** Opens the scripts that only test or check. Manifests and calls are read at the first question. */
export function openChecks(layers: readonly Layer[], layout: Layout): Checks {
  let places: ReadonlyMap<string, readonly Place[]> | undefined;
  let callers: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  return {
    around({ file, line, column }) {
      if (!/(?:^|\/)package\.json$/.test(file)) return undefined;
      places ??= readPlaces(layers, layout);
      return places
        .get(`${file}:${line}`)
        ?.find(({ start, end }) => start <= column && column <= end)?.script;
    },
    callersOf(script) {
      callers ??= readCallers(layers, layout);
      return callers.get(script) ?? new Set();
    },
  };
}

/** The place of a script's text in a line of a manifest, as columns. */
interface Place {
  readonly script: string;
  readonly start: number;
  readonly end: number;
}

/** Finds the places of the scripts that only test or check, by the manifest and its line. */
function readPlaces(
  layers: readonly Layer[],
  layout: Layout,
): ReadonlyMap<string, readonly Place[]> {
  const places = new Map<string, Place[]>();
  for (const { layer, row, name, line } of wordsAt(
    SCRIPT_TEXTS,
    layers,
    layout,
  )) {
    const [script, text] = nameAndText(name);
    if (!isCheckScript(script)) continue;
    const start = layer.table.referenceOf(row).column;
    // If the manifest escapes more characters than necessary, the end of the text counts as outside.
    const end = start + JSON.stringify(text).length - 2;
    const key = `${layer.file(row)}:${line}`;
    places.set(key, [...(places.get(key) ?? []), { script, start, end }]);
  }
  return places;
}

/**
 * Finds the workspaces that call scripts in their files, by the scripts' names. The texts of manifests' scripts show what they
 * call. Of the root's files, commands in other languages count, but not those of CI: a program in JavaScript often only prints
 * a command.
 */
function readCallers(
  layers: readonly Layer[],
  layout: Layout,
): ReadonlyMap<string, ReadonlySet<string>> {
  const callers = new Map<string, Set<string>>();
  for (const layer of layers)
    for (const row of layer.rowsOfPackage(SCRIPT_CALLS)) {
      const owner = layer.from(row);
      const file = layer.file(row);
      if (owner < 0 || layout.withinOwner(file) === "package.json") continue;
      if (owner === layout.root && /^\.|\.[cm]?[jt]sx?$/.test(file)) continue;
      const name = layer.table.specifierOf(row);
      const script = CHECK_CALL.exec(name)?.[1] ?? name;
      addToSet(callers, script, layout.nameOf(owner));
    }
  return callers;
}
