import type { SourceEdge } from "../graph.js";
import { CHECK_CALL, nameAndText } from "../reference.js";
import { addTo, wordsAt } from "./called-scripts.js";
import type { Layer } from "./layer.js";
import type { Layout } from "./layout.js";
import { SCRIPT_CALLS } from "./table.js";

/** The references in packages' scripts that test or check. */
export interface Checks {
  /**
   * Returns how a row counts that is in such a script.
   * @returns undefined if it isn't in such a script, or if another package may call the script
   */
  of(
    layer: Layer,
    row: number,
  ): Pick<SourceEdge, "testOnly" | "scripts"> | undefined;
}

/** Opens the search for references in scripts that test or check. Calls of scripts are read at the first question. */
export function openChecks(layers: readonly Layer[], layout: Layout): Checks {
  let called: CalledChecks | undefined;
  return {
    of(layer, row) {
      if (
        layer.kind(row) !== "test-script" ||
        layer.isUnparsed(row) ||
        layout.withinOwner(layer.file(row)) !== "package.json"
      )
        return undefined;
      called ??= readCalledChecks(layers, layout);
      const script = scriptAround(layer, row);
      if (script === undefined || called.anywhere.has(script)) return undefined;
      const isCalled = called.own.get(layer.from(row))?.has(script) === true;
      return { testOnly: true, ...(!isCalled && { scripts: [script] }) };
    },
  };
}

/** Calls of scripts that test or check, outside of the scripts of their own package. */
interface CalledChecks {
  /** The scripts that sources of a package call in the package, by its number. */
  readonly own: ReadonlyMap<number, ReadonlySet<string>>;
  /** The scripts that packages call in another package, which isn't known. */
  readonly anywhere: ReadonlySet<string>;
}

/** Finds calls of scripts that test or check. What a package's scripts call in the package, their texts show. */
function readCalledChecks(
  layers: readonly Layer[],
  layout: Layout,
): CalledChecks {
  const own = new Map<number, Set<string>>();
  const anywhere = new Set<string>();
  for (const { layer, row, name, owner } of wordsAt(
    SCRIPT_CALLS,
    layers,
    layout,
  )) {
    const [, isElsewhere, script] = CHECK_CALL.exec(name) ?? [];
    if (script === undefined || owner === layout.root) continue;
    if (isElsewhere !== undefined) anywhere.add(script);
    else if (layout.withinOwner(layer.file(row)) !== "package.json")
      addTo(own, owner, script);
  }
  return { own, anywhere };
}

/** Returns the name of the script of a manifest in which a row is. */
function scriptAround(layer: Layer, row: number): string | undefined {
  const { line, column } = layer.table.referenceOf(row);
  // The rows of a file are sorted by position.
  const text = layer
    .rowsIn(layer.file(row))
    .filter((one) => layer.kind(one) === "script-text")
    .map((one) => layer.table.referenceOf(one))
    .findLast(
      (one) => one.line < line || (one.line === line && one.column <= column),
    );
  return text && nameAndText(text.specifier)[0];
}
