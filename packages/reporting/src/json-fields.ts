import { isRecord } from "./is-record.js";

/** The fields of a JSON object whose form hasn't been checked. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns a value if it is an object with keys; otherwise, an empty one. */
export function recordOf(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

/**
 * Returns the fields of a file; none if it is missing or unreadable.
 * @param parse the parser of its format; default: JSON
 */
export function fieldsIn(
  text: Buffer | string | undefined,
  parse: (text: string) => unknown = JSON.parse,
): Fields {
  try {
    return recordOf(parse((text ?? "{}").toString().replace(/^\uFEFF/, "")));
  } catch {
    return {};
  }
}
