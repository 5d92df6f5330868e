import { settingsOf, type SettingsName } from "@skein/known-tools";
import { remember } from "@skein/reporting/group-by";
import type { Use } from "./script-uses.js";
import type { UnitFacts } from "./units.js";

/**
 * Opens the check whether the search for settings ends in a package's folder, in which a program begins, because a file there
 * ends it.
 */
export function openEnds({ packageOf, hasFile }: UnitFacts) {
  const endsIn = remember((settings: SettingsName) =>
    remember((name: string) => {
      const dir = packageOf(name)?.dir;
      return (
        dir !== undefined &&
        settingsOf(settings).endsAt?.some((file) => hasFile(`${dir}/${file}`))
      );
    }),
  );
  return (
    name: string,
    settings: SettingsName,
    { beginsInFolder, tool }: Use,
  ): boolean =>
    beginsInFolder === true &&
    tool?.choosesRoot !== true &&
    endsIn(settings)(name) === true;
}

/**
 * Opens the check whether options in code may let the search for settings begin elsewhere than in a package's folder: the package,
 * or a package that it depends on, calls the program by a package that takes such options.
 */
export function openMayBeginElsewhere({ packageOf, namersOf }: UnitFacts) {
  const callersOf = remember((settings: SettingsName) =>
    namersOf(settingsOf(settings).calledBy ?? []),
  );
  const behind = remember((name: string) => {
    const found = new Set([name]);
    for (const each of found)
      for (const { ident } of packageOf(each)?.dependencies ?? [])
        if (packageOf(ident)) found.add(ident);
    return [...found];
  });
  return (name: string, settings: SettingsName): boolean => {
    const callers = callersOf(settings);
    return !callers || behind(name).some((each) => callers.has(each));
  };
}
