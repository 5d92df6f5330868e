import { whole, type Program } from "@skein/reporting/command-line";
import { InvalidArgumentError, Option } from "commander";
import {
  DEFAULT_MINIMUM,
  parseDuration,
  UNTILS,
} from "@skein/delivery-metrics";
import type { Measuring } from "../../metrics/action.js";

import { placeOf, storeOptions, type BranchFlags } from "./place.js";

/** The options that commander passes to the action of a verb that measures. */
export type MeasuringFlags = BranchFlags &
  Omit<Measuring, "from" | "days" | "minimum"> & {
    readonly store?: string;
    readonly window: number;
    readonly min: number;
  };

/** Declares the options of every verb that measures. */
export function measuringFlags(verb: Program): Program {
  return storeOptions(verb.optionsGroup("Where the events are:"))
    .optionsGroup("What is measured:")
    .addOption(
      new Option("--window <span>", "the trailing window: 6w, 30d")
        .argParser(days)
        .default(42, "6w"),
    )
    .option(
      "--as-of <date>",
      "the end of the window: a day, which is included, or a time, in UTC (default: now)",
    )
    .addOption(
      new Option(
        "--until <end>",
        "the event that ends the lead time (default: the last one in the data)",
      ).choices(UNTILS),
    )
    .option("--package <name>", "only pull requests that change this package")
    .option(
      "--team <owner>",
      "only pull requests that change packages of this owner: @acme/web",
    )
    .option("--bots", "include pull requests by bots", false)
    .option(
      "--min <n>",
      "the minimum number of pull requests for percentiles",
      whole,
      DEFAULT_MINIMUM,
    );
}

/** Returns the measurement that the options describe. */
export function measuring(flags: MeasuringFlags): Measuring {
  const { store, window, asOf, until, min, team, bots } = flags;
  return {
    from: placeOf(store, flags),
    days: window,
    asOf,
    until,
    package: flags.package,
    team,
    bots,
    minimum: min,
  };
}

/**
 * Parses a span.
 * @returns milliseconds
 */
export function span(text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined || ms === 0)
    throw new InvalidArgumentError("It must be a span, such as 120m or 6w.");
  return ms;
}

function days(text: string): number {
  const value = span(text) / 86_400_000;
  if (!Number.isInteger(value) || value > 3650)
    throw new InvalidArgumentError(
      "It must be whole days or weeks, such as 30d or 6w.",
    );
  return value;
}
