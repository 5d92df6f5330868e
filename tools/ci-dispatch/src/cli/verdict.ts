import type { Command as Program } from "commander";
import type { Command } from "../command.js";
import { judging, judgingFlags } from "./judging.js";
import type { JudgingFlags } from "./judging.js";
import { BEGAN, measuredMs } from "./options.js";

interface Flags extends JudgingFlags {
  readonly junit?: string;
  readonly report?: string;
  readonly summary?: string;
  readonly coverage?: string;
  readonly json?: boolean;
  readonly planned?: number | undefined;
  readonly began?: number | undefined;
}

/** Declares `verdict`. */
export function addVerdict(
  program: Program,
  emit: (command: Command) => void,
): void {
  judgingFlags(program.command("verdict"))
    .description(
      "judge a plan by the attestations of its jobs: 0 green, 1 a test failed, 3 something is missing",
    )
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
    .option("--json", "print the verdict as JSON instead of a table")
    .action((flags: Flags) =>
      emit({
        kind: "verdict",
        ...judging(flags),
        junit: flags.junit,
        report: flags.report,
        summary: flags.summary,
        coverage: flags.coverage,
        json: flags.json ?? false,
        plannedMs: flags.planned,
        began: flags.began,
      }),
    );
}
