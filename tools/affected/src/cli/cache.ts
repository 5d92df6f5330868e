import { Argument, Option } from "commander";
import type { Declare } from "@skein/reporting/command-line";
import type { Command } from "../command.js";
import { byteAmount } from "./byte-amount.js";

const VERBS = ["status", "prune", "clear"] as const;

interface Flags {
  readonly maxSize?: number;
  readonly json: boolean;
}

/** Declares `cache`. */
export const addCache: Declare<Command> = (program, emit) => {
  program
    .command("cache")
    .description("show, prune or clear the cache of results")
    .addArgument(
      new Argument(
        "[verb]",
        "`status` shows its folder and size, `prune` deletes the least recently used results, `clear` deletes every result",
      )
        .choices(VERBS)
        .default("status"),
    )
    .addOption(
      new Option(
        "--max-size <size>",
        "for prune: the maximum size afterwards, such as 500MiB (default: the cache's limit)",
      ).argParser(byteAmount),
    )
    .option("--json", "print it as JSON (version 1)", false)
    .examples(
      "affected cache status",
      "affected cache prune --max-size 1GiB",
      "affected cache clear",
    )
    .action((verb: (typeof VERBS)[number], flags: Flags) => {
      emit({
        kind: "cache",
        verb,
        maxBytes: flags.maxSize,
        json: flags.json,
      });
    });
};
