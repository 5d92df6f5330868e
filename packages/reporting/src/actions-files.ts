import { appendFile } from "node:fs/promises";
import { ciOf, type Env } from "@skein/ci";
import { outputEntry } from "./actions.js";

/**
 * Adds outputs to the step if a step runs Skein (GITHUB_OUTPUT names a file); else does nothing.
 * @returns whether they were written
 */
export async function appendOutputs(
  env: Env,
  outputs: Readonly<Record<string, string>>,
  delimiter: string,
): Promise<boolean> {
  const text = Object.entries(outputs)
    .map(([name, value]) => outputEntry(name, value, delimiter))
    .join("");
  return append(ciOf(env).outputs, () => text);
}

/**
 * Adds Markdown to the summary of the job's page if a step runs Skein (GITHUB_STEP_SUMMARY names a file).
 * @param render is called only in a step
 * @returns whether it was written
 */
export async function appendSummary(
  env: Env,
  render: () => string,
): Promise<boolean> {
  return append(ciOf(env).summary, () => {
    const markdown = render();
    return markdown.endsWith("\n") ? markdown : `${markdown}\n`;
  });
}

async function append(file: string | undefined, text: () => string) {
  if (file === undefined || file === "") return false;
  await appendFile(file, text());
  return true;
}
