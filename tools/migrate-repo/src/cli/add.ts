import {
  InvalidArgumentError,
  Option,
  type Command as Program,
} from "commander";
import type { Command } from "../command.js";
import { MAX_FILE_SIZE_MIB, MIB } from "../default-request.js";
import { PERMISSIONS } from "../manifest/fields.js";
import type { MigrationRequest } from "../migration.js";
import { registrationSteps } from "../registration/index.js";
import { steps } from "../steps/index.js";
import { examples } from "@skein/reporting/command-line";
import { JSON_EVENTS } from "./json-option.js";
import { GITHUB, PRS, TRANSPLANT } from "./pull-options.js";

interface AddOptions extends Omit<
  MigrationRequest,
  "source" | "keepOriginals"
> {
  readonly originals: boolean;
  readonly dryRun: boolean;
  readonly json: boolean;
}

function mebibytes(text: string): number {
  const number = Number(text);
  if (text.trim() === "" || !(number > 0))
    throw new InvalidArgumentError("It takes a number above 0.");
  return number;
}

/** Declares `add`. */
export function defineAdd(
  program: Program,
  choose: (command: Command) => void,
): void {
  const add = program
    .command("add")
    .argument(
      "<source>",
      "a git URL, a folder, a git bundle, or owner/name on GitHub",
    )
    .description(
      "Brings one repository into the workspace: history, clean-up, registration.",
    )
    .option(
      "--to <folder>",
      "the destination folder (default: packages/<name>)",
    )
    .option("--name <name>", "the package's name (default: its package.json's)")
    .option("--ref <branch>", "the source's branch (default: its main one)");
  declareHistory(add);
  declareWork(add);
  add
    .option(...PRS)
    .option(...TRANSPLANT)
    .option(...GITHUB)
    .option("--dry-run", "print the plan and write nothing", false)
    .option(...JSON_EVENTS)
    .addHelpText(
      "after",
      examples(
        "migrate-repo add acme/lib --to packages/lib --dry-run",
        "migrate-repo add https://github.com/acme/mono.git --only packages/a packages/b",
        "migrate-repo add acme/lib --transplant --run build test",
      ),
    )
    .action((source: string, options: AddOptions) => {
      const { dryRun, json, originals, maxFileSize, ...rest } = options;
      choose({
        kind: "add",
        request: {
          ...rest,
          source,
          run: rest.run.flatMap((one) => one.split(",")).filter(Boolean),
          keepOriginals: originals,
          maxFileSize: maxFileSize * MIB,
        },
        dryRun,
        json,
      });
    });
}

/** Declares the options for history, branches and tags. */
function declareHistory(add: Program): void {
  add
    .addOption(
      new Option(
        "--history <mode>",
        "graft: every commit rewritten below the folder, so that log, blame and --follow work as before; move: commits, ids and signatures as they are, and one commit that moves the files; squash: one commit",
      )
        .choices(["graft", "move", "squash"])
        .default("graft"),
    )
    .addOption(
      new Option(
        "--only <paths...>",
        "folders of the source, each PATH or PATH=DESTINATION; history that touches none of them stays behind; auto: all packages of a source that is a workspace",
      ).default([], "everything"),
    )
    .addOption(
      new Option(
        "--branches <globs...>",
        "branches that come along as <folder>/<branch>",
      ).default([], "none but the chosen one"),
    )
    .addOption(
      new Option(
        "--tags <which>",
        "reachable: those on commits that come along; all: with the history they need",
      )
        .choices(["reachable", "all", "none"])
        .default("reachable"),
    )
    .option(
      "--tag-format <format>",
      "what tags are called: {name}, {version} (the tag without v), {tag}",
      "{name}@{version}",
    )
    .option(
      "--qualify-refs <owner/repo>",
      "write #12 in messages as owner/repo#12; changes commit ids (default: messages as they are)",
    )
    .option(
      "--trailer",
      "name the original commit in each message; changes commit ids; refs/migrate/<name>/map holds the same information",
      false,
    )
    .option(
      "--no-originals",
      "do not keep the source's own commits under refs/migrate/<name>/",
    );
}

/** Declares the options that lift refusals, and those for the work in the workspace. */
function declareWork(add: Program): void {
  const stepIds = [...steps, ...registrationSteps].map(({ id }) => id);
  add
    .addOption(
      new Option("--allow <what...>", "lift a refusal")
        .choices(PERMISSIONS)
        .default([], "nothing"),
    )
    .option(
      "--max-file-size <MiB>",
      "refuse a history with a larger file",
      mebibytes,
      MAX_FILE_SIZE_MIB,
    )
    .addOption(
      new Option(
        "--skip <steps...>",
        `steps to leave out: ${stepIds.join(", ")}`,
      ).default([], "none"),
    )
    .addOption(
      new Option(
        "--versions <policy>",
        "which versions of shared dependencies the newcomer takes: conform: the workspace's; keep: its own; highest: the higher one, for itself",
      )
        .choices(["conform", "keep", "highest"])
        .default("conform"),
    )
    .option("--no-install", "do not run Yarn; update yarn.lock yourself later")
    .option(
      "--no-register",
      "add files and history only, and register the package later",
    )
    .addOption(
      new Option(
        "--run <scripts...>",
        "once it has landed, `yarn install` and run these scripts of the package, such as build test; a failure is reported and rolls nothing back",
      ).default([], "none"),
    );
}
