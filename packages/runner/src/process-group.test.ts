import { expect, test } from "@jest/globals";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { endGroup } from "./process-group.js";

test("a group that contains only a zombie has ended: it is neither waited for nor killed", async () => {
  // The shell becomes a `sleep`, which never reaps its child.
  const parent = spawn(
    "sh",
    ["-c", "setsid sh -c 'echo $$; exit 0' & exec sleep 600"],
    { stdio: ["ignore", "pipe", "ignore"] },
  );
  const [id] = (await once(parent.stdout, "data")) as [Buffer];
  const leader = Number(id);
  const stateOf = async () => {
    const stat = await readFile(`/proc/${leader}/stat`, "utf8");
    return stat.charAt(stat.lastIndexOf(")") + 2);
  };
  while ((await stateOf()) !== "Z") await sleep(5);
  const sent: (string | number)[] = [];
  await endGroup(
    (group, signal) => {
      sent.push(signal);
      return process.kill(group, signal);
    },
    leader,
    200,
  );
  expect(sent).toEqual(["SIGTERM", 0]);
  parent.kill("SIGKILL");
  await once(parent, "close");
});

test("no signals are sent to a group that doesn't exist", async () => {
  const sent: (string | number)[] = [];
  await endGroup(
    (_, signal) => {
      sent.push(signal);
      throw new Error("ESRCH");
    },
    2 ** 22,
    200,
  );
  expect(sent).toEqual(["SIGTERM"]);
});
