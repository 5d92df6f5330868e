import type { StoredRecord } from "../record/record.js";
import type { SourceLook } from "./look-at-sources.js";

/**
 * Returns whether a record belongs to the source in a manifest. Because repositories move, it compares the address, or
 * else the migrated branches and tags. Two sources may have packages of the same name, and only one of them was
 * migrated.
 */
export function isSameSource(
  { record: { source }, map }: StoredRecord,
  { address, announcement }: SourceLook,
): boolean {
  if (!address || address.fetchFrom === source.fetchFrom) return true;
  if (address.slug !== undefined && address.slug === source.slug) return true;
  return [
    ...(announcement?.branches ?? []),
    ...(announcement?.tags ?? []),
  ].some(({ id, peeled }) => map.has(peeled ?? id));
}
