import { usageFailure } from "@skein/reporting";
import {
  parseSettings,
  SettingsError,
  type Settings,
} from "@skein/workspaces/settings";

/**
 * Parses skein.json.
 * @param text undefined if the file doesn't exist
 * @throws {Failure} if it has a field that Skein doesn't recognise: a misspelt `protectedBranches` would protect
 * nothing
 */
export function readSettings(text: string | undefined): Settings {
  try {
    return parseSettings(text);
  } catch (error) {
    throw explainSettings(error);
  }
}

/** Returns a failure that names the line of skein.json, with a hint. Other errors are returned unchanged. */
export function explainSettings(error: unknown): unknown {
  if (!(error instanceof SettingsError)) return error;
  const { message, line, known } = error;
  return usageFailure(message, {
    place: { file: "skein.json", line },
    hint:
      known.length > 0
        ? `allowed there: ${known.join(", ")}`
        : "docs/settings.md describes every field",
  });
}
