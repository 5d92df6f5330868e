import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { fillPast } from "./past.test.kit.js";
import { DAY, syncWorld } from "./sync.test.kit.js";

const START = Date.UTC(2026, 0, 5, 7);

test("reading in any portions, by time and by budget, results in the same events", async () => {
  await using world = await syncWorld();
  const past = { seed: 7, pulls: 12, start: START, days: 2, rerunOneOf: 3 };
  fillPast(world.delivery, past);
  const end = START + 7 * DAY;
  const since = START - DAY;
  await world.syncAt(end, "whole", { since });
  const whole = await world.lines("whole");
  expect(whole.length).toBeGreaterThan(200);
  let turn = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: START, max: end }), { maxLength: 4 }),
      fc.array(fc.integer({ min: 1, max: 25 }), { maxLength: 4 }),
      async (cuts, budgets) => {
        const folder = `portion-${turn++}`;
        for (const now of cuts.toSorted((a, b) => a - b))
          await world.syncAt(now, folder, { since });
        for (const budget of budgets)
          await world.syncAt(end, folder, { since, budget });
        await world.syncAt(end, folder, { since });
        expect(await world.lines(folder)).toEqual(whole);
      },
    ),
    { numRuns: 3, seed: 5 },
  );
});

test("at 125 pull requests a day, 5,000 of them fit into an hour, and a day takes at most 100 requests", async () => {
  await using world = await syncWorld();
  const past = { seed: 3, pulls: 375, start: START, days: 3, rerunOneOf: 20 };
  fillPast(world.delivery, past);
  await world.syncAt(START + 2 * DAY, "store");
  const first = world.requests();
  const pulls = world.delivery.pulls.filter(
    ({ openedAt }) => openedAt <= world.delivery.clock,
  );
  expect(pulls.length).toBeGreaterThan(240);
  expect((first.all / pulls.length) * 5000).toBeLessThan(5000);
  await world.syncAt(START + 3 * DAY, "store");
  const second = world.requests();
  expect(second.counted - first.counted).toBeLessThan(100);
  // Nothing has happened since, so most requests get a free answer.
  await world.syncAt(START + 3 * DAY, "store");
  const third = world.requests();
  expect(third.counted - second.counted).toBeLessThan(12);
});

test("a later sync of an older time reads only the missing events", async () => {
  await using world = await syncWorld();
  const past = { seed: 4, pulls: 15, start: START, days: 6, rerunOneOf: 5 };
  fillPast(world.delivery, past);
  const end = START + 9 * DAY;
  await world.syncAt(end, "short", { since: START + 5 * DAY });
  const short = await world.lines("short");
  await world.syncAt(end, "short", { since: START - DAY });
  await world.syncAt(end, "whole", { since: START - DAY });
  const whole = await world.lines("whole");
  expect(short.length).toBeLessThan(whole.length);
  expect(await world.lines("short")).toEqual(whole);
});
