import { findForms, type Found } from "./find-forms.js";
import { findInSettings, isSettingsFile } from "./settings.js";

/** The most bytes of a settings file. A longer file with such a name is data. */
const LONGEST_SETTINGS = 1_000_000;

/** Returns whether a file is also searched as settings. @param size in bytes */
export function isReadAsSettings(path: string, size: number): boolean {
  return size <= LONGEST_SETTINGS && isSettingsFile(path);
}

/**
 * Returns the credentials in a file. In any file it finds them by their form; in a settings file also by their place.
 */
export function findSecrets(path: string, content: Buffer): readonly Found[] {
  if (!isReadAsSettings(path, content.length)) return findForms(content);
  const inSettings = findInSettings(content.toString("utf8"));
  const lines = new Set(inSettings.map(({ line }) => line));
  return [
    ...inSettings,
    ...findForms(content).filter(({ line }) => !lines.has(line)),
  ];
}
