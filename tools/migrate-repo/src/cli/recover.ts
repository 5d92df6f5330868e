import type { Command as Program } from "commander";
import type { Command } from "../command.js";
import { examples } from "@skein/reporting/command-line";

/** Declares `continue` and `abort`. */
export function defineRecover(
  program: Program,
  choose: (command: Command) => void,
): void {
  program
    .command("continue")
    .description("Goes on after a conflict was resolved, or after a crash.")
    .addHelpText(
      "after",
      examples("git add -A && migrate-repo continue", "migrate-repo continue"),
    )
    .action(() => {
      choose({ kind: "continue" });
    });
  program
    .command("abort")
    .description(
      "Takes an unfinished migration or sync back; the workspace is as it was.",
    )
    .addHelpText(
      "after",
      examples("migrate-repo abort", "migrate-repo abort && git status"),
    )
    .action(() => {
      choose({ kind: "abort" });
    });
}
