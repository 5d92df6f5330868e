import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseEvents } from "@skein/delivery-metrics";
import type { DeliveryEvent, Unread } from "@skein/delivery-metrics";
import {
  count,
  Failure,
  printable,
  readRegularFile,
  usageFailure,
} from "@skein/reporting";
import { dayOfFile } from "../history/days.js";
import { withToken } from "../history/token.js";
import type { DispatchWorld } from "../world.js";
import type { EventSource } from "./action.js";
import { readTexts } from "./store/day-files.js";
import { isEventFile } from "./store/packed.js";
import type { StoredFiles } from "./store/store.js";

/** The events of a store, and what of it could not be read. */
export interface ReadEvents {
  readonly events: readonly DeliveryEvent[];
  readonly unread: Unread;
}

/**
 * Reads all events of a folder or of the history branch. What cannot be read is passed over, and said aloud.
 * @throws {Failure} where there is no such folder, nothing in it, or nothing that can be read
 */
export async function readEvents(
  world: DispatchWorld,
  from: EventSource,
): Promise<ReadEvents> {
  const files =
    from.kind === "folder"
      ? await filesOfFolder(resolve(world.cwd, from.path), from.path)
      : await filesOfBranch(world, from);
  const { texts, broken } = await readTexts(files, isEventFile);
  const cut: string[] = [];
  const warn = (words: string) => world.stderr.write(`warning: ${words}\n`);
  for (const name of broken)
    warn(
      `${printable(name)} is broken; what it alone held is missing from every number`,
    );
  if (texts.length === 0)
    throw new Failure("no file of events can be read", {
      hint: "take them from a copy, or from an earlier commit of the branch",
    });
  const events: DeliveryEvent[] = [];
  const later = new Map<string, number>();
  let malformed = 0;
  for (const { name, text } of texts) {
    const parsed = parseEvents(text);
    for (const event of parsed.events) events.push(event);
    for (const stray of parsed.strays)
      if (stray.why === "malformed") malformed++;
      else if (stray.why === "cut") cut.push(name);
      else later.set(stray.kind, (later.get(stray.kind) ?? 0) + 1);
  }
  for (const name of cut)
    warn(
      `${printable(name)} ends in the middle of a line; the events that followed are missing from every number`,
    );
  for (const [kind, lines] of later)
    warn(
      `${count(lines, "line")} of the kind ${printable(kind)}, which this version does not know, ${lines === 1 ? "is" : "are"} passed over`,
    );
  if (malformed > 0)
    warn(
      `${count(malformed, "line")} that ${malformed === 1 ? "is no event is" : "are no events are"} passed over`,
    );
  const lines = [...later.values()].reduce(
    (sum, each) => sum + each,
    malformed,
  );
  return { events, unread: { files: [...broken, ...cut], lines } };
}

async function filesOfFolder(
  folder: string,
  named: string,
): Promise<StoredFiles> {
  const all = await readdir(folder).catch((error: unknown) => {
    throw usageFailure(`cannot be read: ${(error as Error).message}`, {
      place: { file: named },
      hint: "name a folder of .ndjson, .ndjson.gz or .ndjson.br files",
    });
  });
  const names = all.filter(isEventFile);
  if (names.length === 0)
    throw usageFailure("there is no file of events in it", {
      place: { file: named },
      hint: "`ci-dispatch metrics sync` writes them",
    });
  return { names, read: (name) => readRegularFile(join(folder, name)) };
}

async function filesOfBranch(
  world: DispatchWorld,
  { remote, branch }: { readonly remote: string; readonly branch: string },
): Promise<StoredFiles> {
  // A folder is read without git, whose libraries take as long to load as a small store.
  const { openRepository } = await import("@skein/git");
  const { askForTip } = await import("../history/branch.js");
  const { filesOf } = await import("./store/branch-store.js");
  const { git } = await openRepository({
    ...world,
    env: withToken(world.env),
  });
  const ref = `refs/heads/${branch}`;
  const files = filesOf(git, await askForTip(git, { remote, ref }));
  const names = files.names.filter(
    // The durations of units live on the same branch.
    (name) => isEventFile(name) && dayOfFile(name) === undefined,
  );
  if (names.length === 0)
    throw usageFailure(`${ref} of ${remote} holds no events`, {
      hint: "`ci-dispatch metrics sync` writes them; --store names a folder",
    });
  return { ...files, names };
}
