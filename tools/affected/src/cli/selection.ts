import { whole, type Program } from "@skein/reporting/command-line";
import { Option } from "commander";
import type { SelectOptions } from "../command.js";
import { COMPARE_FLAGS, isSwitch, type SelectFlag } from "./select-flags.js";

/** Options of several verbs, as the arguments of commander's `option`. */
export const SCRIPT = [
  "--script <name>",
  "select packages for this script, using its inputs",
] as const;
export const ALL = [
  "--all",
  "run the script in every package that has it, affected or not",
  false,
] as const;
export const CONCURRENCY = [
  "-j, --concurrency <n>",
  "the number of scripts to run at once (default: the number of cores)",
  whole,
] as const;
export const TIMEOUT = [
  "--timeout <seconds>",
  "end scripts that run longer than this",
  whole,
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
    else if (isSwitch(flag) && !option.negate) option.default(false);
    verb.addOption(option);
  }
  return verb;
}

/** The options that commander passes to the action of a verb that selects packages. Some verbs have no `--filter`. */
export type SelectFlags = Omit<SelectOptions, "filter"> &
  Partial<Pick<SelectOptions, "filter">>;

/** Separates the options of the selection from those that are the verb's own. */
export function splitOptions<Flags extends SelectFlags>({
  base,
  head,
  since,
  committed,
  pr,
  filesFrom,
  deepen,
  fallback,
  filter = [],
  sourceEdges,
  ...own
}: Flags): readonly [SelectOptions, Omit<Flags, keyof SelectFlags>] {
  const changes = { base, head, since, committed, pr, filesFrom };
  return [{ ...changes, deepen, fallback, filter, sourceEdges }, own];
}
