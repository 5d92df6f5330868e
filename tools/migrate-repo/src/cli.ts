import type { CliWorld, ExitCode } from "@skein/reporting";
import {
  examples,
  parseCommandLine,
  Program,
} from "@skein/reporting/command-line";
import { defineAdd } from "./cli/add.js";
import { defineManifest } from "./cli/manifest.js";
import { defineNamed, defineRecover } from "./cli/named.js";
import { defineSync } from "./cli/sync.js";
import { defineVersions } from "./cli/versions.js";
import type { Command } from "./command.js";

/** Every verb, in the order of the help. */
const VERBS = [
  defineAdd,
  defineManifest,
  defineVersions,
  defineSync,
  defineNamed,
  defineRecover,
];

/**
 * Parses a command line. It writes help to stdout and errors to stderr.
 * @returns the command; or the exit code, if help was printed or the usage was wrong
 */
export function parseCli(
  world: Pick<CliWorld, "argv" | "stdout" | "stderr">,
): Command | ExitCode {
  const program = new Program("migrate-repo")
    .description(
      "Move a repository into this workspace, with all of its history.",
    )
    .usage("<command> [options]")
    .addHelpText("after", MORE);
  return parseCommandLine<Command>(
    {
      program,
      module: import.meta.url,
      groups: GROUPS,
      exitCodes: EXIT_CODES,
    },
    VERBS,
    world,
  );
}

const MORE = examples(
  "migrate-repo add acme/lib --dry-run           prints the plan",
  "migrate-repo add acme/lib --to packages/lib   migrates it to this folder",
  "migrate-repo apply migrations.json            migrates many repositories",
  "migrate-repo sync @acme/lib                   merges its new commits",
);

/** The commands below each heading of the help. */
const GROUPS = {
  "One repository:": ["add"],
  "Many repositories:": ["plan", "apply", "status"],
  "After a migration:": ["versions", "sync", "verify", "finish", "undo"],
  "After a conflict or a crash:": ["continue", "abort"],
};

const CODES = {
  0: "done",
  1: "a script or a check failed",
  2: "wrong usage",
  3: "refused, or could not finish",
};

/** The exit codes of verbs that check nothing. */
const RECOVERED = { 0: CODES[0], 2: CODES[2], 3: CODES[3] };

/** The exit codes in the help, by verb. */
const EXIT_CODES = {
  "": CODES,
  add: { ...CODES, 1: "the migration is done, but a script of --run failed" },
  plan: { ...CODES, 1: "a repository is refused" },
  apply: { ...CODES, 1: "a repository isn't migrated, or its scripts failed" },
  status: { ...CODES, 1: "a repository isn't done" },
  versions: { ...CODES, 1: "a version differs from the workspace's" },
  sync: { ...CODES, 1: "the merge has conflicts" },
  verify: { ...CODES, 1: "something from the source is missing" },
  finish: {
    ...CODES,
    1: "the source has new commits, or something is missing",
  },
  undo: RECOVERED,
  continue: { ...CODES, 1: "conflicts remain" },
  abort: RECOVERED,
  completion: { 0: CODES[0], 2: CODES[2] },
};
