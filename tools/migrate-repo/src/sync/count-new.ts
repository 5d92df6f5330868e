import type { Quarantine } from "../quarantine.js";
import type { StoredRecord } from "../record.js";
import type { SourceAddress } from "../migration.js";
import { presentObjects } from "../survey/commits.js";
import { fetchSource } from "../survey/fetch-source.js";

/**
 * How many commits a sync would bring: those of the source's branch that neither the map knows nor what was merged leads
 * to. Fetches them into the quarantine.
 * @throws {SourceError} when git cannot reach the source or refuses an object
 */
export async function countNew(
  quarantine: Quarantine,
  address: SourceAddress,
  { record, map }: StoredRecord,
): Promise<number> {
  const { git } = quarantine;
  const fetched = await fetchSource(quarantine, {
    address,
    branches: [record.branch],
    tags: [],
  });
  const tip = fetched?.get(record.branch);
  if (tip === undefined) return 0;
  const known = await presentObjects(git, "commit", record.tips);
  const { stdout } = await git.run(["rev-list", "--stdin"], {
    input: [tip, ...known.map((id) => `^${id}`), ""].join("\n"),
  });
  return stdout
    .toString("latin1")
    .split("\n")
    .filter((id) => id !== "" && !map.has(id)).length;
}
