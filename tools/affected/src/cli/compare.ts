import { Option } from "commander";
import { whole, type Declare } from "@skein/reporting/command-line";
import type { Command, Fields } from "../command.js";
import type { CommitRange } from "../compare/commits.js";
import { yardsticks, type YardstickName } from "../compare/comparison.js";
import { SCRIPT } from "./selection.js";

type Flags = Omit<Fields<"compare">, "peer" | "range"> &
  CommitRange & { readonly with: YardstickName };

/** The default number of commits to compare. */
const LAST = 60;

/** Declares `compare`. */
export const addCompare: Declare<Command> = (program, emit) => {
  program
    .command("compare")
    .description(
      "compare the selection for past commits with that of another tool, or with one based only on manifests",
    )
    .addOption(
      new Option(
        "--with <what>",
        "compare with manifests and yarn.lock only, with Turborepo, or with Nx",
      )
        .choices(yardsticks)
        .default("manifests"),
    )
    .option(
      "--last <n>",
      `the number of first-parent commits to compare (default: ${LAST}; with --base, all commits since then)`,
      whole,
    )
    .option(
      "--base <ref>",
      "compare only commits that this ref doesn't contain",
    )
    .option("--head <ref>", "compare commits up to this one", "HEAD")
    .option(...SCRIPT)
    .option(
      "--peer-bin <file>",
      "the other tool's program (default: the one in node_modules/.bin)",
    )
    .option("--json", "print all details as JSON (version 1)", false)
    .examples(
      "affected compare",
      "affected compare --with turbo --last 20",
      "affected compare --with nx --base v1.0.0 --json",
    )
    .action(({ with: peer, last, base, head, ...flags }: Flags) =>
      emit({
        kind: "compare",
        peer,
        range: {
          head,
          base,
          last: last ?? (base === undefined ? LAST : undefined),
        },
        ...flags,
      }),
    );
};
