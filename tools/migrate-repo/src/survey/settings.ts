import { usageFailure } from "@skein/reporting";
import {
  defaultSettings,
  parseSettings,
  SettingsError,
  type Settings,
} from "@skein/workspaces";

/**
 * Parses skein.json.
 * @param text undefined if the file doesn't exist
 * @throws {Failure} if it has a field that Skein doesn't recognise: a misspelt `protectedBranches` would protect
 * nothing
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
          ? `allowed there: ${known.join(", ")}`
          : "docs/settings.md describes every field",
    });
  }
}
