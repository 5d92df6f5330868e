import { Option, type Command as Program } from "commander";
import type { SelectOptions } from "../command.js";
import { COMPARE_FLAGS, type SelectFlag } from "./select-flags.js";
import { wholeNumber } from "./whole-number.js";

/** The options that commander passes to an action of a verb that selects packages. */
export interface SelectFlags {
  readonly base?: string;
  readonly head?: string;
  readonly since?: string;
  readonly committed?: boolean;
  readonly pr?: string;
  readonly filesFrom?: string;
  readonly deepen: "auto" | "never";
  readonly fallback: "error" | "all";
  /** Undefined for a verb without this option. */
  readonly filter?: readonly string[];
  readonly sourceEdges: boolean;
}

/** Options of several verbs, as the arguments of commander's `option`. */
export const SCRIPT = [
  "--script <name>",
  "select packages for this script, using its inputs",
] as const;
export const ALL = [
  "--all",
  "run the script in every package that has it, affected or not",
] as const;
export const CONCURRENCY = [
  "-j, --concurrency <n>",
  "the number of scripts to run at once (default: the number of cores)",
  wholeNumber,
] as const;
export const TIMEOUT = [
  "--timeout <seconds>",
  "end scripts that run longer than this",
  wholeNumber,
] as const;

/** Returns the option that chooses the output to print while scripts run. */
export function outputOption(): Option {
  return new Option("--output <what>", "whose output to print")
    .choices(["full", "failed", "none"])
    .default("failed");
}

/** Returns the option that narrows the packages. */
export function filterOption(): Option {
  return new Option(
    "--filter <query>",
    "consider only these packages, by name, glob, ./folder, owner(…), tag(…), dependents(…) or dependencies(…); may be repeated",
  )
    .argParser((query: string, all: string[]) => [...all, query])
    .default([], "every package");
}

/** Declares the options of every verb that selects packages. @returns the same verb */
export function select(verb: Program): Program {
  return compare(verb)
    .optionsGroup("Which packages:")
    .addOption(filterOption());
}

/** Declares the options that determine the comparison, also for verbs about a single package. @returns the same verb */
export function compare(verb: Program): Program {
  return declareFlags(verb.optionsGroup("What is compared:"), COMPARE_FLAGS);
}

/** Declares options of a table. @returns the same verb */
export function declareFlags(
  verb: Program,
  flags: readonly SelectFlag[],
): Program {
  for (const flag of flags) {
    const option = new Option(flag.flags, flag.help);
    if (flag.choices) option.choices(flag.choices);
    if (flag.conflicts) option.conflicts([...flag.conflicts]);
    if (flag.default !== undefined) option.default(flag.default);
    verb.addOption(option);
  }
  return verb;
}

/** Converts commander's options to those of the selection. */
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
