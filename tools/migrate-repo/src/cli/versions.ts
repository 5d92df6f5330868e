import type { Command as Program } from "commander";
import { examples } from "@skein/reporting/command-line";
import type { Command } from "../command.js";

/** Declares `versions check` and `versions align`. */
export function defineVersions(
  program: Program,
  choose: (command: Command) => void,
): void {
  const versions = program
    .command("versions")
    .description(
      "Checks or enforces one version of each dependency in the whole workspace.",
    );
  versions
    .command("check")
    .description(
      "Names each dependency that is at another version than the workspace's: the default catalog's, else the newest in use.",
    )
    .option("--json", "one JSON object on standard output", false)
    .addHelpText(
      "after",
      examples(
        "migrate-repo versions check",
        "migrate-repo versions check --json | jq '.violations[].dependency'",
      ),
    )
    .action(({ json }: { json: boolean }) => {
      const mode = "check";
      choose({ kind: "versions", mode, dryRun: false, majors: false, json });
    });
  versions
    .command("align")
    .description(
      "Writes the workspace's version where another one is, and the policy as Yarn constraints: one-version.cjs, and yarn.config.cjs where there is none.",
    )
    .option("--dry-run", "show what would be written, and write nothing", false)
    .option("--majors", "write it across major versions, too", false)
    .option("--json", "one JSON object on standard output", false)
    .addHelpText(
      "after",
      examples(
        "migrate-repo versions align --dry-run",
        "migrate-repo versions align && yarn install && yarn constraints",
      ),
    )
    .action((options: { dryRun: boolean; majors: boolean; json: boolean }) => {
      choose({ kind: "versions", mode: "align", ...options });
    });
}
