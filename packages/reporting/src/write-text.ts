import { mkdir, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { systemWords, usageFailure } from "./failure.js";

/**
 * Writes a file that the user named, with the folders that it needs.
 * @returns its absolute path
 * @throws {Failure} (usage) if it can't be written
 */
export async function writeText(
  cwd: string,
  name: string,
  text: string,
): Promise<string> {
  const file = resolve(cwd, name);
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  } catch (error) {
    throw usageFailure(`cannot be written: ${systemWords(error)}`, {
      place: { file: name },
      cause: error,
    });
  }
  return file;
}
