import { mkdtempSync, rmdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Returns the time that a newly written file gets, in milliseconds. The clock of file systems lags behind that of the
 * system.
 * @param dir an existing folder on the file system in question
 */
export function fileClock(dir = tmpdir()): number {
  const folder = mkdtempSync(join(dir, "skein-clock-"));
  try {
    return statSync(folder).ctimeMs;
  } finally {
    rmdirSync(folder);
  }
}
