import { Option } from "commander";
import type { Command as Program } from "commander";
import { examples } from "@skein/reporting/command-line";
import { graphFormats } from "../command.js";
import type { Command, GraphFormat } from "../command.js";
import { select, selectOptions } from "./selection.js";
import type { SelectFlags } from "./selection.js";

interface Flags extends SelectFlags {
  readonly format: GraphFormat;
  readonly output?: string;
  readonly affectedOnly?: boolean;
}

/** Declares `graph`. */
export function addGraph(
  program: Program,
  emit: (command: Command) => void,
): void {
  select(
    program
      .command("graph")
      .description("draw the package graph, affected packages marked")
      .addOption(
        new Option("--format <format>", "what to write")
          .choices(graphFormats)
          .default("mermaid"),
      )
      .option("-o, --output <file>", "write it there (default: stdout)")
      .option("--affected-only", "leave out what is not affected"),
  )
    .addHelpText(
      "after",
      examples(
        "affected graph --format html -o graph.html",
        "affected graph --affected-only --base origin/main",
        "affected graph --format dot --filter 'dependencies(@acme/app)'",
      ),
    )
    .action((flags: Flags) =>
      emit({
        kind: "graph",
        options: selectOptions(flags),
        format: flags.format,
        output: flags.output,
        affectedOnly: flags.affectedOnly ?? false,
      }),
    );
}
