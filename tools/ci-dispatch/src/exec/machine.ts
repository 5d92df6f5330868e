import { lookup } from "node:dns/promises";
import { readFile, rm, statfs as readDisk, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { formatBytes } from "@skein/reporting";

/** The state of the machine while a unit ran. */
export interface MachineState {
  /** The errno with which writing our own file failed at the end of the run; null if it succeeded. */
  readonly write: string | null;
  /** A disk that was nearly full at some moment; null if all had enough space. */
  readonly disk: string | null;
  /** The number of processes in our control group that the kernel killed because memory ran out. */
  readonly oomKills: number;
  /** The errno with which our own request for a host name failed; null if it succeeded, or there was no request. */
  readonly network: string | null;
}

/** The moment at which a unit started. */
export interface Mark {
  readonly at: number;
  readonly oomKills: number;
}

/** A monitor of the machine while units run. */
export interface MachineWatch {
  mark(): Promise<Mark>;
  /**
   * Returns the state of the machine since a mark.
   * @param mark undefined for a unit that never started
   * @param asksNetwork whether to resolve a host name, which takes up to five seconds
   */
  since(mark: Mark | undefined, asksNetwork: boolean): Promise<MachineState>;
  close(): void;
}

export interface MachineOptions {
  /** Folders on the disks that units write to. The monitor writes a file to the first one, which the caller removes. */
  readonly folders: readonly [string, ...string[]];
  /** Returns milliseconds. */
  readonly now: () => number;
  /** A host that units need: Yarn's registry. */
  readonly host: string;
  /** The folders in which Linux shows processes and control groups. Default: `/proc`, `/sys/fs/cgroup`. */
  readonly proc?: string;
  readonly cgroup?: string;
  /** Reads the free space of a folder's disk. Default: Node's function. */
  readonly statfs?: (folder: string) => Promise<DiskSpace>;
}

/** The free space of a disk, as `statfs` returns it. */
export interface DiskSpace {
  readonly bavail: number;
  readonly bsize: number;
  readonly files: number;
  readonly ffree: number;
}

/** The state of a machine without trouble. */
export const NO_TROUBLE: MachineState = {
  write: null,
  disk: null,
  oomKills: 0,
  network: null,
};

/** A program that fails because the disk is full leaves the space that was too small for it. */
const LOW_BYTES = 64 * 1024 * 1024;
/** A file of this size needs blocks of its own on every file system. */
const PROBE_BYTES = 128 * 1024;
const LOOK_MS = 1_000;
const RESOLVE_MS = 5_000;
/** The resolver's errors if it reaches no name server. A name server itself answers `ENOTFOUND`. */
const NO_RESOLVER = new Set(["EAI_AGAIN", "EAI_FAIL", "ETIMEOUT"]);

/** Opens a monitor that checks the disks every second until it is closed. */
export function openMachineWatch(options: MachineOptions): MachineWatch {
  const { folders, now, host, statfs = readDisk } = options;
  let low: { readonly at: number; readonly words: string } | undefined;
  const look = async () => {
    for (const folder of folders) {
      const found = await statfs(folder).catch(() => undefined);
      const words = found ? lowDiskWords(folder, found) : null;
      if (words !== null) low = { at: now(), words };
    }
  };
  const timer = setInterval(() => void look(), LOOK_MS);
  timer.unref();
  return {
    async mark() {
      return { at: now(), oomKills: await oomKills(options) };
    },
    async since(mark, asksNetwork) {
      if (!mark) return NO_TROUBLE;
      const { at, oomKills: before } = mark;
      await look();
      return {
        write: await tryToWrite(folders[0]),
        disk: low !== undefined && low.at >= at ? low.words : null,
        oomKills: Math.max(0, (await oomKills(options)) - before),
        network: asksNetwork ? await tryToResolve(host) : null,
      };
    },
    close: () => clearInterval(timer),
  };
}

/** Reports bytes or inodes that are nearly used up. File systems without a limit of inodes have 0 of 0. Pure. */
export function lowDiskWords(folder: string, found: DiskSpace): string | null {
  const free = found.bavail * found.bsize;
  if (free < LOW_BYTES) return `${folder} had ${formatBytes(free)} free`;
  return found.files > 0 && found.ffree === 0
    ? `${folder} had no free inode`
    : null;
}

async function tryToWrite(folder: string): Promise<string | null> {
  const file = join(folder, "space");
  try {
    await writeFile(file, Buffer.alloc(PROBE_BYTES, 1));
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  } finally {
    await rm(file, { force: true }).catch(() => undefined);
  }
}

async function tryToResolve(host: string): Promise<string | null> {
  const code = await Promise.race([
    lookup(host).then(
      () => "",
      (error: unknown) => (error as NodeJS.ErrnoException).code ?? "",
    ),
    sleep(RESOLVE_MS, "ETIMEOUT", { ref: false }),
  ]);
  return NO_RESOLVER.has(code) ? code : null;
}

/**
 * Reads how many processes of our control group were killed because memory ran out: `memory.events` of version 2,
 * `memory.oom_control` of version 1 (https://docs.kernel.org/admin-guide/cgroup-v2.html#memory-interface-files).
 * @returns 0 if the system doesn't report it
 */
async function oomKills({
  proc = "/proc",
  cgroup = "/sys/fs/cgroup",
}: MachineOptions): Promise<number> {
  const groups = await readFile(join(proc, "self/cgroup"), "utf8").catch(
    () => "",
  );
  for (const line of groups.split("\n")) {
    const [, controllers = "", path = ""] =
      /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    const isMemory = controllers.split(",").includes("memory");
    if (path === "" || !(controllers === "" || isMemory)) continue;
    for (const folder of [
      join(cgroup, isMemory ? "memory" : "", path),
      cgroup,
    ]) {
      const name = isMemory ? "memory.oom_control" : "memory.events";
      const text = await readFile(join(folder, name), "utf8").catch(() => "");
      const [, kills] = /^oom_kill (\d+)$/m.exec(text) ?? [];
      if (kills !== undefined) return Number(kills);
    }
  }
  return 0;
}
