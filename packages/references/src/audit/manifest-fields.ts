import { DEPENDENCY_FIELDS } from "../scan/settings/manifest.js";
import type { ManifestText } from "./problems.js";

type Fields = Readonly<Record<string, unknown>>;

/** Audits read the same manifest once for each reference of its package. */
const parsed = new WeakMap<ManifestText, Fields>();

/** Returns a manifest's fields, or none if it isn't a JSON object, for example in a fixture that is broken on purpose. */
export function fieldsIn(manifest: ManifestText | undefined): Fields {
  if (!manifest) return {};
  let fields = parsed.get(manifest);
  if (!fields) parsed.set(manifest, (fields = parse(manifest.text)));
  return fields;
}

function parse(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return typeof value === "object" && value !== null ? (value as Fields) : {};
  } catch {
    return {};
  }
}

/** Returns the fields of a manifest that declare a package. */
export function fieldsDeclaring(
  manifest: ManifestText | undefined,
  name: string,
): readonly string[] {
  const fields = fieldsIn(manifest);
  return DEPENDENCY_FIELDS.filter((field) => {
    const value = fields[field];
    return (
      typeof value === "object" && value !== null && Object.hasOwn(value, name)
    );
  });
}

/** Returns whether a manifest belongs to a package of its own, and doesn't only give a module type to a folder. */
export function isPackages(manifest: ManifestText): boolean {
  const fields = fieldsIn(manifest);
  return [...DEPENDENCY_FIELDS, "name"].some((field) => field in fields);
}
