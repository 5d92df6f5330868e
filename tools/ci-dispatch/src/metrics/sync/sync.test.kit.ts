import { join } from "node:path";
import { formatEvent, mergeEvents } from "@skein/delivery-metrics";
import type { DeliveryEvent, PublishRule } from "@skein/delivery-metrics";
import { openRows } from "@skein/github";
import { buildHistory, startFakeGitHub, tempDir } from "@skein/testing";
import type { FakeDelivery, FakeGitHub } from "@skein/testing";
import { folderStore } from "../store/folder-store.js";
import { openLedger } from "../store/ledger.js";
import { readEvents } from "../store/read-store.test.kit.js";
import { openMeter } from "./meter.js";
import { sync } from "./sync.js";
import type { Synced } from "./sync.js";

export const DAY = 86_400_000;
export const RULES: readonly PublishRule[] = [
  { from: "release", tag: "v{version}" },
  { from: "tag", tag: undefined },
  { from: "deployment", environment: "production" },
  { from: "workflow", workflow: "release.yml", job: undefined },
];

export interface SyncWorld extends AsyncDisposable {
  readonly fake: FakeGitHub;
  readonly delivery: FakeDelivery;
  readonly dir: string;
  /** Requests that were made, and those that count. */
  requests(): { readonly all: number; readonly counted: number };
  /** Syncs into a folder as it would be at a moment. */
  syncAt(
    now: number,
    folder: string,
    options?: { readonly budget?: number; readonly since?: number },
  ): Promise<Synced & { readonly notes: readonly string[] }>;
  /** What a folder holds, a line an event. */
  lines(folder: string): Promise<readonly string[]>;
  events(folder: string): Promise<readonly DeliveryEvent[]>;
}

/** A fake GitHub with a repository acme/app that has no past yet. */
export async function syncWorld(): Promise<SyncWorld> {
  const temp = await tempDir();
  const dir = temp.path;
  buildHistory(dir, [{ files: { a: "1" } }]);
  const fake = await startFakeGitHub();
  fake.rateLimit.remaining = 1_000_000;
  const { delivery } = fake.addRepository("acme/app", { dir });
  const events = async (folder: string) =>
    mergeEvents((await readEvents(folderStore(join(dir, folder)))).events);
  return {
    fake,
    delivery,
    dir,
    requests: () => ({
      all: fake.requests.length,
      counted: fake.requests.filter(({ status }) => status !== 304).length,
    }),
    async syncAt(now, folder, { budget, since = now - 42 * DAY } = {}) {
      delivery.clock = now;
      const meter = openMeter(budget);
      const notes: string[] = [];
      const done = await sync({
        rows: openRows({
          baseUrl: fake.url,
          second: 1,
          observe: (usage) => meter.observe(usage),
        }),
        repository: { owner: "acme", name: "app" },
        ledger: await openLedger(folderStore(join(dir, folder))),
        meter,
        now,
        since,
        rules: RULES,
        attribute: (files) => ({ packages: files, owners: ["@acme/web"] }),
        signal: new AbortController().signal,
        wait: undefined,
        show: () => undefined,
        note: (line) => notes.push(line),
      });
      return { ...done, notes };
    },
    events,
    lines: async (folder) => (await events(folder)).map(formatEvent),
    async [Symbol.asyncDispose]() {
      await fake[Symbol.asyncDispose]();
      await temp[Symbol.asyncDispose]();
    },
  };
}
