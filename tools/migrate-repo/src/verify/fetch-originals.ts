import type { SourceAddress } from "../migration.js";
import type { Quarantine } from "../quarantine/quarantine.js";
import type { StoredRecord } from "../record/record.js";
import { announce } from "../survey/announcement.js";
import { presentObjects } from "../survey/commits.js";
import { fetchSource } from "../survey/fetch-source.js";

/**
 * Fetches originals that weren't kept into the quarantine. It fetches the migrated branch, and the branches and tags
 * that were migrated with it, if the source still has them.
 * @throws {SourceError} if git can't reach the source
 */
export async function fetchOriginals(
  quarantine: Quarantine,
  address: SourceAddress,
  { record, map }: StoredRecord,
): Promise<undefined> {
  const wanted = [...map].flatMap(({ old, new: id }) =>
    id === undefined ? [] : [old],
  );
  const kept = await presentObjects(quarantine.git, "commit", wanted);
  if (kept.length === wanted.length) return undefined;
  const announcement = await announce(quarantine.git, address);
  const made = new Set(
    [...record.madeBranches, ...record.madeTags].map(({ from }) => from),
  );
  await fetchSource(quarantine, {
    address,
    branches: announcement.branches
      .map(({ name }) => name)
      .filter(
        (name) => name === record.branch || made.has(`refs/heads/${name}`),
      ),
    tags: announcement.tags
      .map(({ name }) => name)
      .filter((name) => made.has(`refs/tags/${name}`)),
  });
  return undefined;
}
