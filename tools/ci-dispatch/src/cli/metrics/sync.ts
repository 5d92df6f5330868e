import { type Declare, examples, whole } from "@skein/reporting/command-line";
import type { SyncAction } from "../../metrics/action.js";

import { placeOf, placeOptions, type PlaceFlags } from "./place.js";

type Flags = PlaceFlags &
  Omit<SyncAction, "kind" | "to" | "repository"> & { readonly repo?: string };

/** Declares `metrics sync`. */
export const addMetricsSync: Declare<SyncAction> = (metrics, emit) => {
  const verb = metrics
    .command("sync")
    .description(
      "read new data from GitHub, and from npm if skein.json names it: pull requests, pushes, runs with their jobs, publications",
    );
  placeOptions(verb.optionsGroup("Where the events are:"))
    .optionsGroup("What is read:")
    .option(
      "--repo <owner/name>",
      "the repository (default: GITHUB_REPOSITORY, else that of the remote)",
    )
    .option(
      "--since <8w|date>",
      "how far back the first sync reads: hours, days or weeks, or a date",
      "8w",
    )
    .option("--budget <n>", "the maximum number of requests", whole)
    .option("--wait", "wait if this hour's requests are used up", false)
    .optionsGroup("Output:")
    .option("--json", "print the result as JSON (version 1)", false)
    .addHelpText("after", EXAMPLES)
    .action((flags: Flags) =>
      emit({
        kind: "sync",
        to: placeOf(flags.to, flags),
        repository: flags.repo,
        since: flags.since,
        budget: flags.budget,
        wait: flags.wait,
        json: flags.json,
      }),
    );
};

const EXAMPLES = `${examples(
  "ci-dispatch metrics sync                to the branch ci-history of origin",
  "ci-dispatch metrics sync --budget 900   for the 1,000 requests of a workflow",
  "ci-dispatch metrics sync --repo acme/app --to events --since 6w",
)}

It needs GITHUB_TOKEN with read access to contents, pull-requests and actions,
and, for deployments, to deployments. If it is interrupted, the next sync
continues where it stopped.`;
