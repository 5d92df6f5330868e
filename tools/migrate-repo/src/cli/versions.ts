import type { Declare } from "@skein/reporting/command-line";
import type { Command } from "../command.js";

/** Declares `versions check` and `versions align`. */
export const defineVersions: Declare<Command> = (program, emit) => {
  const versions = program
    .command("versions")
    .description(
      "check or enforce one version of each dependency in the whole workspace",
    );
  versions
    .command("check")
    .description(
      "list each dependency whose version differs from the workspace's (that of the default catalog, else the newest in use)",
    )
    .option("--json", "print one JSON object", false)
    .examples(
      "migrate-repo versions check",
      "migrate-repo versions check --json | jq '.violations[].dependency'",
    )
    .action(({ json }: { json: boolean }) => {
      const mode = "check";
      emit({ kind: "versions", mode, dryRun: false, majors: false, json });
    });
  versions
    .command("align")
    .description(
      "write the workspace's version wherever a different one is used, and the policy as Yarn constraints: one-version.cjs, and yarn.config.cjs if there is none",
    )
    .option("--dry-run", "show what would be written, and write nothing", false)
    .option("--majors", "also change major versions", false)
    .option("--json", "print one JSON object", false)
    .examples(
      "migrate-repo versions align --dry-run",
      "migrate-repo versions align && yarn install && yarn constraints",
    )
    .action((options: { dryRun: boolean; majors: boolean; json: boolean }) => {
      emit({ kind: "versions", mode: "align", ...options });
    });
};
