import {
  ExitCode,
  count,
  formatBytes,
  printable,
  usageFailure,
} from "@skein/reporting";
import type { StoreSize } from "@skein/result-cache";
import type { Command } from "../command.js";
import { boundOf, openStore } from "../cache/run-cache.js";
import type { AffectedWorld } from "../world.js";

/** Runs `affected cache status|prune|clear`. */
export function runCache(
  world: AffectedWorld,
  { verb, maxBytes, json }: Extract<Command, { kind: "cache" }>,
): number {
  const store = openStore(world);
  if (!store)
    throw usageFailure("there is no home folder to store results in", {
      hint: "set SKEIN_CACHE_DIR",
    });
  const bound = boundOf(world.env);
  const before = store.size();
  if (verb === "prune") store.prune(maxBytes ?? bound);
  if (verb === "clear") store.clear();
  const after = verb === "status" ? before : store.size();
  const answer = {
    version: 1,
    folder: store.folder,
    results: after.results,
    files: after.files,
    bytes: after.bytes,
    boundBytes: bound,
    oldestUse:
      after.oldest === undefined ? null : new Date(after.oldest).toISOString(),
    deletedFiles: before.files - after.files,
    deletedBytes: before.bytes - after.bytes,
  };
  world.stdout.write(
    json
      ? `${JSON.stringify(answer, null, 2)}\n`
      : `${printable(store.folder)}: ${sizeWords(after)} of at most ${formatBytes(bound)}\n${verb === "status" ? "" : `deleted: ${count(answer.deletedFiles, "file")}, ${formatBytes(answer.deletedBytes)}\n`}`,
  );
  return ExitCode.Ok;
}

function sizeWords({ results, files, bytes }: StoreSize): string {
  return `${count(results, "result")}, ${count(files, "file")}, ${formatBytes(bytes)}`;
}
