import { isOfCi } from "@skein/known-tools";
import { COVERAGE_SIGN, nameAndText } from "../../reference.js";
import type { Layer } from "../layer.js";
import type { Layout } from "../layout.js";
import { wordsAt } from "../targets/called-scripts.js";
import { PROGRAMS, SCRIPT_TEXTS } from "../table/table.js";

/** Commands that measure coverage. */
const MEASURES =
  /--(?:collectC|c)overage(?!(?:\.enabled)?=false)|\b(?:nyc|c8)\b/;
/** Commands that may run scripts of other packages, or run in another folder. */
const RUNS_OTHERS =
  /\b(?:cd|foreach|workspaces?|lerna|turbo|nx|lage|moon|wsrun|just|make)\b|\s(?:-r|-C|--filter|--cwd|--dir)\b/;
/** Settings that a test runner finds itself, so that other packages usually don't load them. */
const OWN_SETTINGS =
  /(?:^|\/)(?:(?:jest|vitest|vite)\.config\.\w+|package\.json)$/;
/** Commands that may run scripts of the root. */
const RUNS_ROOT = /\s(?:-T|--top-level|-w|--workspace-root)\s|\.\.|\$/;

/**
 * Opens the answer to: may tests of a package, by its number, measure coverage? One of its scripts shows it, a script that may run
 * those of other packages, its own settings, or a file of the root or of any package that others may load or run.
 */
export function openCoverage(
  layers: readonly Layer[],
  layout: Layout,
): (workspace: number) => boolean {
  let found: ReadonlySet<number> | undefined;
  return (workspace) => {
    found ??= measuring(layers, layout);
    return found.has(workspace) || found.has(layout.root);
  };
}

/** Returns the packages whose tests measure coverage; the root stands for all. */
function measuring(
  layers: readonly Layer[],
  layout: Layout,
): ReadonlySet<number> {
  const found = new Set<number>();
  const scripts = wordsAt(SCRIPT_TEXTS, layers, layout).map(
    ({ name: specifier, owner }) => {
      const [name, text] = nameAndText(specifier);
      return { name, text, owner };
    },
  );
  const isCalled = (name: string) =>
    scripts.some(
      ({ text, owner }) =>
        owner !== layout.root &&
        text.includes(name) &&
        (name.includes(":") || RUNS_ROOT.test(text)),
    );
  for (const { name, text, owner } of scripts)
    if (MEASURES.test(text)) {
      if (RUNS_OTHERS.test(text)) found.add(layout.root);
      else if (owner !== layout.root || isCalled(name)) found.add(owner);
    }
  for (const layer of layers)
    for (const row of layer.rowsOfPackage(PROGRAMS))
      if (
        layer.table.specifierOf(row) === COVERAGE_SIGN &&
        layer.isLive(row) &&
        !isOfCi(layer.file(row))
      )
        found.add(
          OWN_SETTINGS.test(layer.file(row)) ? layer.from(row) : layout.root,
        );
  return found;
}
