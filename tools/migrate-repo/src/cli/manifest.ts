import { InvalidArgumentError, type Command as Program } from "commander";
import { examples } from "@skein/reporting/command-line";
import type { Command } from "../command.js";
import { JSON_EVENTS } from "./json-option.js";

const MANIFEST_MODES = {
  plan: "Shows what the repositories of a manifest would become; writes nothing.",
  apply:
    "Migrates what a manifest declares and the workspace does not have yet; run it again to continue.",
  status:
    "Compares what a manifest declares with what is there; without one, what was migrated with its sources.",
} as const;

/** The default number of concurrent sources: both their servers and a local disk can handle this easily. */
const CONCURRENCY = 4;

interface ManifestFlags {
  readonly report: string | undefined;
  readonly concurrency: number;
  readonly json: boolean;
}

function atOnce(text: string): number {
  if (!/^[1-9]\d?$/.test(text))
    throw new InvalidArgumentError("It takes a whole number from 1 to 99.");
  return Number(text);
}

/** Declares `plan`, `apply` and `status`. */
export function defineManifest(
  program: Program,
  choose: (command: Command) => void,
): void {
  for (const mode of ["plan", "apply", "status"] as const) {
    program
      .command(mode)
      .argument(
        "[manifest]",
        "the manifest, JSON or YAML (default: migrations.json, .yaml or .yml)",
      )
      .description(MANIFEST_MODES[mode])
      .option(
        "--report <file>",
        "where the report goes, .md or .html (default: standard output, as text)",
      )
      .option(
        "--concurrency <n>",
        "sources that are fetched and rewritten at once; they land one by one",
        atOnce,
        CONCURRENCY,
      )
      .option(...JSON_EVENTS)
      .addHelpText(
        "after",
        examples(
          `migrate-repo ${mode}`,
          `migrate-repo ${mode} teams/web.json --report ../report.html`,
        ),
      )
      .action((file: string | undefined, options: ManifestFlags) => {
        choose({
          kind: "manifest",
          mode,
          file,
          report: options.report,
          concurrency: options.concurrency,
          json: options.json,
        });
      });
  }
}
