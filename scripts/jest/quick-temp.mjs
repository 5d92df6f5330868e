// Chooses a folder in memory for the tests' temporary files, if there is enough room and programs may be started there.
// The tests create and remove tens of thousands of small files. On a disk, that is half of git's cost: ext4, for
// example, looks for a new file's place among all those that were removed in the last seconds.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { freemem } from "node:os";
import { join } from "node:path";

const GIGABYTE = 2 ** 30;
/** A whole run takes less than one gigabyte; the rest is for the processes that it starts. */
const ROOM = 4 * GIGABYTE;
const MEMORY = 8 * GIGABYTE;

/**
 * Returns a folder in memory that only this user can list or write; undefined to use the system's own temporary folder
 */
export function quickTemp() {
  const home = "/dev/shm";
  const user = process.getuid?.();
  const folder = join(home, `skein-tests-${user}`);
  try {
    const { bavail, bsize } = statfsSync(home);
    const memory = Math.min(
      freemem(),
      process.constrainedMemory() || Number.MAX_SAFE_INTEGER,
    );
    if (bavail * bsize < ROOM || memory < MEMORY) return undefined;
    mkdirSync(folder, { recursive: true, mode: 0o711 });
    // Another user may have created the folder, or a link at its path.
    const found = lstatSync(folder);
    if (!found.isDirectory() || found.uid !== user) return undefined;
    // PostgreSQL refuses to run as root. Its tests start it as another user, who must have access to its program.
    if ((found.mode & 0o777) !== 0o711) chmodSync(folder, 0o711);
    return startsPrograms(folder) ? folder : undefined;
  } catch {
    // The folder doesn't exist, or isn't writable.
    return undefined;
  }
}

/** Returns whether programs in the folder can be started. Docker mounts /dev/shm without that permission. */
function startsPrograms(folder) {
  const program = join(folder, `try-${process.pid}`);
  try {
    writeFileSync(program, "#!/bin/sh\n", { mode: 0o700 });
    return spawnSync(program).status === 0;
  } finally {
    rmSync(program, { force: true });
  }
}
