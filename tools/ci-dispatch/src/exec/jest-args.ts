import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Choice } from "./jest-sequencer.js";

/** The files through which Jest is told what to run, and tells what it did. */
export interface JestRun {
  readonly args: readonly string[];
  /** Where its report will be. */
  readonly report: string;
}

/**
 * Prepares one run of Jest.
 * @param folder a new, empty one
 * @param choice which test files; undefined for all that Jest finds
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
  // Jest asks the sequencer only where it is told to shard, and finds no test in a shard whose files are all gone.
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
