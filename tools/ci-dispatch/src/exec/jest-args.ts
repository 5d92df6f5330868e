import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Choice } from "./jest-sequencer.js";

/** The arguments of a run of Jest, and the file of its report. */
export interface JestRun {
  readonly args: readonly string[];
  /** The file that Jest writes its report to. */
  readonly report: string;
}

/**
 * Prepares one run of Jest.
 * @param folder a new, empty folder
 * @param choice the test files to run; undefined for all that Jest finds
 */
export async function prepareJest(
  folder: string,
  choice: Choice | undefined,
): Promise<JestRun> {
  const report = join(folder, "report.json");
  const args = ["--json", `--outputFile=${report}`];
  if (!choice) return { args, report };
  const sequencer = join(folder, "sequencer.mjs");
  const maker = new URL("./jest-sequencer.js", import.meta.url).href;
  await writeFile(
    sequencer,
    `import { makeSequencer } from ${JSON.stringify(maker)};\nexport default makeSequencer(${JSON.stringify(choice)});\n`,
  );
  // Jest calls the sequencer's `shard` only with `--shard`. If all files of a shard are gone, Jest finds no tests.
  return {
    args: [
      ...args,
      `--testSequencer=${sequencer}`,
      "--shard=1/1",
      "--passWithNoTests",
    ],
    report,
  };
}
