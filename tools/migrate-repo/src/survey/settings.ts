import { usageFailure } from "@skein/reporting";
import {
  defaultSettings,
  parseSettings,
  SettingsError,
  type Settings,
} from "@skein/workspaces";

/**
 * Reads skein.json.
 * @param text undefined where there is no such file
 * @throws {Failure} where it says something Skein does not know: a misspelt `protectedBranches` protects nothing
 */
export function readSettings(text: string | undefined): Settings {
  if (text === undefined) return defaultSettings;
  try {
    return parseSettings(text);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const { message, line, known } = error;
    throw usageFailure(message, {
      place: { file: "skein.json", line },
      hint:
        known.length > 0
          ? `there can stand: ${known.join(", ")}`
          : "docs/settings.md describes every field",
    });
  }
}
