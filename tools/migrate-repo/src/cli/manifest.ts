import { InvalidArgumentError } from "commander";
import type { Declare } from "@skein/reporting/command-line";
import type { Command } from "../command.js";
import { JSON_EVENTS } from "./json-option.js";

const MANIFEST_MODES = {
  plan: "show how the repositories in a manifest would be migrated; writes nothing",
  apply:
    "migrate the repositories in a manifest that the workspace does not have yet; run it again to continue",
  status:
    "compare the repositories in a manifest with the workspace; without a manifest, compare all migrated packages with their sources",
} as const;

/** The default number of concurrent sources: both their servers and a local disk can handle this easily. */
const CONCURRENCY = 4;

type Flags = Omit<
  Extract<Command, { kind: "manifest" }>,
  "kind" | "mode" | "file"
>;

function atOnce(text: string): number {
  if (!/^[1-9]\d?$/.test(text))
    throw new InvalidArgumentError("It takes a whole number from 1 to 99.");
  return Number(text);
}

/** Declares `plan`, `apply` and `status`. */
export const defineManifest: Declare<Command> = (program, emit) => {
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
        "where to write the report, .md or .html (default: standard output, as text)",
      )
      .option(
        "--concurrency <n>",
        "the number of sources to fetch and rewrite at once; they land one by one",
        atOnce,
        CONCURRENCY,
      )
      .option(...JSON_EVENTS)
      .examples(
        `migrate-repo ${mode}`,
        `migrate-repo ${mode} teams/web.json --report ../report.html`,
      )
      .action((file: string | undefined, flags: Flags) =>
        emit({ kind: "manifest", mode, file, ...flags }),
      );
  }
};
