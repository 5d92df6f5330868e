import { Option, type Command as Program } from "commander";
import { examples } from "@skein/reporting/command-line";
import type { Command } from "../command.js";
import { yardsticks, type YardstickName } from "../compare/comparison.js";
import { SCRIPT } from "./selection.js";
import { wholeNumber } from "./whole-number.js";

interface Flags {
  readonly with: YardstickName;
  readonly last?: number;
  readonly base?: string;
  readonly head: string;
  readonly script?: string;
  readonly peerBin?: string;
  readonly json?: boolean;
}

/** The default number of commits to compare. */
const LAST = 60;

/** Declares `compare`. */
export function addCompare(
  program: Program,
  emit: (command: Command) => void,
): void {
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
      wholeNumber,
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
    .option("--json", "print all details as JSON (version 1)")
    .addHelpText(
      "after",
      examples(
        "affected compare",
        "affected compare --with turbo --last 20",
        "affected compare --with nx --base v1.0.0 --json",
      ),
    )
    .action((flags: Flags) =>
      emit({
        kind: "compare",
        peer: flags.with,
        peerBin: flags.peerBin,
        range: {
          head: flags.head,
          base: flags.base,
          last: flags.last ?? (flags.base === undefined ? LAST : undefined),
        },
        script: flags.script,
        json: flags.json ?? false,
      }),
    );
}
