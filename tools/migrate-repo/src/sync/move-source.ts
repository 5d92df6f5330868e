import type { Git } from "@skein/git";
import { Failure, printable } from "@skein/reporting";
import type { CommitMap } from "../history/commit-map.js";
import type { SourceAddress } from "../migration.js";
import type { StoredRecord } from "../record/record.js";
import { explainRefusal } from "../refusals/index.js";
import { listCommits } from "../survey/commits.js";
import { findAddress } from "../survey/find-address.js";

/** A source's current place, if it differs from the record. */
export interface NewPlace {
  /** Its new branch, if that was renamed. */
  readonly ref?: string | undefined;
  /** Its new address, if that changed. */
  readonly source?: string | undefined;
}

/** A record with the source's current place. */
export interface Moved {
  readonly stored: StoredRecord;
  /** Undefined if the record's own address is still right. */
  readonly address: SourceAddress | undefined;
  readonly isMoved: boolean;
}

/**
 * Sets the branch and the address in a record to those that the user gave.
 * @throws {Failure} if the address isn't valid
 */
export async function moveSource(
  stored: StoredRecord,
  { ref, source }: NewPlace,
  cwd: string,
): Promise<Moved> {
  const { record } = stored;
  const address =
    source === undefined ? undefined : await findAddress(source, cwd);
  if (address && "code" in address) {
    const { sentence, hint } = explainRefusal(address);
    throw new Failure(sentence, { hint });
  }
  const next = {
    ...record,
    branch: ref ?? record.branch,
    source: address
      ? { fetchFrom: address.fetchFrom, slug: address.slug }
      : record.source,
  };
  return {
    stored: { ...stored, record: next },
    address,
    isMoved:
      next.branch !== record.branch ||
      next.source.fetchFrom !== record.source.fetchFrom,
  };
}

/**
 * Refuses a repository that shares no commit with the migrated one: its files would be merged over those of another.
 * @param tip its fetched commit
 * @throws {Failure}
 */
export async function checkRelated(
  git: Git,
  map: CommitMap,
  tip: string,
  where: string,
): Promise<void> {
  const commits = await listCommits(git, [tip]);
  if (commits.some((id) => map.has(id))) return;
  throw new Failure(
    `${printable(where)} shares no commit with the migrated one: it is a different repository`,
    {
      hint: "check --source and --ref; to migrate it as another package: migrate-repo add",
    },
  );
}
