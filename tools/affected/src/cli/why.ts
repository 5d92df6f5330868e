import type { Declare } from "@skein/reporting/command-line";
import type { Command, Fields, SelectOptions } from "../command.js";
import { compare, SCRIPT, splitOptions } from "./selection.js";

type Kind = "why" | "why-not";
type Flags = SelectOptions & Omit<Fields<Kind>, "workspace">;

const WORDS = {
  why: "print the shortest path from a changed file to a package",
  "why-not": "print why a package is not affected",
} as const;

/** Declares `why` or `why-not`. */
export function adderOfWhy(kind: Kind): Declare<Command> {
  return (program, emit) => {
    compare(
      program
        .command(kind)
        .description(WORDS[kind])
        .argument(
          "<package>",
          "its name, a unique ending of its name, or its folder",
        )
        .optionsGroup("Which packages:")
        .option(...SCRIPT)
        .optionsGroup("Output:")
        .option("--all", "print every path (at most 100)", false)
        .option("--json", "print it as JSON (version 1)", false),
    )
      .examples(
        `affected ${kind} @acme/app`,
        `affected ${kind} @acme/app --script test`,
        `affected ${kind} packages/app --base origin/main --json`,
      )
      .action((workspace: string, flags: Flags) => {
        const [options, own] = splitOptions(flags);
        emit({ kind, workspace, options, ...own });
      });
  };
}
