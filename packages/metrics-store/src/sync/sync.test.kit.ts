import { join } from "node:path";
import { formatEvent, mergeEvents } from "@skein/delivery-metrics";
import type { DeliveryEvent, MeasuringRules } from "@skein/delivery-metrics";
import { openRows, type Rows } from "@skein/github";
import { buildHistory, startFakeGitHub, tempDir } from "@skein/testing";
import type { FakeDelivery, FakeGitHub } from "@skein/testing";
import { folderStore } from "../store/folder-store.js";
import { openLedger } from "../store/ledger.js";
import { readEvents } from "../store/read-store.test.kit.js";
import { openMeter } from "./meter.js";
import { openRegistry } from "./registry.js";
import { sync, type Synced } from "./sync.js";

export const DAY = 86_400_000;
export const RULES: MeasuringRules = {
  upgrades: [],
  publish: [
    { from: "release", tag: "v{version}" },
    { from: "tag", tag: undefined },
    { from: "deployment", environment: "production" },
    { from: "workflow", workflow: "release.yml", job: undefined },
  ],
};

interface SyncTurn {
  readonly budget?: number;
  readonly since?: number;
  readonly rules?: MeasuringRules;
  /** Default: `acme/app`. */
  readonly repository?: string;
  /** Wraps GitHub's rows. */
  readonly through?: (rows: Rows) => Rows;
}

export interface SyncWorld extends AsyncDisposable {
  readonly fake: FakeGitHub;
  readonly delivery: FakeDelivery;
  readonly dir: string;
  /** Returns the number of requests that were made, and of those that count. */
  requests(): { readonly all: number; readonly counted: number };
  /** Syncs into a folder as of a point in time. */
  syncAt(
    now: number,
    folder: string,
    turn?: SyncTurn,
  ): Promise<Synced & { readonly notes: readonly string[] }>;
  /** Returns the events of a folder, one per line. */
  lines(folder: string): Promise<readonly string[]>;
  /** Returns all lines that were written, including superseded versions. */
  kept(folder: string): Promise<readonly string[]>;
  events(folder: string): Promise<readonly DeliveryEvent[]>;
}

/** Creates a fake GitHub with a repository acme/app without a past. */
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
    async syncAt(now, folder, turn = {}) {
      const { budget, since = now - 42 * DAY, rules = RULES } = turn;
      const { repository = "acme/app", through = (all: Rows) => all } = turn;
      const [owner = "", name = ""] = repository.split("/");
      delivery.clock = now;
      const meter = openMeter(budget);
      const notes: string[] = [];
      const rows = openRows({
        baseUrl: fake.url,
        second: 1,
        observe: (usage) => meter.observe(usage),
      });
      const ledger = await openLedger(folderStore(join(dir, folder)));
      notes.push(...ledger.notes);
      const done = await sync({
        rows: through(rows),
        repository: { owner, name },
        ledger,
        meter,
        now,
        since,
        rules,
        configuration: ["skein.json", ".github/workflows"],
        registry: openRegistry({ second: 1 }),
        attribute: (files) => ({ packages: files, owners: ["@acme/web"] }),
        signal: new AbortController().signal,
        wait: undefined,
        show: () => undefined,
        note: (line) => notes.push(line),
      });
      return { ...done, notes };
    },
    events,
    kept: async (folder) =>
      (await readEvents(folderStore(join(dir, folder)))).events
        .map(formatEvent)
        .sort(),
    lines: async (folder) => (await events(folder)).map(formatEvent),
    async [Symbol.asyncDispose]() {
      await fake[Symbol.asyncDispose]();
      await temp[Symbol.asyncDispose]();
    },
  };
}
