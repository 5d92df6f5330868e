import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { Failure } from "@skein/reporting";
import * as json from "@skein/reporting/json";

/** The process that carries out a launch. */
export type Holder = json.TypeOf<typeof holder>;
const holder = json.object({
  /** A unique word, which becomes part of a file's name. */
  owner: json.matching(/^[\w-]+$/, "the owner is not a word"),
  pid: json.number,
  /** The machine's name. A process id has no meaning on other machines. */
  host: json.text,
});

export interface Lock {
  /**
   * Checks that this process still has the lock. Two processes would start jobs twice.
   * @throws {Failure} if another process has the lock
   */
  check(): Promise<void>;
  release(): Promise<void>;
}

/**
 * Takes the lock of a file for one process at a time. It takes over the lock of a dead process, but not of one that is
 * alive, or on another machine, where that can't be checked.
 * @param isAlive returns whether a process of this machine is running
 * @throws {Failure} if another process has the lock
 */
export async function takeLock(
  file: string,
  own: Holder,
  isAlive: (pid: number) => boolean,
): Promise<Lock> {
  const lock = `${file}.lock`;
  const held = (holder: Holder | undefined) =>
    new Failure(`another dispatcher is running this launch: ${of(holder)}`, {
      place: { file: lock },
      hint: "wait for it, or end it and run this again; if no such process exists, remove the file",
    });
  if (!(await create(lock, own))) {
    // A process holds this file while it takes over a lock. If two try, the second fails instead of removing the
    // first one's lock.
    const guard = `${lock}.taking`;
    if (!(await create(guard, own))) throw held(await read(guard));
    try {
      const holder = await read(lock);
      const isDead =
        holder?.host === own.host &&
        // A restarted container has the same name and the same process ids.
        (holder.pid === own.pid || !isAlive(holder.pid));
      if (!isDead) throw held(holder);
      await writeFile(`${lock}.${own.owner}`, JSON.stringify(own));
      await rename(`${lock}.${own.owner}`, lock);
      await rm(draftOf(file, holder.owner), { force: true });
    } finally {
      await rm(guard, { force: true });
    }
  }
  return {
    async check() {
      const holder = await read(lock);
      if (holder?.owner !== own.owner) throw held(holder);
    },
    async release() {
      const holder = await read(lock);
      if (holder?.owner === own.owner) await rm(lock, { force: true });
    },
  };
}

/** Returns the file that an owner writes before it renames it. Each owner has a separate one. */
export function draftOf(file: string, owner: string): string {
  return `${file}.${owner}.new`;
}

/**
 * Creates a lock. It writes another file and links it, so that a lock is always complete.
 * @returns false if a lock exists
 */
async function create(lock: string, own: Holder): Promise<boolean> {
  const draft = `${lock}.${own.owner}`;
  await writeFile(draft, JSON.stringify(own));
  try {
    await link(draft, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  } finally {
    await rm(draft);
  }
}

/**
 * Reads a lock.
 * @returns undefined if it doesn't exist, or has another format
 */
async function read(lock: string): Promise<Holder | undefined> {
  try {
    return json.parse(await readFile(lock, "utf8"), holder, "lock");
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    if (isMissing || error instanceof json.Malformed) return undefined;
    throw error;
  }
}

function of(holder: Holder | undefined): string {
  return holder ? `process ${holder.pid} of ${holder.host}` : "one unknown";
}
