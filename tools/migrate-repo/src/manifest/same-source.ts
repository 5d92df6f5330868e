import type { StoredRecord } from "../record/record.js";
import type { SourceLook } from "./look-at-sources.js";

/**
 * Returns whether a record is of the source that a manifest names: by its address, or by a branch or tag of it that
 * came along,
 * for repositories move. Two sources may hold packages of one name, and only one of them was migrated.
 */
export function isSameSource(
  { record: { source }, map }: StoredRecord,
  { address, said }: SourceLook,
): boolean {
  if (!address || address.fetchFrom === source.fetchFrom) return true;
  if (address.slug !== undefined && address.slug === source.slug) return true;
  return [...(said?.branches ?? []), ...(said?.tags ?? [])].some(
    ({ id, peeled }) => map.has(peeled ?? id),
  );
}
