import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { Failure } from "@skein/reporting";
import { Malformed, members } from "@skein/reporting/json";

/** Who goes on with a launch. */
export interface Holder {
  /** A word nobody else has. */
  readonly owner: string;
  readonly pid: number;
  /** The machine's name: a process id says nothing elsewhere. */
  readonly host: string;
}

export interface Lock {
  /** @throws {Failure} where the lock is another's by now: two would start jobs twice */
  check(): Promise<void>;
  release(): Promise<void>;
}

/**
 * Takes the lock of a file: one process at a time. A holder that is dead is relieved; one that lives, or that runs on a
 * machine where nobody can ask, is not.
 * @param isAlive whether a process of this machine runs
 * @throws {Failure} where it is held
 */
export async function takeLock(
  file: string,
  own: Holder,
  isAlive: (pid: number) => boolean,
): Promise<Lock> {
  const lock = `${file}.lock`;
  const held = (holder: Holder | undefined) =>
    new Failure(`another dispatcher goes on with this launch: ${of(holder)}`, {
      place: { file: lock },
      hint: "let it, or end it and run this again; where no such process is left, remove the file",
    });
  if (!(await create(lock, own))) {
    // Whoever relieves a dead holder holds this meanwhile: of two, one comes too late instead of removing the other's lock.
    const guard = `${lock}.taking`;
    if (!(await create(guard, own))) throw held(await read(guard));
    try {
      const holder = await read(lock);
      const isDead =
        holder?.host === own.host &&
        // A container that is started again has the same name and the same ids.
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

/** Where an owner writes before it is renamed: nobody writes into another's. */
export function draftOf(file: string, owner: string): string {
  return `${file}.${owner}.new`;
}

/** A lock that is there is whole: it is written under another name, and linked. @returns false where there is one */
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

/** @returns undefined where there is none, or one that nobody of us has written */
async function read(lock: string): Promise<Holder | undefined> {
  try {
    const holder = members(JSON.parse(await readFile(lock, "utf8")), "lock");
    const owner = holder.text("owner");
    // It becomes part of a file's name.
    if (!/^[\w-]+$/.test(owner)) return undefined;
    return { owner, pid: holder.number("pid"), host: holder.text("host") };
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    if (isMissing || error instanceof Malformed || error instanceof SyntaxError)
      return undefined;
    throw error;
  }
}

function of(holder: Holder | undefined): string {
  return holder ? `process ${holder.pid} of ${holder.host}` : "one unknown";
}
