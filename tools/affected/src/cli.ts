import {
  Command as Program,
  CommanderError,
  InvalidArgumentError,
  Option,
} from "commander";
import { ExitCode } from "@skein/reporting";
import type { CliWorld } from "@skein/reporting";
import { graphFormats, VERBS } from "./command.js";
import type {
  Command,
  GraphFormat,
  RunOptions,
  SelectOptions,
} from "./command.js";

/** What the words came to: a command, or nothing more to do (help was printed, or the words were wrong). */
export type Parsed =
  | { readonly kind: "command"; readonly command: Command }
  | { readonly kind: "done"; readonly exitCode: number };

/** Parses a command line. Help goes to stdout, a complaint to stderr. */
export async function parseCli({
  argv,
  stdout,
  stderr,
}: Pick<CliWorld, "argv" | "stdout" | "stderr">): Promise<Parsed> {
  const [first] = argv;
  // `affected test` is `affected run test`: a script is the most common word after the program's name.
  const isScript =
    first !== undefined &&
    !first.startsWith("-") &&
    !VERBS.some((verb) => verb === first);
  let command: Command | undefined;
  const program = buildProgram(
    isScript ? "run" : first,
    (parsed) => (command = parsed),
  );
  program.exitOverride().configureOutput({
    writeOut: (text) => stdout.write(text),
    writeErr: (text) => stderr.write(text),
  });
  for (const verb of program.commands)
    verb.exitOverride().copyInheritedSettings(program);
  try {
    if (first === undefined) program.help({ error: true });
    await program.parseAsync(isScript ? ["run", ...argv] : [...argv], {
      from: "user",
    });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return {
      kind: "done",
      exitCode: error.exitCode === 0 ? ExitCode.Ok : ExitCode.Usage,
    };
  }
  if (!command) return { kind: "done", exitCode: ExitCode.Ok };
  return { kind: "command", command };
}

const ALL = {
  list: addList,
  why: adderOfWhy("why"),
  "why-not": adderOfWhy("why-not"),
  run: addRun,
  graph: addGraph,
  audit: addAudit,
} as const;

type Emit = (command: Command) => void;

/** @param first the command that is asked for, if it is one: the others' options are then not declared */
function buildProgram(first: string | undefined, emit: Emit): Program {
  const program = new Program("affected")
    .description(
      "From changed files to the packages whose scripts must run: safe, exact and explained.",
    )
    .usage("<command> [options]")
    .enablePositionalOptions()
    .addHelpText("after", EXAMPLES)
    .showHelpAfterError("(affected --help shows every command)");

  const verbs = Object.keys(ALL) as (keyof typeof ALL)[];
  const asked = verbs.filter((verb) => verb === first);
  for (const verb of asked.length > 0 ? asked : verbs) ALL[verb](program, emit);
  return program;
}

function addList(program: Program, emit: Emit): void {
  select(program.command("list"))
    .description("print the affected packages, one name a line")
    .option("--script <name>", "as for this script: its inputs count")
    .option("--table", "print folders and reasons too")
    .option("--json", "print everything known, as JSON (version 1)")
    .action((options: Flags) =>
      emit({
        kind: "list",
        options: selectOptions(options),
        script: options.script,
        format: options.json ? "json" : options.table ? "table" : "names",
      }),
    );
}

function adderOfWhy(kind: "why" | "why-not") {
  return (program: Program, emit: Emit) => {
    select(program.command(kind))
      .description(
        kind === "why"
          ? "print the shortest path from a changed file to a package"
          : "print why a package is not affected",
      )
      .argument("<package>", "its name, or its folder")
      .option("--all", "print every path (at most 100)")
      .option("--json", "print it as JSON (version 1)")
      .action((workspace: string, options: Flags) =>
        emit({
          kind,
          workspace,
          options: selectOptions(options),
          all: options.all ?? false,
          json: options.json ?? false,
        }),
      );
  };
}

