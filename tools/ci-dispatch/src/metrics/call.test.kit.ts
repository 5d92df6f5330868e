import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { formatEvent, type DeliveryEvent } from "@skein/delivery-metrics";
import { dispatchIn, type Ended } from "../cli.test.kit.js";

/** Calls `ci-dispatch metrics …`, on 16 February 2026. */
export const metricsIn = (
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> =>
  dispatchIn(cwd, ["metrics", ...args], env, {
    now: () => Date.UTC(2026, 1, 16),
  });

/** Writes events to a store with a plain and a compressed file. */
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
