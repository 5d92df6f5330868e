import { extname } from "node:path";
import { Option } from "commander";
import type { Declare } from "@skein/reporting/command-line";
import {
  graphFormats,
  type Command,
  type Fields,
  type GraphFormat,
  type SelectOptions,
} from "../command.js";
import { select, splitOptions } from "./selection.js";

type Flags = SelectOptions &
  Omit<Fields<"graph">, "format"> & { readonly format?: GraphFormat };

/** Declares `graph`. */
export const addGraph: Declare<Command> = (program, emit) => {
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
        new Option("--open", "open it as a page in the browser")
          .conflicts("format")
          .default(false),
      )
      .option(
        "--tasks <script>",
        "draw the scripts that `affected <script>` would run, and their order",
      )
      .optionsGroup("Which packages:")
      .option("--affected-only", "omit packages that are not affected", false),
  )
    .examples(
      "affected graph --open",
      "affected graph --open --tasks test",
      "affected graph -o graph.html",
      "affected graph --affected-only --base origin/main",
      "affected graph --format dot --filter 'dependencies(@acme/app)'",
    )
    .action((flags: Flags) => {
      const [options, own] = splitOptions(flags);
      emit({ kind: "graph", options, ...own, format: formatOf(own) });
    });
};

const FORMAT_OF_ENDING: Readonly<Record<string, GraphFormat>> = {
  ".html": "html",
  ".htm": "html",
  ".dot": "dot",
  ".gv": "dot",
  ".json": "json",
};

/** Returns the requested format; else the one that the name of the output file shows. */
function formatOf({
  format,
  open,
  output = "",
}: Omit<Flags, keyof SelectOptions>): GraphFormat {
  if (open) return "html";
  return format ?? FORMAT_OF_ENDING[extname(output)] ?? "mermaid";
}
