import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { migrate, type Pair, type Ran } from "../migrate.test.kit.js";

/** A step of a landing, and which of its occurrences. */
export interface Moment {
  readonly step: string;
  /** From 0. Default: 0. */
  readonly nth?: number;
}

/**
 * Runs a command and leaves the workspace as a kill -9 of it and of its git would at a moment: with its locks, its journal
 * and whatever had moved by then. (What is copied is the folder at that moment; afterwards the copy takes its place.)
 * @returns whether it came to that moment; where it did not, it has run to its end
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

/** Runs a command during which somebody else does something at a moment. */
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
