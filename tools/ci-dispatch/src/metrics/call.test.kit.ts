import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { formatEvent } from "@skein/delivery-metrics";
import type { DeliveryEvent } from "@skein/delivery-metrics";
import { runCli } from "@skein/reporting";
import type { Ended } from "../cli.test.kit.js";
import { dispatch } from "../run.js";
import type { DispatchWorld } from "../world.js";

/** Calls `ci-dispatch metrics …` as a function, on 16 February 2026. */
export async function metricsIn(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  let stdout = "";
  let stderr = "";
  const world: DispatchWorld = {
    argv: ["metrics", ...args],
    env,
    cwd,
    stdin: Readable.from([]),
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text) => (stderr += text) },
    now: () => Date.UTC(2026, 1, 16),
    signal: new AbortController().signal,
    node: process,
    pid: process.pid,
    random: () => 0.5,
    unguessable: () => "word",
  };
  const exitCode = await runCli("ci-dispatch", world, dispatch);
  return { exitCode, stdout, stderr };
}

/** Writes events as a store: one plain file and one packed. */
export async function writeStore(
  folder: string,
  events: readonly DeliveryEvent[],
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const lines = events.map(formatEvent);
  const half = Math.floor(lines.length / 2);
  await writeFile(join(folder, "a.ndjson"), lines.slice(0, half).join(""));
  await writeFile(
    join(folder, "b.ndjson.gz"),
    gzipSync(lines.slice(half).join("")),
  );
}
