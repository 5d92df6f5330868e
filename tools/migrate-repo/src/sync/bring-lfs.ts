import {
  fetchLfsObjects,
  hasGitLfs,
  NO_LFS_OBJECTS,
  type LfsObjects,
} from "../lfs/lfs.js";
import type { LfsPointer } from "../lfs/pointers.js";
import { refused, type Refused } from "../refusals/index.js";
import { lfsRemote } from "../names/source-address.js";
import type { SyncRequest } from "./sync-request.js";

/** Fetches objects of Git LFS that the new commits refer to. */
export async function bringLfs(
  request: SyncRequest,
  tip: string,
  pointers: readonly LfsPointer[],
): Promise<
  Refused | { readonly kind: "fetched"; readonly objects: LfsObjects }
> {
  const { address, quarantine, target, world } = request;
  if (pointers.length === 0 || request.allowLfs)
    return { kind: "fetched", objects: NO_LFS_OBJECTS };
  if (!(await hasGitLfs(quarantine.git)))
    return refused({ code: "lfs", pointers, from: lfsRemote(address) });
  if (!request.fetchLfs) return { kind: "fetched", objects: NO_LFS_OBJECTS };
  world.progress.phase("lfs");
  const outcome = await fetchLfsObjects(
    quarantine,
    target,
    address,
    tip,
    pointers,
  );
  return outcome.kind === "fetched"
    ? outcome
    : refused({ code: "lfs-missing", ...outcome });
}
