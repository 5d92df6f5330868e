import { namesInEslint } from "@skein/known-tools";
import {
  at,
  type JsonNode,
  type JsonString,
  propertiesOf,
  stringsOf,
} from "../json.js";
import type { Collector } from "../positions.js";

/** The fields of ESLint's older settings (`.eslintrc`) in which a name gets a prefix. */
export type NamingField = "plugins" | "extends";
export const NAMING_FIELDS: readonly NamingField[] = ["plugins", "extends"];

/** A patch that loads shared settings by any name. */
const PATCH = "custom-config-package-names";

/**
 * Notes the package that a string in such a field means.
 * @returns whether it means one, and can't mean anything else
 */
export function addEslintName(
  field: NamingField,
  { text, offset }: JsonString,
  found: Collector,
): boolean {
  if (field === "extends" && found.text.includes(PATCH)) return false;
  const names = namesInEslint(field, text);
  for (const name of names ?? [])
    found.add(name, field === "extends" ? "extends" : "config", offset);
  return names !== undefined;
}

/**
 * Notes the packages that ESLint's older settings in JSON name, in their own fields and in those of `overrides`. In any deeper
 * object, a field belongs to another program: `parserOptions.babelOptions.plugins`.
 * @returns the places of the strings
 */
export function addEslintNames(
  settings: JsonNode,
  found: Collector,
): ReadonlySet<number> {
  const places = new Set<number>();
  const parts = [settings, ...(at(settings, "overrides")?.children ?? [])];
  for (const part of parts)
    for (const { key, value } of propertiesOf(part)) {
      const field = NAMING_FIELDS.find((name) => name === key);
      if (!field || value.type === "object") continue;
      for (const string of stringsOf(value))
        if (addEslintName(field, string, found)) places.add(string.offset);
    }
  return places;
}
