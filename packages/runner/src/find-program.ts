import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";

/**
 * Finds a program as a shell does.
 * @param path the variable PATH
 * @returns its file; undefined if no folder of the path has it
 */
export async function findProgram(
  name: string,
  path: string | undefined,
): Promise<string | undefined> {
  for (const dir of (path ?? "").split(delimiter)) {
    if (dir === "") continue;
    const file = join(dir, name);
    try {
      await access(file, constants.X_OK);
      return file;
    } catch {
      continue;
    }
  }
  return undefined;
}
