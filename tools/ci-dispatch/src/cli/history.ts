import type { Command as Program } from "commander";
import type { Command, HistoryAction } from "../command.js";
import { each, NAME, whole } from "./options.js";

interface BranchFlags {
  readonly remote: string;
  readonly branch: string;
}

interface AppendFlags extends BranchFlags {
  readonly verdict: string;
  readonly name: string;
  readonly index?: string;
  readonly traces?: string;
  readonly anywhere?: boolean;
}

/** Declares `history` and its verbs. */
export function addHistory(
  program: Program,
  emit: (command: Command) => void,
): void {
  const history = program
    .command("history")
    .description("durations and flakes of main, stored on a separate branch");
  const verb = (name: string, words: string) =>
    history
      .command(name)
      .description(words)
      .option("--remote <name>", "where the branch is", "origin")
      .option("--branch <name>", "its name", "ci-history");
  const tell = ({ remote, branch }: BranchFlags, action: HistoryAction) =>
    emit({ kind: "history", remote, branch, action });

  verb("show", "print the statistics of each unit, slowest first")
    .argument("[unit]", "only this unit or package, with its test files")
    .action((unit: string | undefined, flags: BranchFlags) =>
      tell(flags, { kind: "show", unit }),
    );
  verb("append", "record a verdict; only in a push to the default branch")
    .requiredOption("--verdict <file>", "what `verdict --report` wrote")
    .option(
      "--index <digest>",
      "record the index of references that `plan --index` has made; its output `index`",
    )
    .option(
      "--traces <file>",
      "what `trace` wrote, if the file is there: record its evidence too, in a push to the default branch",
    )
    .option("--anywhere", "record although this isn't a push to main")
    .option(...NAME)
    .action((flags: AppendFlags) =>
      tell(flags, {
        kind: "append",
        verdict: flags.verdict,
        name: flags.name,
        // A run that made none passes an empty text.
        index: flags.index === "" ? undefined : flags.index,
        traces: flags.traces,
        anywhere: flags.anywhere ?? false,
      }),
    );
  verb("import", "record NDJSON files, plain or gzip")
    .requiredOption("--file <file>", "may be repeated", each, [])
    .action((flags: BranchFlags & { file: readonly string[] }) =>
      tell(flags, { kind: "import", files: flags.file }),
    );
  verb(
    "prune",
    "drop the durations of old days; the branch's own history stays",
  )
    .option("--days <n>", "the number of days to keep", whole, 90)
    .option(
      "--metrics",
      "drop the delivery metrics of these days too; `metrics sync` reads again what its --since asks for",
    )
    .addHelpText(
      "after",
      `
Durations and flakes plan the next jobs, and old ones do not matter to them. What
\`metrics report\` counts lies beside them, in files delivery-…, and stays unless
--metrics says otherwise: savings and flakes of days that were dropped are gone for good.

Examples:
  $ ci-dispatch history prune
  $ ci-dispatch history prune --days 180 --metrics && ci-dispatch metrics sync --since 180d
`,
    )
    .action((flags: BranchFlags & { days: number; metrics?: boolean }) =>
      tell(flags, {
        kind: "prune",
        days: flags.days,
        metrics: flags.metrics ?? false,
      }),
    );
}
