import { Help, type Command as Program, type Option } from "commander";
import type { ExitCode } from "../exit-codes.js";
import { wrapWords } from "../wrap-words.js";

/** The exit codes of a verb with their meanings, for its help. */
export type ExitCodeWords = Readonly<Partial<Record<ExitCode, string>>>;

/** The parts of a program's help that commander doesn't know. */
export interface HelpParts {
  /** The commands below each heading. All other commands are below `Other commands:`. */
  readonly groups: Readonly<Record<string, readonly string[]>>;
  /** Exit codes by verb, such as `metrics report`. A verb without an entry has those of the verb above it, or of "". */
  readonly exitCodes: Readonly<Record<string, ExitCodeWords>>;
}

/** The maximum width of a line: help is often read in a narrow window, and in logs. */
const WIDTH = 80;

export const HELP_OPTION = ["-h, --help", "print this help"] as const;

/** How commander formats the help of a program and of its verbs. */
export const HELP_SETTINGS = {
  optionDescription,
  // Below commander's 40 columns, too: a description beside long names would otherwise be one long line. In a terminal of 60
  // columns, 18 are left beside the longest name.
  minWidthToWrap: 15,
};

/** Returns an option's description without obvious defaults: a switch is off, and a list is empty. */
function optionDescription(option: Option): string {
  return new Help()
    .optionDescription(option)
    .replace(/ ?\(default: (?:false|\[\]|\{\})\)$/, "");
}

/** Groups the commands of a program, and ends each help with the exit codes. */
export function finishHelp(program: Program, parts: HelpParts): void {
  const groups = Object.entries(parts.groups);
  if (groups.length > 0)
    for (const each of new Help().visibleCommands(program)) {
      const [own] =
        groups.find(([, names]) => names.includes(each.name())) ?? [];
      each.helpGroup(own ?? "Other commands:");
    }
  finishVerb(program, "", {}, parts.exitCodes);
}

function finishVerb(
  verb: Program,
  path: string,
  above: ExitCodeWords,
  exitCodes: HelpParts["exitCodes"],
): void {
  const own = exitCodes[path] ?? above;
  verb.addHelpText("after", () =>
    exitCodesText(own, verb.configureOutput().getOutHelpWidth?.()),
  );
  // If all options of a verb have a heading, `--help` gets one too.
  if (
    verb.options.length > 0 &&
    verb.options.every((one) => one.helpGroupHeading)
  )
    verb.optionsGroup("Other options:").helpOption(...HELP_OPTION);
  for (const each of verb.commands)
    finishVerb(each, `${path} ${each.name()}`.trim(), own, exitCodes);
}

function exitCodesText(codes: ExitCodeWords, columns = WIDTH): string {
  const lines = Object.entries(codes).map(([code, words]) =>
    wrapWords(`  ${code}  ${words}`, Math.min(columns, WIDTH)),
  );
  return lines.length > 0 ? ["\nExit codes:", ...lines].join("\n") : "";
}
