import {
  Argument,
  Command,
  CommanderError,
  InvalidArgumentError,
} from "commander";
import { completionScript, SHELLS, type Shell } from "./completion.js";
import { ExitCode } from "../exit-codes.js";
import {
  finishHelp,
  HELP_OPTION,
  HELP_SETTINGS,
  type HelpParts,
} from "./help.js";
import type { CliWorld } from "../run-cli.js";
import { versionAbove } from "../version-above.js";
import { usageError } from "./usage-error.js";

/** A program, or one of its verbs. */
export class Program extends Command {
  override createCommand(name?: string): Program {
    return new Program(name);
  }

  /**
   * Ends the help with examples.
   * @param lines commands as the user types them
   */
  examples(...lines: readonly string[]): this {
    return this.addHelpText("after", examples(...lines));
  }
}

/** A function that adds a verb to the program. It calls `emit` with the parsed command. */
export type Declare<Parsed> = (
  program: Program,
  emit: (command: Parsed) => void,
) => void;

/** A program without its verbs. */
export interface About extends HelpParts {
  /** The program's name, description and common options. */
  readonly program: Program;
  /** The URL of a module below the folder of its package.json, which contains the version. */
  readonly module: string;
}

/**
 * Parses a command line. Help and version go to stdout, errors to stderr.
 * @param verbs in the order of the help
 * @returns the command; or the exit code, if it printed help or the command line was wrong
 */
export function parseCommandLine<Parsed extends object>(
  { program, module, ...help }: About,
  verbs: readonly Declare<Parsed>[],
  { argv, stdout, stderr }: Pick<CliWorld, "argv" | "stdout" | "stderr">,
): Parsed | ExitCode {
  let command: Parsed | undefined;
  // Verbs inherit these settings when they are added.
  program
    .configureHelp(HELP_SETTINGS)
    .helpOption(...HELP_OPTION)
    .helpCommand("help [command]", "print the help of a command")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
    });
  program
    .option("-V, --version", "print the version")
    .on("option:version", () => {
      stdout.write(`${versionAbove(module)}\n`);
      throw new CommanderError(ExitCode.Ok, "commander.version", "");
    });
  for (const declare of verbs) declare(program, (asked) => (command = asked));
  addCompletion(program, stdout);
  finishHelp(program, help);
  speakAsOne(program, []);
  try {
    answerHelp(program, argv);
    program.parse([...argv], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander's own exit code for wrong usage is 1.
    return error.exitCode === 0 ? ExitCode.Ok : ExitCode.Usage;
  }
  return command ?? ExitCode.Usage;
}

/**
 * Handles `help` without a known command. For an unknown one, commander would print the help of the program, and no error.
 * @throws {CommanderError}
 */
function answerHelp(
  program: Program,
  [first, name = "help"]: readonly string[],
): void {
  if (first !== "help" || program.commands.some((verb) => verb.name() === name))
    return;
  if (name === "help" || name.startsWith("-")) program.help();
  program.error(`error: unknown command '${name}'`);
}

/** Declares `completion`, which every tool has. */
function addCompletion(
  program: Program,
  stdout: Pick<CliWorld["stdout"], "write">,
): void {
  program
    .command("completion")
    .description("print a completion script for your shell")
    .addArgument(new Argument("<shell>", "the shell").choices(SHELLS))
    .examples(
      `eval "$(${program.name()} completion bash)"     # in ~/.bashrc; zsh: in ~/.zshrc`,
      `${program.name()} completion fish > ~/.config/fish/completions/${program.name()}.fish`,
    )
    .action((shell: Shell) => {
      stdout.write(completionScript(program, shell));
      throw new CommanderError(ExitCode.Ok, "skein.completion", "");
    });
}

/** Makes every verb report errors in the form of docs/messages.md, with a hint to its own help. */
function speakAsOne(verb: Command, above: readonly string[]): void {
  const verbs = [...above, verb.name()];
  verb.configureOutput({
    outputError: (text, write) => {
      write(usageError(text, verbs));
    },
  });
  for (const each of verb.commands) speakAsOne(each, verbs);
}

/** Parses an option's whole number above 0. @throws {InvalidArgumentError} for any other value */
export function whole(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new InvalidArgumentError("It takes a whole number above 0.");
  return value;
}

/**
 * Returns the end of a help text.
 * @param lines commands as the user types them
 */
export function examples(...lines: readonly string[]): string {
  return ["\nExamples:", ...lines.map((line) => `  $ ${line}`)].join("\n");
}
