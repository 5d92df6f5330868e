import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { migrate, type Pair, type Ran } from "../migrate.test.kit.js";

/** One occurrence of a step of a landing. */
export interface Moment {
  readonly step: string;
  /** Counts from 0. Default: 0. */
  readonly nth?: number;
}

/**
 * Runs a command, and leaves the workspace as if the command and its git got a kill -9 at a moment: with locks, journal
 * and all moves up to then. It copies the folder at that moment, and later replaces the folder by the copy.
 * @returns whether the command reached that moment; if not, it has run to its end
 */
export async function killedAt(
  pair: Pair,
  { step, nth = 0 }: Moment,
  argv: readonly string[],
): Promise<boolean> {
  const copy = `${pair.target}.killed`;
  await meanwhile(pair, { step, nth }, argv, () => {
    spawnSync("cp", ["-a", pair.target, copy]);
  });
  if (!existsSync(copy)) return false;
  await rm(pair.target, { recursive: true, maxRetries: 3 });
  await rename(copy, pair.target);
  return true;
}

/** Runs a command, and calls a function at one moment, for another user's action. */
export async function meanwhile(
  pair: Pair,
  { step, nth = 0 }: Moment,
  argv: readonly string[],
  work: () => void,
): Promise<Ran> {
  let seen = 0;
  return migrate(pair.target, argv, {
    checkpoint: (at) => {
      if (at === step && seen++ === nth) work();
    },
  });
}
