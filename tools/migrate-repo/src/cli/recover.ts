import type { Command as Program } from "commander";
import type { Command } from "../command.js";
import { examples } from "@skein/reporting/command-line";
import { JSON_EVENTS } from "./json-option.js";

/** Declares `continue` and `abort`. */
export function defineRecover(
  program: Program,
  choose: (command: Command) => void,
): void {
  program
    .command("continue")
    .description(
      "continue after you have resolved a conflict, or after a crash",
    )
    .option(...JSON_EVENTS)
    .addHelpText(
      "after",
      examples("git add -A && migrate-repo continue", "migrate-repo continue"),
    )
    .action(({ json }: { json: boolean }) => {
      choose({ kind: "continue", json });
    });
  program
    .command("abort")
    .description(
      "undo an unfinished migration or sync, and restore the workspace",
    )
    .option(...JSON_EVENTS)
    .addHelpText(
      "after",
      examples("migrate-repo abort", "migrate-repo abort && git status"),
    )
    .action(({ json }: { json: boolean }) => {
      choose({ kind: "abort", json });
    });
}
