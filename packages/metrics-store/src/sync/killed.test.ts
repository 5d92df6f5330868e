import { readdir, stat, truncate } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import type { Rows } from "@skein/github";
import { fillPast } from "./past.test.kit.js";
import { DAY, syncWorld, type SyncWorld } from "./sync.test.kit.js";

const START = Date.UTC(2026, 0, 5, 7);

/**
 * Returns rows whose nth request never gets an answer. Its caller does not continue, like a process that was killed
 * there.
 */
function deadAt(nth: number, rows: Rows) {
  let asked = 0;
  let died: () => void = () => undefined;
  const death = new Promise<"died">((resolve) => {
    died = () => resolve("died");
  });
  const next = <T>(ask: () => Promise<T>): Promise<T> => {
    if (++asked < nth) return ask();
    died();
    return new Promise<T>(() => undefined);
  };
  const dying: Rows = {
    get: (...args) => next(() => rows.get(...args)),
    graphql: (...args) => next(() => rows.graphql(...args)),
  };
  return { death, dying };
}

/** Syncs until the nth request, and stops there for ever. */
async function syncAndDie(
  world: SyncWorld,
  nth: number,
  ...[now, folder, turn]: Parameters<SyncWorld["syncAt"]>
): Promise<void> {
  await new Promise<void>((resolve) => {
    void world.syncAt(now, folder, {
      ...turn,
      through(rows) {
        const { death, dying } = deadAt(nth, rows);
        void death.then(() => resolve());
        return dying;
      },
    });
  });
}

// metrics/sync.test.ts kills a real process, at some of its requests.
test("killed at each of its requests in turn, sync continues without losing or duplicating events, and repeats hardly any request", async () => {
  await using world = await syncWorld();
  fillPast(world.delivery, {
    seed: 5,
    pulls: 8,
    start: START,
    days: 0.5,
    rerunOneOf: 12,
  });
  const now = START + DAY;
  const since = START;
  await world.syncAt(now, "whole", { since });
  const whole = await world.lines("whole");
  const requests = world.requests().all;
  expect(requests).toBeGreaterThan(12);
  await world.syncAt(now, "whole", { since });
  const idle = world.requests().all - requests;
  for (let nth = 1; nth <= requests; nth++) {
    const folder = `dead-${nth}`;
    const before = world.requests().all;
    await syncAndDie(world, nth, now, folder, { since });
    await world.syncAt(now, folder, { since });
    expect(await world.lines(folder)).toEqual(whole);
    expect(await world.kept(folder)).toEqual(whole.toSorted());
    expect(await readdir(join(world.dir, folder))).not.toContain(
      "delivery.journal",
    );
    // At most a check for new data, which a further sync makes anyway, and the request that had no answer.
    const made = world.requests().all - before;
    expect(made).toBeLessThanOrEqual(requests + idle);
  }
});

test("killed twice while it records a step, sync repeats only that step", async () => {
  await using world = await syncWorld();
  fillPast(world.delivery, { seed: 6, pulls: 6, start: START, days: 0.5 });
  const now = START + DAY;
  const turn = { since: START };
  await world.syncAt(now, "whole", turn);
  const requests = world.requests().all;
  await syncAndDie(world, 4, now, "store", turn);
  const journal = join(world.dir, "store", "delivery.journal");
  await truncate(journal, (await stat(journal)).size - 9);
  const before = world.requests().all;
  await syncAndDie(world, 5, now, "store", turn);
  await world.syncAt(now, "store", turn);
  expect(await world.lines("store")).toEqual(await world.lines("whole"));
  // The second process sent four requests, and the data that it had read is not read again.
  expect(world.requests().all - before).toBeLessThan(requests + 4);
});
