import type { SourceAddress } from "../migration.js";
import type { Quarantine } from "../quarantine/quarantine.js";
import type { StoredRecord } from "../record/record.js";
import { announce } from "../survey/announcement.js";
import { presentObjects } from "../survey/commits.js";
import { fetchSource } from "../survey/fetch-source.js";

/**
 * Brings originals that were not kept into the quarantine, as far as the source still has what leads to them: the branch
 * that was migrated, and the branches and tags that came with it.
 * @throws {SourceError} when git cannot reach the source
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
  const said = await announce(quarantine.git, address);
  const made = new Set(
    [...record.madeBranches, ...record.madeTags].map(({ from }) => from),
  );
  await fetchSource(quarantine, {
    address,
    branches: said.branches
      .map(({ name }) => name)
      .filter(
        (name) => name === record.branch || made.has(`refs/heads/${name}`),
      ),
    tags: said.tags
      .map(({ name }) => name)
      .filter((name) => made.has(`refs/tags/${name}`)),
  });
  return undefined;
}
