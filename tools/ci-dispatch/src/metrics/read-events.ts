import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseEvents } from "@skein/delivery-metrics";
import type { DeliveryEvent } from "@skein/delivery-metrics";
import { count, printable, usageFailure } from "@skein/reporting";
import { dayOfFile } from "../history/days.js";
import { unpack } from "../history/read-files.js";
import { withToken } from "../history/token.js";
import type { DispatchWorld } from "../world.js";
import type { EventSource } from "./action.js";

/**
 * Reads all events of a folder or of the history branch. What is no event is counted and said.
 * @throws {Failure} where there is no such folder, or nothing in it
 */
export async function readEvents(
  world: DispatchWorld,
  from: EventSource,
): Promise<readonly DeliveryEvent[]> {
  const events: DeliveryEvent[] = [];
  const later = new Map<string, number>();
  let malformed = 0;
  for await (const text of from.kind === "folder"
    ? textsOfFolder(resolve(world.cwd, from.path), from.path)
    : textsOfBranch(world, from)) {
    const parsed = parseEvents(text);
    for (const event of parsed.events) events.push(event);
    for (const stray of parsed.strays)
      if (stray.why === "malformed") malformed++;
      else later.set(stray.kind, (later.get(stray.kind) ?? 0) + 1);
  }
  for (const [kind, lines] of later)
    world.stderr.write(
      `warning: ${count(lines, "event")} of the kind ${printable(kind)}, which this version does not know, ${lines === 1 ? "is" : "are"} passed over\n`,
    );
  if (malformed > 0)
    world.stderr.write(
      `warning: ${count(malformed, "line")} that ${malformed === 1 ? "is no event is" : "are no events are"} passed over\n`,
    );
  return events;
}

const EVENT_FILE = /\.ndjson(\.gz)?$/;

async function* textsOfFolder(
  folder: string,
  named: string,
): AsyncIterable<string> {
  const names = await readdir(folder).catch((error: unknown) => {
    throw usageFailure(`cannot be read: ${(error as Error).message}`, {
      place: { file: named },
      hint: "name a folder of .ndjson or .ndjson.gz files",
    });
  });
  const files = names.filter((name) => EVENT_FILE.test(name)).sort();
  if (files.length === 0)
    throw usageFailure("there is no .ndjson or .ndjson.gz file in it", {
      place: { file: named },
      hint: "`ci-dispatch metrics sync` writes them",
    });
  for (const name of files)
    yield await unpack(await readFile(join(folder, name)), join(named, name));
}

async function* textsOfBranch(
  world: DispatchWorld,
  { remote, branch }: { readonly remote: string; readonly branch: string },
): AsyncIterable<string> {
  // A folder is read without git, whose libraries take as long to load as a small store.
  const { openRepository } = await import("@skein/git");
  const { blob, fetchTip } = await import("../history/branch.js");
  const { git } = await openRepository({
    ...world,
    env: withToken(world.env),
  });
  const ref = `refs/heads/${branch}`;
  const tip = await fetchTip(git, { remote, ref });
  const files = [...tip.files]
    // The durations of units live on the same branch.
    .filter(([name]) => EVENT_FILE.test(name) && dayOfFile(name) === undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  if (files.length === 0)
    throw usageFailure(`${ref} of ${remote} holds no events`, {
      hint: "`ci-dispatch metrics sync` writes them; --store names a folder",
    });
  for (const [name, id] of files) yield await unpack(await blob(git, id), name);
}
