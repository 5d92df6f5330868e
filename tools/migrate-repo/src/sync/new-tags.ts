import type { TagPlan } from "../migration.js";
import { planTag } from "../names/tag-names.js";
import { tagNamesOf } from "../record/record.js";
import { fetchSource } from "../survey/fetch-source.js";
import type { SyncRequest } from "./sync-request.js";

/** Plans new tags on migrated commits. It fetches the annotated ones. */
export async function planNewTags(
  { quarantine, stored, address, newTags }: SyncRequest,
  isHere: (commit: string) => boolean,
): Promise<readonly TagPlan[]> {
  const { record } = stored;
  const chosen = newTags.filter(({ id, peeled }) => isHere(peeled ?? id));
  const annotated = chosen.filter(({ peeled }) => peeled !== undefined);
  if (annotated.length > 0)
    await fetchSource(quarantine, {
      address,
      branches: [],
      tags: annotated.map(({ name }) => name),
    });
  const { nameOf } = tagNamesOf(
    record,
    newTags.map(({ name }) => name),
  );
  return chosen.map((tag) => planTag(tag, nameOf(tag.name)));
}
