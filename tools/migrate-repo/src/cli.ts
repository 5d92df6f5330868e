import { Command as Program, CommanderError } from "commander";
import type { Out } from "@skein/reporting";
import { defineAdd } from "./cli/add.js";
import { defineManifest } from "./cli/manifest.js";
import { defineNamed } from "./cli/named.js";
import { defineRecover } from "./cli/recover.js";
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
 * Reads the command line.
 * @returns the command; or the exit code, where help was asked for or the usage was wrong
 */
export function parseArguments(
  argv: readonly string[],
  stdout: Out,
  stderr: Out,
): Command | number {
  let command: Command | undefined;
  const program = new Program("migrate-repo")
    .description(
      "Brings a repository into this workspace, with all of its history, and nothing lost.",
    )
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
    });
  for (const define of VERBS) define(program, (chosen) => (command = chosen));
  try {
    program.parse(argv, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander's own code for wrong usage is 1; ours is 2.
    return error.exitCode === 0 ? 0 : 2;
  }
  return command ?? 2;
}