function addRun(program: Program, emit: Emit): void {
  const runs = select(program.command("run"))
    .description(
      "run a script in each affected package that has it (`pipeline` in skein.json orders them)",
    )
    .argument("<script>", "as in package.json")
    .argument("[args...]", "behind --: for the script itself");
  runs
    .option("-j, --concurrency <n>", "scripts at a time (default: cores)", int)
    .addOption(
      new Option("--bail", "stop at the first failure").conflicts("continue"),
    )
    .option("--continue", "go on after a failure (the default)")
    .addOption(
      new Option("--output <what>", "whose output to print")
        .choices(["full", "failed", "none"])
        .default("failed"),
    )
    .option("--timeout <seconds>", "end a script that takes longer", int)
    .option("--junit <file>", "write a JUnit report")
    .option("--report <file>", "write a JSON report (version 1)")
    .option("--include-root", "run the root's own script too")
    .option("--dry-run", "print what would run, and run nothing")
    .option("--json", "print the JSON report instead of the summary")
    .action((script: string, args: string[], options: Flags) =>
      emit({
        kind: "run",
        options: selectOptions(options),
        run: runOptions(script, args, options),
      }),
    );
}

function addGraph(program: Program, emit: Emit): void {
  select(program.command("graph"))
    .description("draw the package graph, affected packages marked")
    .addOption(
      new Option("--format <format>", "what to write")
        .choices(graphFormats)
        .default("mermaid"),
    )
    .option("-o, --output <file>", "write it there (default: stdout)")
    .option("--affected-only", "leave out what is not affected")
    .action((options: Flags) =>
      emit({
        kind: "graph",
        options: selectOptions(options),
        format: options.format ?? "mermaid",
        output: options.output,
        affectedOnly: options.affectedOnly ?? false,
      }),
    );
}

function addAudit(program: Program, emit: Emit): void {
  program
    .command("audit")
    .description("find dependencies that no package.json declares")
    .option("--check", "exit with 1 if there are any")
    .option("--fix", "declare them")
    .option("--json", "print them as JSON (version 1)")
    .action((options: Flags) =>
      emit({
        kind: "audit",
        check: options.check ?? false,
        fix: options.fix ?? false,
        json: options.json ?? false,
      }),
    );
}

/** What commander hands an action; which members are there depends on the verb. */
interface Flags {
  readonly base?: string;
  readonly head?: string;
  readonly since?: string;
  readonly committed?: boolean;
  readonly pr?: string;
  readonly filesFrom?: string;
  readonly deepen: "auto" | "never";
  readonly fallback: "error" | "all";
  readonly filter: readonly string[];
  readonly sourceEdges: boolean;
  readonly script?: string;
  readonly table?: boolean;
  readonly json?: boolean;
  readonly all?: boolean;
  readonly format?: GraphFormat;
  readonly output?: string;
  readonly affectedOnly?: boolean;
  readonly check?: boolean;
  readonly fix?: boolean;
  readonly concurrency?: number;
  readonly bail?: boolean;
  readonly timeout?: number;
  readonly junit?: string;
  readonly report?: string;
  readonly includeRoot?: boolean;
  readonly dryRun?: boolean;
}

function select(command: Program): Program {
  return command
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
      "--filter <query>",
      "of these packages only; see docs/filter.md; may be repeated",
      (query: string, all: string[]) => [...all, query],
      [],
    )
    .option(
      "--no-source-edges",
      "do not read sources for undeclared dependencies",
    );
}

function selectOptions(flags: Flags): SelectOptions {
  return {
    base: flags.base,
    head: flags.head,
    since: flags.since,
    committed: flags.committed ?? false,
    pr: flags.pr,
    filesFrom: flags.filesFrom,
    deepen: flags.deepen,
    fallback: flags.fallback,
    filter: flags.filter,
    sourceEdges: flags.sourceEdges,
  };
}

function runOptions(
  script: string,
  args: readonly string[],
  flags: Flags,
): RunOptions {
  return {
    script,
    args,
    concurrency: flags.concurrency,
    bail: flags.bail ?? false,
    output: (flags.output ?? "failed") as RunOptions["output"],
    timeout: flags.timeout,
    junit: flags.junit,
    report: flags.report,
    includeRoot: flags.includeRoot ?? false,
    dryRun: flags.dryRun ?? false,
    json: flags.json ?? false,
  };
}

function int(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new InvalidArgumentError("It takes a whole number above 0.");
  return value;
}

const EXAMPLES = `
\`affected test\` is short for \`affected run test\`; so it is with any script.

Examples:
  $ affected test                         the tests of what this branch and the working tree change
  $ affected list --base origin/main      what a pull request affects, one name a line
  $ affected why @acme/app                the path from a changed file to the package
  $ affected build --filter 'owner(@acme/web) & affected()' -- --watch

Exit codes: 0 nothing failed, 1 a script failed or a check found something, 2 wrong usage, 3 could not decide or run.
`;
