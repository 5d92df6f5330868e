import { type Declare, examples } from "@skein/reporting/command-line";
import type { MetricsAction } from "../../metrics/action.js";
import { measuring, measuringFlags, type MeasuringFlags } from "./measuring.js";

type Flags = MeasuringFlags & {
  readonly stages: boolean;
  readonly json: boolean;
};

/** Declares `metrics compare`. */
export const addMetricsCompare: Declare<MetricsAction> = (metrics, emit) => {
  measuringFlags(
    metrics
      .command("compare")
      .description(
        "compare before and after: the change in every P90, in percent",
      )
      .argument("<before>", SIDES)
      .argument("<after...>", "one or more of the same kinds"),
  )
    .optionsGroup("Output:")
    .option(
      "--stages",
      "add up stage P90s, as LinkedIn's model did, although P90s do not add up",
      false,
    )
    .option("--json", "print the changes as JSON (version 1)", false)
    .addHelpText("after", EXAMPLES)
    .action((before: string, after: readonly string[], flags: Flags) =>
      emit({
        kind: "compare",
        measuring: measuring(flags),
        before,
        after,
        stages: flags.stages,
        json: flags.json,
      }),
    );
};

const SIDES =
  "the day or time at which a window ends; a folder of events, or folder@day; a report's JSON; a stage table";
const EXAMPLES = `${examples(
  "ci-dispatch metrics compare 2025-11-30 2026-01-31",
  "ci-dispatch metrics compare old-repositories@2025-11-30 events --window 12w",
  "ci-dispatch metrics compare before.json predicted.json reached.json --stages",
)}

A stage table is JSON:
  { "version": 1, "stages": { "package tests": "18.63 min" } }`;
