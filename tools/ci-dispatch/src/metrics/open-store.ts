import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openRepository } from "@skein/git";
import type { EventSource } from "./action.js";
import { withToken } from "../history/token.js";
import type { DispatchWorld } from "../world.js";
import { branchStore } from "./branch-store.js";
import { folderStore, type EventStore } from "@skein/metrics-store";

/**
 * Opens the store of events.
 * @throws {RepositoryError} for a branch if the current folder isn't in a repository
 */
export async function openStore(
  world: DispatchWorld,
  place: EventSource,
): Promise<EventStore> {
  if (place.kind === "folder")
    return folderStore(resolve(world.cwd, place.path));
  const { git, commonDir } = await openRepository({
    ...world,
    env: withToken(world.env),
  });
  const branch = { remote: place.remote, ref: `refs/heads/${place.branch}` };
  return branchStore(git, commonDir, branch, {
    sleep: (ms) => sleep(ms),
    random: world.random,
  });
}
