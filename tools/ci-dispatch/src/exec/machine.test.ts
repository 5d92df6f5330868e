import { expect, test } from "@jest/globals";
import { mkdir, readdir, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tempDir, writeFiles } from "@skein/testing";
import { lowDiskWords, NO_TROUBLE, openMachineWatch } from "./machine.js";

const roomy = { bavail: 1e6, bsize: 4096, files: 100, ffree: 10 };
test.each([
  ["a disk with enough space", {}, null],
  ["63 MiB", { bavail: 63 * 256 }, "/w had 63 MiB free"],
  ["64 MiB", { bavail: 64 * 256 }, null],
  ["a disk without a free inode", { ffree: 0 }, "/w had no free inode"],
  ["a file system without a limit of inodes", { files: 0, ffree: 0 }, null],
])("%s", (_, more, words) => {
  expect(lowDiskWords("/w", { ...roomy, ...more })).toBe(words);
});

test.each([
  [
    "version 2",
    "0::/a.slice\n",
    "a.slice/memory.events",
    (kills: number) => `low 0\noom 9\noom_kill ${kills}\noom_group_kill 0\n`,
  ],
  [
    "version 2 in a container, which shows its own group as the root",
    "0::/../../other\n",
    "memory.events",
    (kills: number) => `oom_kill ${kills}\n`,
  ],
  [
    "version 1",
    "9:cpu:/other\n4:memory:/a\n0::/\n",
    "memory/a/memory.oom_control",
    (kills: number) => `oom_kill_disable 0\nunder_oom 0\noom_kill ${kills}\n`,
  ],
])(
  "processes that were killed because memory ran out: %s",
  async (_, groups, file, text) => {
    await using temp = await tempDir();
    const cgroup = join(temp.path, "sys/fs/cgroup");
    await writeFiles(temp.path, { "proc/self/cgroup": groups });
    await writeFiles(cgroup, {
      [file]: text(3),
      "cpu/other/memory.events": text(50),
    });
    const watch = openMachineWatch({
      folders: [temp.path],
      now: () => 0,
      host: "localhost",
      proc: join(temp.path, "proc"),
      cgroup,
    });
    const mark = await watch.mark();
    expect(await watch.since(mark, false)).toMatchObject({ oomKills: 0 });
    await writeFile(join(cgroup, file), text(5));
    expect(await watch.since(mark, false)).toMatchObject({ oomKills: 2 });
    await writeFile(join(cgroup, file), text(0));
    expect(await watch.since(mark, false)).toMatchObject({ oomKills: 0 });
    watch.close();
  },
);

test("a full disk matters only if it was full while the unit ran", async () => {
  await using temp = await tempDir();
  let free = 1;
  let time = 5;
  const watch = openMachineWatch({
    folders: [temp.path],
    now: () => time,
    host: "localhost",
    proc: join(temp.path, "no"),
    statfs: () => Promise.resolve({ ...roomy, bavail: free }),
  });
  const first = await watch.mark();
  const words = `${temp.path} had 4.0 KiB free`;
  expect(await watch.since(first, false)).toMatchObject({ disk: words });
  time = 6;
  free = 1e6;
  const second = await watch.mark();
  expect(await watch.since(second, false)).toMatchObject({ disk: null });
  // Another unit that ran during the whole time.
  expect(await watch.since(first, false)).toMatchObject({ disk: words });
  watch.close();
});

test("a failed write is reported with its errno, a host name that can't be resolved with ours, and no file is left behind", async () => {
  await using temp = await tempDir();
  const folder = join(temp.path, "own");
  await mkdir(folder);
  const options = { folders: [folder] as const, now: () => 0 };
  const nowhere = {
    proc: join(temp.path, "no"),
    cgroup: join(temp.path, "no"),
  };
  const watch = openMachineWatch({ ...options, ...nowhere, host: "localhost" });
  const mark = await watch.mark();
  expect(await watch.since(mark, true)).toMatchObject({
    write: null,
    oomKills: 0,
    network: null,
  });
  expect(await readdir(folder)).toEqual([]);
  await rmdir(folder);
  expect(await watch.since(mark, false)).toMatchObject({ write: "ENOENT" });
  expect(await watch.since(undefined, true)).toEqual(NO_TROUBLE);
  watch.close();
});
