import { InvalidArgumentError, Option } from "commander";
import type { Command } from "../command.js";
import { MAX_FILE_SIZE_MIB, MIB } from "../default-request.js";
import { PERMISSIONS, type MigrationRequest } from "../migration.js";
import { registrationSteps } from "../registration/index.js";
import { steps } from "../steps/index.js";
import type { Declare, Program } from "@skein/reporting/command-line";
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
export const defineAdd: Declare<Command> = (program, emit) => {
  const add = program
    .command("add")
    .argument(
      "<source>",
      "a git URL, a folder, a git bundle, or owner/name on GitHub",
    )
    .description(
      "move one repository into the workspace: history, clean-up, registration",
    )
    .optionsGroup("Source and destination:")
    .option(
      "--to <folder>",
      "the destination folder (default: packages/<name>)",
    )
    .option("--name <name>", "the package's name (default: its package.json's)")
    .option("--ref <branch>", "the source's branch (default: its main one)");
  declareHistory(add.optionsGroup("History:"));
  declareWork(add);
  add
    .optionsGroup("Open pull requests:")
    .option(...PRS)
    .option(...TRANSPLANT)
    .option(...GITHUB)
    .optionsGroup("Output:")
    .option("--dry-run", "print the plan and write nothing", false)
    .option(...JSON_EVENTS)
    .examples(
      "migrate-repo add acme/lib --to packages/lib --dry-run",
      "migrate-repo add git@github.com:acme/mono.git --only packages/a packages/b",
      "migrate-repo add acme/lib --transplant --run build test",
    )
    .action((source: string, options: AddOptions) => {
      const { dryRun, json, originals, maxFileSize, ...rest } = options;
      emit({
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
};

/** Declares the options for history, branches and tags. */
function declareHistory(add: Program): void {
  add
    .addOption(
      new Option(
        "--history <mode>",
        "graft: rewrite every commit to be below the folder, so that log, blame and --follow work as before; move: keep commits, ids and signatures, and add one commit that moves the files; squash: one commit",
      )
        .choices(["graft", "move", "squash"])
        .default("graft"),
    )
    .addOption(
      new Option(
        "--only <paths...>",
        "migrate only these folders of the source, each PATH or PATH=DESTINATION, with the commits that touch them; auto: all packages of a source that is a workspace",
      ).default([], "everything"),
    )
    .addOption(
      new Option(
        "--branches <globs...>",
        "also migrate these branches, as <folder>/<branch>",
      ).default([], "none but the chosen one"),
    )
    .addOption(
      new Option(
        "--tags <which>",
        "reachable: tags on migrated commits; all: every tag, with the history it needs",
      )
        .choices(["reachable", "all", "none"])
        .default("reachable"),
    )
    .option(
      "--tag-format <format>",
      "the names of tags: {name}, {version} (the tag without v), {tag}",
      "{name}@{version}",
    )
    .option(
      "--qualify-refs <owner/repo>",
      "rewrite #12 in messages as owner/repo#12; changes commit ids (default: leave messages unchanged)",
    )
    .option(
      "--trailer",
      "add the original commit to each message; changes commit ids; refs/migrate/<name>/map contains the same information",
      false,
    )
    .option(
      "--no-originals",
      "do not store the source's own commits under refs/migrate/<name>/",
    );
}

/** Declares the options that lift refusals, and those for the work in the workspace. */
function declareWork(add: Program): void {
  const stepIds = [...steps, ...registrationSteps].map(({ id }) => id);
  add
    .optionsGroup("Refusals:")
    .addOption(
      new Option(
        "--allow <what...>",
        "allow something that is otherwise refused",
      )
        .choices(PERMISSIONS)
        .default([], "nothing"),
    )
    .option(
      "--max-file-size <MiB>",
      "reject a history that contains a larger file",
      mebibytes,
      MAX_FILE_SIZE_MIB,
    )
    .optionsGroup("Clean-up and registration:")
    .addOption(
      new Option(
        "--skip <steps...>",
        `steps to skip: ${stepIds.join(", ")}`,
      ).default([], "none"),
    )
    .addOption(
      new Option(
        "--versions <policy>",
        "the versions of shared dependencies that the new package gets: conform: the workspace's; keep: its own; highest: the higher of the two, only for itself",
      )
        .choices(["conform", "keep", "highest"])
        .default("conform"),
    )
    .option("--no-install", "do not run Yarn; update yarn.lock yourself later")
    .option(
      "--no-register",
      "only add files and history; register the package later",
    )
    .addOption(
      new Option(
        "--run <scripts...>",
        "after landing, run `yarn install` and these scripts of the package, such as build test; a failure is reported, but rolls nothing back",
      ).default([], "none"),
    );
}
