import {
  fetchLfsObjects,
  hasGitLfs,
  NO_LFS_OBJECTS,
  type LfsObjects,
} from "../lfs/lfs.js";
import type { SourceAddress } from "../migration.js";
import type { Quarantine } from "../quarantine/quarantine.js";
import { lfsRemote } from "../names/source-address.js";
import { surveyHistory } from "../survey/history.js";
import type { TargetFacts } from "../survey/target.js";
import type { MissingLfs } from "./pull.js";

/** The objects in Git LFS that pull requests refer to, fetched or missing. */
export interface PullLfs {
  readonly objects: LfsObjects;
  /** Undefined if nothing is missing. */
  readonly missing: MissingLfs | undefined;
}

/**
 * Fetches the objects in Git LFS that the commits of pull requests refer to. If that fails, the branches are carried
 * anyway, because nothing here depends on the objects; the report mentions it.
 * @param heads the heads in the source
 * @param present commits whose histories exist here
 */
export async function bringPullLfs(
  quarantine: Quarantine,
  target: TargetFacts,
  address: SourceAddress,
  heads: readonly string[],
  present: readonly string[],
): Promise<PullLfs> {
  const [head] = heads;
  const pointers =
    head === undefined
      ? []
      : (await surveyHistory(quarantine.git, heads, present, Infinity)).lfs;
  if (head === undefined || pointers.length === 0)
    return { objects: NO_LFS_OBJECTS, missing: undefined };
  const lacking = (files: number, message: string): PullLfs => ({
    objects: NO_LFS_OBJECTS,
    missing: { files, message, from: lfsRemote(address) },
  });
  if (!(await hasGitLfs(quarantine.git)))
    return lacking(pointers.length, "git-lfs is not installed");
  const outcome = await fetchLfsObjects(
    quarantine,
    target,
    address,
    head,
    pointers,
  );
  return outcome.kind === "fetched"
    ? { objects: outcome.objects, missing: undefined }
    : lacking(outcome.pointers.length, outcome.message);
}
