import { fieldsIn as fieldsOf, recordOf } from "@skein/reporting/json-fields";
import type { Fields } from "@skein/reporting/json-fields";
import { DEPENDENCY_FIELDS } from "../scan/settings/manifest.js";
import type { ManifestText } from "./problems.js";

/** Audits read the same manifest once for each reference of its package. */
const parsed = new WeakMap<ManifestText, Fields>();

/** Returns a manifest's fields, or none if it isn't a JSON object, for example in a fixture that is broken on purpose. */
export function fieldsIn(manifest: ManifestText | undefined): Fields {
  if (!manifest) return {};
  let fields = parsed.get(manifest);
  if (!fields) parsed.set(manifest, (fields = fieldsOf(manifest.text)));
  return fields;
}

/** Returns the fields of a manifest that declare a package. */
export function fieldsDeclaring(
  manifest: ManifestText | undefined,
  name: string,
): readonly string[] {
  const fields = fieldsIn(manifest);
  return DEPENDENCY_FIELDS.filter((field) =>
    Object.hasOwn(recordOf(fields[field]), name),
  );
}

/** Returns whether a manifest belongs to a package of its own, and doesn't only give a module type to a folder. */
export function isPackages(manifest: ManifestText): boolean {
  const fields = fieldsIn(manifest);
  return [...DEPENDENCY_FIELDS, "name"].some((field) => field in fields);
}
