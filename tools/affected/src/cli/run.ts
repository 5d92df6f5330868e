import { Option } from "commander";
import { shellWord } from "@skein/git";
import { nearest, printable } from "@skein/reporting";
import type { Declare, Program } from "@skein/reporting/command-line";
import {
  verbs,
  type Command,
  type RunOptions,
  type SelectOptions,
} from "../command.js";
import {
  ALL,
  CONCURRENCY,
  outputOption,
  select,
  splitOptions,
  TIMEOUT,
} from "./selection.js";

type Flags = SelectOptions &
  Omit<RunOptions, "script" | "args" | "cache" | "batch"> & {
    readonly cache: boolean;
    readonly force?: boolean;
    readonly continue?: boolean;
    readonly batch?: boolean;
  };

/** Declares `run`. */
export const addRun: Declare<Command> = (program, emit) => {
  const run = program
    .command("run")
    .description(
      "run a script in each affected package that has it (`pipeline` in skein.json sets the order)",
    )
    .argument("<script>", "the name of a script in package.json")
    .argument("[args...]", "arguments after -- are passed to the script");
  select(runOptions(run))
    .examples(
      "affected test",
      "affected test --committed --bail --junit reports/test.xml",
      "affected test --all                   every package; replays earlier results",
      "affected build --dry-run",
      "affected run lint -j 4 -- --fix",
    )
    .action((script: string, args: string[], flags: Flags, verb: Program) => {
      refuseWords(script, args, verb);
      const [options, { cache, force, continue: _, batch = true, ...own }] =
        splitOptions(flags);
      emit({
        kind: "run",
        options,
        run: {
          script,
          args,
          cache: force ? "force" : cache ? "on" : "off",
          batch,
          ...own,
        },
      });
    });
};

/** Declares the options of `run`, except those that choose the packages. */
function runOptions(run: Program): Program {
  return run
    .optionsGroup("Which packages:")
    .option(...ALL)
    .option("--include-root", "also run the root's own script", false)
    .option(
      "--if-present",
      "do not fail if no selected package has the script",
      false,
    )
    .optionsGroup("How scripts run:")
    .option(...CONCURRENCY)
    .addOption(
      new Option("--bail", "stop at the first failure")
        .conflicts("continue")
        .default(false),
    )
    .option("--continue", "continue after a failure (the default)")
    .option(...TIMEOUT)
    .option(
      "--batch",
      "run plain Jest scripts in shared processes (the default)",
    )
    .option("--no-batch", "start Jest separately for each package")
    .addOption(
      new Option("--dry-run", "print what would run, without running it")
        .conflicts(["json", "report", "junit"])
        .default(false),
    )
    .addOption(
      new Option(
        "--force",
        "run everything, and replace the stored results",
      ).conflicts("cache"),
    )
    .option("--no-cache", "neither replay nor store results")
    .optionsGroup("Output:")
    .addOption(outputOption())
    .option("--verbose", "also list scripts that passed in the summary", false)
    .option("--junit <file>", "write a JUnit report")
    .option("--report <file>", "write a JSON report (version 1)")
    .option("--json", "print the JSON report instead of the summary", false);
}

/**
 * Rejects words before `--`. In other tools, a word after the script is a package. Here each script would get it as an
 * argument, and all affected packages would run.
 * @throws {CommanderError} if there is a word before `--`
 */
function refuseWords(
  script: string,
  args: readonly string[],
  verb: Program,
): void {
  const words = verb.parent?.args ?? [];
  const end = words.indexOf("--");
  const behind = end < 0 ? 0 : words.length - end - 1;
  const [word] = args.slice(0, Math.max(0, args.length - behind));
  if (word === undefined) return;
  const command = `affected ${printable(script)}`;
  const meant = nearest(script, verbs).map(
    (each) => `did you mean \`affected ${each}\`? `,
  );
  verb.error(
    `error: ${JSON.stringify(word)} isn't an option; arguments of the script come after --\n` +
      `hint: ${meant.join("")}for one package: ${command} --filter ${shellWord(filterFor(word))}; for the script: ${command} -- ${shellWord(word)}`,
  );
}

/** Returns the query of `--filter` for a folder: `./packages/a` for `packages/a`. */
function filterFor(word: string): string {
  const isFolder = word.includes("/") && !/^[@.]/.test(word);
  return isFolder ? `./${word.replace(/\/+$/, "")}` : word;
}
