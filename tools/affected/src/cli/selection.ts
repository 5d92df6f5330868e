import { Option } from "commander";
import type { Command as Program } from "commander";
import type { SelectOptions } from "../command.js";

/** What commander hands to an action of a verb that selects packages. */
export interface SelectFlags {
  readonly base?: string;
  readonly head?: string;
  readonly since?: string;
  readonly committed?: boolean;
  readonly pr?: string;
  readonly filesFrom?: string;
  readonly deepen: "auto" | "never";
  readonly fallback: "error" | "all";
  /** Undefined for a verb that takes none. */
  readonly filter?: readonly string[];
  readonly sourceEdges: boolean;
}

/** Declares what every verb that selects packages takes. @returns the same verb */
export function select(verb: Program): Program {
  return compare(verb).addOption(
    new Option(
      "--filter <query>",
      "of these packages only; see docs/filter.md; may be repeated",
    )
      .argParser((query: string, all: string[]) => [...all, query])
      .default([], "every package"),
  );
}

/** Declares what is compared, for a verb that asks of one package too. @returns the same verb */
export function compare(verb: Program): Program {
  return verb
    .option(
      "--base <ref>",
      "compare from the merge base of this and head; `last-green` asks GitHub (default: the default branch)",
    )
    .addOption(
      new Option("--since <ref>", "compare from this commit itself").conflicts(
        "base",
      ),
    )
    .option(
      "--head <ref>",
      "compare to this (default: HEAD and the working tree)",
    )
    .option("--committed", "leave the working tree out")
    .addOption(
      new Option(
        "--pr <owner/repo#n>",
        "the changes of a pull request, from anywhere",
      ).conflicts(["base", "since", "head", "filesFrom"]),
    )
    .addOption(
      new Option(
        "--files-from <file>",
        "a list of changed files, `-` for stdin",
      ).conflicts(["base", "since", "head"]),
    )
    .addOption(
      new Option(
        "--deepen <how>",
        "whether a shallow clone may fetch the history it lacks",
      )
        .choices(["auto", "never"])
        .default("auto"),
    )
    .addOption(
      new Option(
        "--fallback <what>",
        "where nothing can be compared: an error, or everything",
      )
        .choices(["error", "all"])
        .default("error"),
    )
    .option(
      "--no-source-edges",
      "do not read sources for undeclared dependencies",
    );
}

/** What was asked for. */
export function selectOptions(flags: SelectFlags): SelectOptions {
  return {
    base: flags.base,
    head: flags.head,
    since: flags.since,
    committed: flags.committed ?? false,
    pr: flags.pr,
    filesFrom: flags.filesFrom,
    deepen: flags.deepen,
    fallback: flags.fallback,
    filter: flags.filter ?? [],
    sourceEdges: flags.sourceEdges,
  };
}
