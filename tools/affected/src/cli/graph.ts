import { extname } from "node:path";
import { Option, type Command as Program } from "commander";
import { examples } from "@skein/reporting/command-line";
import { graphFormats, type Command, type GraphFormat } from "../command.js";
import { select, selectOptions, type SelectFlags } from "./selection.js";

interface Flags extends SelectFlags {
  readonly format?: GraphFormat;
  readonly output?: string;
  readonly affectedOnly?: boolean;
  readonly open?: boolean;
  readonly tasks?: string;
}

/** Declares `graph`. */
export function addGraph(
  program: Program,
  emit: (command: Command) => void,
): void {
  select(
    program
      .command("graph")
      .description("draw the package graph, with affected packages marked")
      .optionsGroup("Output:")
      .addOption(
        new Option(
          "--format <format>",
          "what to write (default: by the ending of the output file, else mermaid)",
        ).choices(graphFormats),
      )
      .option("-o, --output <file>", "where to write it (default: stdout)")
      .addOption(
        new Option("--open", "open it as a page in the browser").conflicts(
          "format",
        ),
      )
      .option(
        "--tasks <script>",
        "draw the scripts that `affected <script>` would run, and their order",
      )
      .optionsGroup("Which packages:")
      .option("--affected-only", "omit packages that are not affected"),
  )
    .addHelpText(
      "after",
      examples(
        "affected graph --open",
        "affected graph --open --tasks test",
        "affected graph -o graph.html",
        "affected graph --affected-only --base origin/main",
        "affected graph --format dot --filter 'dependencies(@acme/app)'",
      ),
    )
    .action((flags: Flags) =>
      emit({
        kind: "graph",
        options: selectOptions(flags),
        format: formatOf(flags),
        open: flags.open ?? false,
        tasks: flags.tasks,
        output: flags.output,
        affectedOnly: flags.affectedOnly ?? false,
      }),
    );
}

const FORMAT_OF_ENDING: Readonly<Record<string, GraphFormat>> = {
  ".html": "html",
  ".htm": "html",
  ".dot": "dot",
  ".gv": "dot",
  ".json": "json",
};

/** Returns the requested format; else the one that the name of the output file shows. */
function formatOf({ format, open, output = "" }: Flags): GraphFormat {
  if (open) return "html";
  return format ?? FORMAT_OF_ENDING[extname(output)] ?? "mermaid";
}
