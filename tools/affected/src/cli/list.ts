import type { Command as Program } from "commander";
import { examples } from "@skein/reporting/command-line";
import type { Command } from "../command.js";
import { LIST_FLAGS } from "./select-flags.js";
import { declareFlags, SCRIPT, select, selectOptions } from "./selection.js";
import type { SelectFlags } from "./selection.js";

interface Flags extends SelectFlags {
  readonly script?: string;
  readonly table?: boolean;
  readonly json?: boolean;
  readonly evidence?: readonly string[];
}

/** Declares `list`. */
export function addList(
  program: Program,
  emit: (command: Command) => void,
): void {
  const list = program
    .command("list")
    .description("print the affected packages, one name per line")
    .optionsGroup("Which packages:")
    .option(...SCRIPT)
    .option(
      "--evidence <file>",
      "use the evidence in this file instead of this clone's, as far as affected.evidence allows; may be repeated, newest last",
      (file: string, files: readonly string[] | undefined) => [
        ...(files ?? []),
        file,
      ],
    );
  select(declareFlags(list.optionsGroup("Output:"), LIST_FLAGS))
    .addHelpText(
      "after",
      examples(
        "affected list",
        "affected list --base origin/main --committed --json",
        "affected list --script test --table",
        "affected list --pr acme/shop#42",
        "git diff --name-only -z HEAD~3 | affected list --files-from -",
      ),
    )
    .action((flags: Flags) =>
      emit({
        kind: "list",
        options: selectOptions(flags),
        script: flags.script,
        evidence: flags.evidence,
        format: flags.json ? "json" : flags.table ? "table" : "names",
      }),
    );
}
