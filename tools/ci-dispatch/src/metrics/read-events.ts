import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseEvents, SharedText } from "@skein/delivery-metrics";
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
import { openReadProgress } from "./read-progress.js";
import { eachText, isEventFile } from "@skein/metrics-store";
import type { StoredFiles } from "@skein/metrics-store";

/** The events of a store, and its unreadable files and lines. */
export interface ReadEvents {
  readonly events: readonly DeliveryEvent[];
  readonly unread: Unread;
}

/**
 * Reads all events of a folder or of the history branch. Unreadable files and lines are reported and skipped.
 * @throws {Failure} if the folder doesn't exist, is empty, or contains no readable file
 */
export async function readEvents(
  world: DispatchWorld,
  from: EventSource,
): Promise<ReadEvents> {
  const files =
    from.kind === "folder"
      ? await filesOfFolder(resolve(world.cwd, from.path), from.path)
      : await filesOfBranch(world, from);
  const read = await readFiles(world, files);
  const { broken, cut, later, malformed } = read;
  const warn = (words: string) => world.stderr.write(`warning: ${words}\n`);
  for (const name of broken)
    warn(
      `${printable(name)} is broken; events that only this file holds are missing from every number`,
    );
  if (read.whole === 0)
    throw new Failure("no file of events can be read", {
      hint: "take them from a copy, or from an earlier commit of the branch",
    });
  for (const name of cut)
    warn(
      `${printable(name)} ends in the middle of a line; the events that followed are missing from every number`,
    );
  for (const [kind, lines] of later)
    warn(
      `skipped ${count(lines, "line")} of the kind ${printable(kind)}, which this version doesn't recognize`,
    );
  if (malformed > 0)
    warn(
      `skipped ${malformed === 1 ? "1 line that isn't an event" : `${count(malformed, "line")} that aren't events`}`,
    );
  const lines = [...later.values()].reduce(
    (sum, each) => sum + each,
    malformed,
  );
  return { events: read.events, unread: { files: [...broken, ...cut], lines } };
}

interface ReadFiles {
  readonly events: readonly DeliveryEvent[];
  /** The number of readable files. */
  readonly whole: number;
  readonly broken: readonly string[];
  /** Files that end in the middle of a line. */
  readonly cut: readonly string[];
  /** The number of lines per kind that this version doesn't recognise. */
  readonly later: ReadonlyMap<string, number>;
  readonly malformed: number;
}

/** Reads the files one after the other and shows the progress. Only the text of one file is in memory at a time. */
async function readFiles(
  world: Pick<DispatchWorld, "stderr" | "now" | "env">,
  files: StoredFiles,
): Promise<ReadFiles> {
  const events: DeliveryEvent[] = [];
  const broken: string[] = [];
  const cut: string[] = [];
  const later = new Map<string, number>();
  let malformed = 0;
  let whole = 0;
  const shared = new SharedText();
  const total = files.names.filter(isEventFile).length;
  const progress = openReadProgress(world, total);
  for await (const { name, text } of eachText(files, isEventFile)) {
    progress.show(whole + broken.length, events.length);
    if (text === undefined) {
      broken.push(name);
      continue;
    }
    whole++;
    const parsed = parseEvents(text, shared);
    for (const event of parsed.events) events.push(event);
    for (const stray of parsed.strays)
      if (stray.why === "malformed") malformed++;
      else if (stray.why === "cut") cut.push(name);
      else later.set(stray.kind, (later.get(stray.kind) ?? 0) + 1);
  }
  progress.close();
  return { events, whole, broken, cut, later, malformed };
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
  // Folders are read without git: loading its libraries takes as long as loading a small store.
  const { openRepository } = await import("@skein/git");
  const { askForTip } = await import("../history/branch.js");
  const { filesOf } = await import("./branch-store.js");
  const { git } = await openRepository({
    ...world,
    env: withToken(world.env),
  });
  const ref = `refs/heads/${branch}`;
  const files = filesOf(git, await askForTip(git, { remote, ref }));
  const names = files.names.filter(
    // The same branch also stores the durations of units.
    (name) => isEventFile(name) && dayOfFile(name) === undefined,
  );
  if (names.length === 0)
    throw usageFailure(`${ref} of ${remote} holds no events`, {
      hint: "`ci-dispatch metrics sync` writes them; --store names a folder",
    });
  return { ...files, names };
}
