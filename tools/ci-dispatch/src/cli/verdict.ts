import type { Declare } from "@skein/reporting/command-line";
import type { Command, VerdictCommand } from "../command.js";
import { judgingFlags } from "./judging.js";
import { BEGAN, measuredMs } from "./options.js";

type Flags = Omit<VerdictCommand, "kind" | "plannedMs"> & {
  readonly planned?: number | undefined;
};

/** Declares `verdict`. */
export const addVerdict: Declare<Command> = (program, emit) => {
  judgingFlags(program.command("verdict"))
    .description(
      "judge a plan by the attestations of its jobs: 0 green, 1 a test failed, 3 something is missing",
    )
    .optionsGroup("Output:")
    .option("--junit <file>", "write a JUnit report")
    .option("--report <file>", "write the verdict, as JSON (version 1)")
    .option("--summary <file>", "write the verdict as Markdown")
    .option(
      "--coverage <folder>",
      "merge the coverage of all jobs into coverage-final.json and lcov.info",
    )
    .option(
      "--planned <ms>",
      "the duration of planning, to show in the summary",
      measuredMs,
    )
    .option(...BEGAN)
    .option("--json", "print the verdict as JSON instead of a table", false)
    .examples(
      "ci-dispatch verdict",
      "ci-dispatch verdict --attestations attestations --junit reports/verdict.xml",
    )
    .action(({ planned, ...flags }: Flags) =>
      emit({ kind: "verdict", ...flags, plannedMs: planned }),
    );
};
