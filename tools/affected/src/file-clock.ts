import { mkdtempSync, rmdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Returns the time that a file gets which is written now, in milliseconds: the clock of file systems lags the system's.
 * @param dir an existing folder on the file system that is asked
 */
export function fileClock(dir = tmpdir()): number {
  const folder = mkdtempSync(join(dir, "skein-clock-"));
  try {
    return statSync(folder).ctimeMs;
  } finally {
    rmdirSync(folder);
  }
}
