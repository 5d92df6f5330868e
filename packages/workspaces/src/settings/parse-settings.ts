import { findJsonError } from "../json-error.js";
import { SettingsError, type At } from "./readers.js";
import { defaultSettings, SETTINGS, type Settings } from "./settings.js";

/**
 * Parses skein.json. Every field has a default. An unknown field is an error, because a misspelt setting without effect
 * could leave a package untested.
 * @param text undefined if the file doesn't exist
 * @throws {SettingsError}
 */
export function parseSettings(text: string | undefined): Settings {
  if (text === undefined) return defaultSettings;
  const json = text.replace(/^\uFEFF/, "");
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    const { line, detail } = findJsonError(json);
    throw new SettingsError(detail, { line, field: "" });
  }
  return SETTINGS.read(value, placeIn(json, []));
}

/** Returns a place in the text of skein.json. */
function placeIn(json: string, path: readonly string[]): At {
  const field = path.join(".");
  return {
    field,
    member: (name) => placeIn(json, [...path, name]),
    fail(sentence, known) {
      const line = lineOf(json, path);
      throw new SettingsError(sentence, {
        line,
        field,
        ...(known && { known }),
      });
    },
  };
}

/** Returns the first line with the field's own name after the names of its parents. */
function lineOf(text: string, path: readonly string[]): number {
  let position = 0;
  for (const part of path) {
    const found = text.indexOf(JSON.stringify(part), position);
    if (found >= 0) position = found;
  }
  return text.slice(0, position).split("\n").length;
}
