import { lookup } from "node:dns/promises";
import { readFile, rm, statfs as readDisk, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { formatBytes } from "@skein/reporting";

/** What the machine itself shows of the time in which a unit ran. */
export interface MachineState {
  /** Why our own file could not be written at the end of the run, by its errno; null where it could. */
  readonly write: string | null;
  /** A disk that had next to nothing free at some moment; null where each had enough. */
  readonly disk: string | null;
  /** Processes of our control group that the kernel ended for want of memory. */
  readonly oomKills: number;
  /** Why no host name can be resolved, by the errno of our own request; null where one can, or nobody has asked. */
  readonly network: string | null;
}

/** The moment at which a unit started. */
export interface Mark {
  readonly at: number;
  readonly oomKills: number;
}

/** A watch over the machine while units run. */
export interface MachineWatch {
  mark(): Promise<Mark>;
  /**
   * @param mark undefined for a unit that never started
   * @param asksNetwork whether a host name is to be resolved, which takes up to five seconds
   */
  since(mark: Mark | undefined, asksNetwork: boolean): Promise<MachineState>;
  close(): void;
}

export interface MachineOptions {
  /** Folders on the disks that units write to; the first takes a file of ours, and is removed by the caller. */
  readonly folders: readonly [string, ...string[]];
  /** Milliseconds. */
  readonly now: () => number;
  /** A host that units need: that of Yarn's registry. */
  readonly host: string;
  /** Where Linux shows its processes and its control groups. Default: `/proc`, `/sys/fs/cgroup`. */
  readonly proc?: string;
  readonly cgroup?: string;
  /** Reads what is free below a folder. Default: Node's. */
  readonly statfs?: (folder: string) => Promise<DiskSpace>;
}

/** What is free on a disk, as `statfs` tells. */
export interface DiskSpace {
  readonly bavail: number;
  readonly bsize: number;
  readonly files: number;
  readonly ffree: number;
}

/** A machine in order. */
export const NO_TROUBLE: MachineState = {
  write: null,
  disk: null,
  oomKills: 0,
  network: null,
};

/** A program that fails for want of space leaves free what it could not use. */
const LOW_BYTES = 64 * 1024 * 1024;
/** A file of this size needs blocks of its own on every file system. */
const PROBE_BYTES = 128 * 1024;
const LOOK_MS = 1_000;
const RESOLVE_MS = 5_000;
/** What the resolver says where it reaches no name server; `ENOTFOUND` comes from one. */
const NO_RESOLVER = new Set(["EAI_AGAIN", "EAI_FAIL", "ETIMEOUT"]);

/** Opens a watch that looks at the disks every second until it is closed. */
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

/** Says what is nearly used up: bytes, or numbers of files (0 of 0 where a file system has no such limit). Pure. */
export function lowDiskWords(folder: string, found: DiskSpace): string | null {
  const free = found.bavail * found.bsize;
  if (free < LOW_BYTES) return `${folder} had ${formatBytes(free)} free`;
  return found.files > 0 && found.ffree === 0
    ? `${folder} had no number for a file left`
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
 * Reads how many processes of our control group were ended for want of memory: `memory.events` of version 2,
 * `memory.oom_control` of version 1 (https://docs.kernel.org/admin-guide/cgroup-v2.html#memory-interface-files).
 * @returns 0 where the system does not tell
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
