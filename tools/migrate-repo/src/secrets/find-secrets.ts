import { findForms, type Found } from "./find-forms.js";
import { findInSettings, isSettingsFile } from "./settings.js";

/** Longer files with names of settings are data. */
const LONGEST_SETTINGS = 1_000_000;

/** Returns whether a file is read as settings, too. @param size bytes */
export function isReadAsSettings(path: string, size: number): boolean {
  return size <= LONGEST_SETTINGS && isSettingsFile(path);
}

/** Returns the credentials in a file: by their form in any, and by their place in a settings file. */
export function findSecrets(path: string, content: Buffer): readonly Found[] {
  if (!isReadAsSettings(path, content.length)) return findForms(content);
  const inSettings = findInSettings(content.toString("utf8"));
  const lines = new Set(inSettings.map(({ line }) => line));
  return [
    ...inSettings,
    ...findForms(content).filter(({ line }) => !lines.has(line)),
  ];
}
