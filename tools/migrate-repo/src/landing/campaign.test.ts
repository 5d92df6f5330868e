import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { buildWorlds, type Worlds } from "./campaign-worlds.test.kit.js";
import {
  killAndRecover,
  randomFrom,
  runnerInProcess,
} from "./campaign.test.kit.js";

let worlds: Worlds;
beforeAll(async () => {
  worlds = await buildWorlds(false);
});
afterAll(async () => worlds[Symbol.asyncDispose]());

/** Two seeds for each command. `scripts/measure/kill-migrate.mjs` runs more, with registration, and kills real processes. */
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

test.each(SEEDS)(
  "killed at any step while someone works: nothing is lost, nothing is stuck (seed %i)",
  async (seed) => {
    const command = worlds.commands[seed % worlds.commands.length];
    if (!command) throw new Error("there are commands");
    await worlds.restore(command);
    const { story, wrong } = await killAndRecover(
      worlds.pair.target,
      command,
      runnerInProcess(worlds.pair),
      randomFrom(seed),
    );
    expect({ story, wrong }).toEqual({ story, wrong: [] });
  },
);
