import {
  type Declare,
  examples,
  type Program,
  whole,
} from "@skein/reporting/command-line";
import type { Command, HistoryAction } from "../command.js";
import { branchOptions, type BranchFlags } from "./metrics/place.js";
import { each, NAME } from "./options.js";

type Flags<Kind extends HistoryAction["kind"]> = BranchFlags &
  Omit<Extract<HistoryAction, { kind: Kind }>, "kind">;

/** Declares `history` and its verbs. */
export const addHistory: Declare<Command> = (program, emit) => {
  const history = program
    .command("history")
    .description(
      "the durations and flakes of the default branch, stored on a separate branch",
    );
  const verb: Verb = (name, words) =>
    branchOptions(history.command(name).description(words));
  const run: Run = ({ remote, branch }, action) =>
    emit({ kind: "history", remote, branch, action });
  addShow(verb, run);
  addAppend(verb, run);
  addImport(verb, run);
  addPrune(verb, run);
};

/** Declares a verb of `history`. */
type Verb = (name: string, words: string) => Program;
type Run = (flags: BranchFlags, action: HistoryAction) => void;

function addShow(verb: Verb, run: Run): void {
  verb("show", "print the statistics of each unit, slowest first")
    .argument("[unit]", "only this unit or package, with its test files")
    .examples("ci-dispatch history show", "ci-dispatch history show @acme/app")
    .action((unit: string | undefined, flags: BranchFlags) =>
      run(flags, { kind: "show", unit }),
    );
}

function addAppend(verb: Verb, run: Run): void {
  verb("append", "record a verdict; only in a push to the default branch")
    .requiredOption(
      "--verdict <file>",
      "the file written by `verdict --report`",
    )
    .option(
      "--index <digest>",
      "record the digest of the index from `plan --index`: its output `index`",
    )
    .option(
      "--traces <file>",
      "the file written by `trace`: also record its evidence, in a push to the default branch, if the file exists",
    )
    .option(
      "--anywhere",
      "record even if this isn't a push to the default branch",
      false,
    )
    .option(...NAME)
    .examples(
      "ci-dispatch history append --verdict verdict.json",
      "ci-dispatch history append --verdict verdict.json --traces traces.json",
    )
    .action((flags: Flags<"append">) =>
      run(flags, {
        kind: "append",
        ...flags,
        // A run that made none passes an empty text.
        index: flags.index === "" ? undefined : flags.index,
      }),
    );
}

function addImport(verb: Verb, run: Run): void {
  verb("import", "record NDJSON files, plain or gzip")
    .requiredOption(
      "--file <file>",
      "a file to record; may be repeated",
      each,
      [],
    )
    .examples(
      "ci-dispatch history import --file runs.ndjson.gz",
      "ci-dispatch history import --file a.ndjson --file b.ndjson",
    )
    .action((flags: BranchFlags & { file: readonly string[] }) =>
      run(flags, { kind: "import", files: flags.file }),
    );
}

function addPrune(verb: Verb, run: Run): void {
  verb(
    "prune",
    "delete the durations of old days; the branch's git history stays",
  )
    .option("--days <n>", "the number of days to keep", whole, 90)
    .option(
      "--metrics",
      "also delete the delivery metrics of these days; `metrics sync --since` can read some of them again",
      false,
    )
    .addHelpText(
      "after",
      `
Plans use durations and flakes, but not old ones. The data for \`metrics report\`
is stored next to them, in files delivery-…, and stays unless you set --metrics.
Savings and flakes of deleted days are lost for good.
${examples(
  "ci-dispatch history prune",
  "ci-dispatch history prune --days 180 --metrics",
)}`,
    )
    .action((flags: Flags<"prune">) => run(flags, { kind: "prune", ...flags }));
}
