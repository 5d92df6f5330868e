import type { Declare } from "@skein/reporting/command-line";
import type { Command, Fields, SelectOptions } from "../command.js";
import { LIST_FLAGS } from "./select-flags.js";
import { declareFlags, SCRIPT, select, splitOptions } from "./selection.js";

type Flags = SelectOptions &
  Omit<Fields<"list">, "format"> &
  Readonly<Record<"json" | "table", boolean>>;

/** Declares `list`. */
export const addList: Declare<Command> = (program, emit) => {
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
    .examples(
      "affected list",
      "affected list --base origin/main --committed --json",
      "affected list --script test --table",
      "affected list --pr acme/shop#42",
      "git diff --name-only -z HEAD~3 | affected list --files-from -",
    )
    .action((flags: Flags) => {
      const [options, { script, evidence, json, table }] = splitOptions(flags);
      const format = json ? "json" : table ? "table" : "names";
      emit({ kind: "list", options, script, evidence, format });
    });
};
