import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { fillPast } from "./past.test.kit.js";
import { DAY, syncWorld } from "./sync.test.kit.js";

const START = Date.UTC(2026, 0, 5, 7);

test("a broken day is reported and stays unchanged, and sync reads it again from GitHub, once", async () => {
  await using world = await syncWorld();
  fillPast(world.delivery, { seed: 8, pulls: 12, start: START, days: 2 });
  const now = START + 4 * DAY;
  const turn = async () => {
    const before = world.requests().all;
    const { notes, stopped } = await world.syncAt(now, "store", {
      since: START,
    });
    expect(stopped).toBeUndefined();
    return { notes, requests: world.requests().all - before };
  };
  await turn();
  const whole = await world.lines("store");
  const idle = await turn();
  const names = await readdir(join(world.dir, "store"));
  const name = names.find((each) => each.startsWith("delivery-2026-01-06"));
  const file = join(world.dir, "store", name ?? "");
  await writeFile(file, "cut");
  expect((await world.lines("store")).length).toBeLessThan(whole.length);

  const repaired = await turn();
  expect(repaired.notes).toEqual([
    `${name} is broken and was skipped`,
    "a stored file is damaged: sync reads everything that GitHub still has of acme/app since 2026-01-05 again",
  ]);
  expect(await world.lines("store")).toEqual(whole);
  const last = await turn();
  expect(last.notes).toEqual([`${name} is broken and was skipped`]);
  expect(last.requests).toBe(idle.requests);
});
