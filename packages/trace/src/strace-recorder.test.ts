import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, expect, test } from "@jest/globals";
import { suiteDir } from "@skein/testing";
import { StraceRecorder } from "./strace-recorder.js";

const folder = await suiteDir(afterAll);

/** A child that makes 3000 calls that aren't recorded, and prints how often it was stopped or waited. */
const SCRIPT = `
(
  i=0
  while [ $i -lt 3000 ]; do umask 022; i=$((i + 1)); done
  while read -r name count; do
    if [ "$name" = voluntary_ctxt_switches: ]; then echo "$count"; fi
  done < /proc/self/status
)
true`;

test("a new process isn't stopped at calls that aren't recorded", async () => {
  const unit = {
    ...{ id: "a#test", workspace: "a", dir: ".", script: "test" },
    ...{
      version: "",
      command: SCRIPT,
      args: [],
      pulledIn: false,
      dependsOn: [],
    },
  };
  const recorder = new StraceRecorder({ folder, viaYarn: undefined }, folder);
  const { launcher, env } = recorder.launch(unit, {
    ...{ script: "test", command: SCRIPT, args: [], cwd: folder },
    env: { PATH: process.env["PATH"] ?? "" },
  });
  const { stdout } = await promisify(execFile)(
    launcher?.program ?? "",
    [...(launcher?.args ?? []), "sh", "-c", SCRIPT],
    { cwd: folder, env },
  );
  expect(Number(stdout)).toBeLessThan(1000);
});
