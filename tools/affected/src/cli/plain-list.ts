import { DEFAULT_OPTIONS, type Command } from "../command.js";
import { COMPARE_FLAGS, isSwitch, LIST_FLAGS, nameOf } from "./select-flags.js";

const FLAGS: ReadonlySet<string> = new Set(
  [...COMPARE_FLAGS, ...LIST_FLAGS].filter(isSwitch).map(nameOf),
);

/**
 * Parses `list` with nothing but switches, which is the most frequent command. Loading the modules with all commands,
 * options and their help takes longer than git's answer.
 * @returns the same command as the parser; undefined for any other command line, which needs the parser
 */
export function plainList(argv: readonly string[]): Command | undefined {
  const [verb, ...flags] = argv;
  if (verb !== "list" || !flags.every((flag) => FLAGS.has(flag)))
    return undefined;
  const has = (flag: string) => flags.includes(flag);
  return {
    kind: "list",
    options: {
      ...DEFAULT_OPTIONS,
      committed: has("--committed"),
      sourceEdges: !has("--no-source-edges"),
    },
    script: undefined,
    evidence: undefined,
    format: has("--json") ? "json" : has("--table") ? "table" : "names",
  };
}
