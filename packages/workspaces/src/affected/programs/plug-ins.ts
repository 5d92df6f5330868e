import type { SettingsName, Tool } from "@skein/known-tools";
import { remember } from "@skein/reporting/group-by";
import type { UnitFacts } from "./units.js";

/** The facts that show whether the project uses a plug-in. */
type PlugInFacts = Pick<UnitFacts, "packages" | "names">;

/** Opens the check whether the project uses an external package. */
function openIsUsed({
  packages,
  names,
}: PlugInFacts): (external: string) => boolean {
  return remember(
    (external: string) =>
      names(undefined, external) ||
      packages.some(({ dependencies }) =>
        dependencies.some(({ ident }) => ident === external),
      ),
  );
}

/** Opens the check whether a program, or one of its plug-ins that the project uses, looks up a group of settings. */
export function openLooksUp(
  facts: PlugInFacts,
): (tool: Tool, settings: SettingsName) => boolean {
  const isUsed = openIsUsed(facts);
  return ({ looksUp, looksUpWith }, settings) =>
    looksUp.includes(settings) ||
    looksUpWith?.[settings]?.some(isUsed) === true;
}

/** The pages that plug-ins read. */
const PAGES = ["**/*.{md,mdx,markdown}"];

/** Opens the globs of files that a program, or one of its plug-ins that the project uses, reads by convention. */
export function openGlobsOf(
  facts: PlugInFacts,
): (tool: Tool) => readonly string[] {
  const isUsed = openIsUsed(facts);
  return ({ reads = [], readsPagesWith = [] }) =>
    readsPagesWith.some(isUsed) ? [...reads, ...PAGES] : reads;
}
