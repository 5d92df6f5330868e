import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { EventLog, EventParser } from "@skein/delivery-metrics";
import type { Instant, Unread } from "@skein/delivery-metrics";
import {
  count,
  Failure,
  formatNumber,
  printable,
  readRegularFile,
  streamRegularFile,
  usageFailure,
  systemWords,
} from "@skein/reporting";
import { dayOfFile } from "../history/days.js";
import { malformedWords } from "../history/event.js";
import { withToken } from "../history/token.js";
import type { DispatchWorld } from "../world.js";
import type { EventSource } from "./action.js";
import { openProgress } from "./progress.js";
import { eachFile, isEventFile, type StoredFiles } from "@skein/metrics-store";

/** A store whose events can be read several times. */
export interface StoredEvents {
  /** Reads the events before some time into a log. */
  logAt(asOf: Instant): Promise<EventLog>;
  /** The unreadable files and lines, known after the first reading. */
  readonly unread: Unread;
}

/**
 * Opens a folder or the history branch for reading its events. The first reading warns of unreadable files and lines,
 * which are skipped.
 * @throws {Failure} if the folder doesn't exist, is empty, or contains no readable file
 */
export async function openEvents(
  world: DispatchWorld,
  from: EventSource,
): Promise<StoredEvents> {
  const files =
    from.kind === "folder"
      ? await filesOfFolder(resolve(world.cwd, from.path), from.path)
      : await filesOfBranch(world, from);
  let unread: Unread | undefined;
  world.collectEarly();
  return {
    async logAt(asOf) {
      const log = new EventLog(asOf);
      const read = await readFiles(world, files, log);
      unread ??= warnOf(world, read);
      return log;
    },
    get unread() {
      return unread ?? { files: [], lines: 0 };
    },
  };
}

/** Warns of all that could not be read. */
function warnOf(
  { stderr }: Pick<DispatchWorld, "stderr">,
  { whole, broken, cut, later, malformed }: ReadFiles,
): Unread {
  const warn = (words: string) => stderr.write(`warning: ${words}\n`);
  for (const name of broken)
    warn(
      `${printable(name)} is broken; events that only this file holds are missing from every number`,
    );
  if (whole === 0)
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
  if (malformed > 0) warn(malformedWords(malformed));
  const lines = [...later.values()].reduce(
    (sum, each) => sum + each,
    malformed,
  );
  return { files: [...broken, ...cut], lines };
}

interface ReadFiles {
  /** The number of readable files. */
  readonly whole: number;
  readonly broken: readonly string[];
  /** Files that end in the middle of a line. */
  readonly cut: readonly string[];
  /** The number of lines per kind that this version doesn't recognise. */
  readonly later: ReadonlyMap<string, number>;
  readonly malformed: number;
}

/** Reads the files one after the other into a log, and shows the progress. Only a piece of one file is in memory at a time. */
async function readFiles(
  world: Pick<DispatchWorld, "stderr" | "now" | "env">,
  files: StoredFiles,
  log: EventLog,
): Promise<ReadFiles> {
  const broken: string[] = [];
  const cut: string[] = [];
  const later = new Map<string, number>();
  let malformed = 0;
  let whole = 0;
  const total = files.names.filter(isEventFile).length;
  const progress = openProgress(world);
  for await (const { name, pieces } of eachFile(files, isEventFile)) {
    if (!pieces) {
      broken.push(name);
      continue;
    }
    const parser = new EventParser((event) => {
      log.add(event);
    });
    for await (const piece of pieces) {
      parser.add(piece);
      progress.show(
        () =>
          `reading ${formatNumber(whole + broken.length)} of ${count(total, "file")}, ${count(log.size, "event")}`,
      );
    }
    whole++;
    for (const stray of parser.end())
      if (stray.why === "malformed") malformed++;
      else if (stray.why === "cut") cut.push(name);
      else later.set(stray.kind, (later.get(stray.kind) ?? 0) + 1);
  }
  progress.close();
  return { whole, broken, cut, later, malformed };
}

async function filesOfFolder(
  folder: string,
  named: string,
): Promise<StoredFiles> {
  const all = await readdir(folder).catch((error: unknown) => {
    throw usageFailure(`cannot be read: ${systemWords(error)}`, {
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
  return {
    names,
    read: (name) => readRegularFile(join(folder, name)),
    stream: (name) => streamRegularFile(join(folder, name)),
  };
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
    throw usageFailure(`the branch ${branch} of ${remote} contains no events`, {
      hint: "`ci-dispatch metrics sync` writes them; --store names a folder",
    });
  return { ...files, names };
}
