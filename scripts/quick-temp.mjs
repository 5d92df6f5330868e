// Where the tests' temporary folders go: into memory, where there is room and programs may be started.
// They make and remove tens of thousands of small files. On a disk that is half of what git costs them: ext4, for one,
// looks for a new file's place among all those that were removed in the last seconds.
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
/** A whole run takes less than one gigabyte; the rest is for what it starts. */
const ROOM = 4 * GIGABYTE;
const MEMORY = 8 * GIGABYTE;

/** @returns a folder in memory, which this user alone can list or write in; undefined where the system's own temporary folder is to be used */
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
    // Somebody else may have made it, or put a link there.
    const found = lstatSync(folder);
    if (!found.isDirectory() || found.uid !== user) return undefined;
    // PostgreSQL refuses to run as root: its tests start it as somebody else, who must get to its program.
    if ((found.mode & 0o777) !== 0o711) chmodSync(folder, 0o711);
    return startsPrograms(folder) ? folder : undefined;
  } catch {
    // There is no such folder, or it is not ours to write in.
    return undefined;
  }
}

/** Docker mounts it so that nothing in it can be started. */
function startsPrograms(folder) {
  const program = join(folder, `try-${process.pid}`);
  try {
    writeFileSync(program, "#!/bin/sh\n", { mode: 0o700 });
    return spawnSync(program).status === 0;
  } finally {
    rmSync(program, { force: true });
  }
}
