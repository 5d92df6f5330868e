import { ExitCode } from "./exit-codes.js";
import { Failure, usageFailure } from "./failure.js";
import { printable, printableLines } from "./printable.js";
import { writeWords } from "./wrap-words.js";

/** A stream that accepts text, such as Node's stdout and stderr, or a string collector in a test. */
export interface Out {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/** Everything that a tool gets from its process. Only `main.ts` fills it from `process`. */
export interface CliWorld {
  /** The arguments after the program's name. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The current folder, absolute; "" if it was deleted. */
  readonly cwd: string;
  readonly stdin: AsyncIterable<Buffer | string>;
  readonly stdout: Out;
  readonly stderr: Out;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Aborted by the first Ctrl-C or SIGTERM. Its reason is a `Failure`, which work that ends early can throw. */
  readonly signal: AbortSignal;
  /**
   * Sets what happens to an error that no code catches, such as one that a listener throws: `report` prints it and returns
   * the exit code. Without this, Node prints the line of the source, and a published tool is a single line.
   */
  readonly onUncaught?: (report: (error: unknown) => number) => void;
}

const ISSUES = "https://github.com/skein-tools/skein/issues/new/choose";

/** Error codes of opening a file while too many are open. Loading the program's own modules can fail with them too. */
const TOO_MANY_FILES = new Set<unknown>(["EMFILE", "ENFILE"]);

/**
 * Runs a tool and converts any error that it throws to a message and an exit code.
 * @param name the program's name, for the message
 * @param body the tool; returns its exit code
 */
export async function runCli<World extends CliWorld>(
  name: string,
  world: World,
  body: (world: World) => Promise<number>,
): Promise<number> {
  world.onUncaught?.((error) => reportError(name, error, world.stderr));
  try {
    if (world.cwd === "")
      throw usageFailure("the current folder was deleted", {
        hint: "change to a folder that exists: cd",
      });
    return await body(world);
  } catch (error) {
    return reportError(name, error, world.stderr);
  }
}

/**
 * Prints an error that ends a tool. Only a bug is shown with its stack.
 * @returns the exit code
 */
function reportError(name: string, error: unknown, stderr: Out): number {
  if (error instanceof Failure) {
    writeWords(stderr, renderFailure(name, error));
    return error.exitCode;
  }
  if (TOO_MANY_FILES.has((error as NodeJS.ErrnoException | null)?.code)) {
    stderr.write(
      `${name}: this process may open too few files\nhint: raise the limit: ulimit -n 1024\n`,
    );
    return ExitCode.Unfinished;
  }
  const stack =
    error instanceof Error ? (error.stack ?? error.message) : String(error);
  stderr.write(
    `${name}: this is a bug\nhint: report it with these lines: ${ISSUES}\n${printableLines(stack)}\n`,
  );
  return ExitCode.Unfinished;
}

/**
 * Renders a failure as `name: file:line:column: sentence`, with the hint on its own line. The parts may contain
 * untrusted text. Line breaks in a sentence are preserved, because git's messages have them. All other control
 * characters are escaped.
 */
export function renderFailure(
  name: string,
  { message, place, hint }: Failure,
): string {
  const where = place
    ? `${[printable(place.file), place.line, place.column].filter((part) => part !== undefined).join(":")}: `
    : "";
  const after = hint === undefined ? "" : `hint: ${printableLines(hint)}\n`;
  return `${name}: ${where}${printableLines(message)}\n${after}`;
}
