import { expect, test } from "@jest/globals";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { json, tempDir, writeFiles } from "@skein/testing";
import { openYarnProject } from "@skein/runner";
import { JEST } from "../runners/jest.js";
import { judgingWords, probeSettings, settingsOf } from "./probe.js";
import { shownSettings } from "../runners/settings.test.kit.js";

test("each script is queried separately; a script that only Yarn can start and that does more isn't queried", async () => {
  await using temp = await tempDir();
  await writeFiles(temp.path, {
    "package.json": json({ name: "root", packageManager: "yarn@4.18.1" }),
    "show.cjs": `console.log(${JSON.stringify(shownSettings({ bail: 1 }))});\n`,
  });
  const units = Object.entries({
    shown: "echo no > built && node show.cjs",
    refused: "exit 3",
    silent: "echo fine",
    piped: "node show.cjs | cat",
  }).map(([id, command]) => ({
    id,
    workspace: "root",
    dir: ".",
    script: id,
    command,
    runner: JEST,
  }));
  const project = await openYarnProject({
    root: temp.path,
    env: process.env,
    node: process,
  });
  const options = {
    folder: temp.path,
    concurrency: 2,
    signal: new AbortController().signal,
    now: () => 0,
  };
  const answers = await probeSettings(units, { project, ...options });
  const shown = { judging: ["bail"], failureExitCode: 1 };
  expect(Object.fromEntries(answers)).toEqual({
    shown,
    refused: "refused",
    silent: "unknown",
  });
  expect(existsSync(join(temp.path, "built"))).toBe(false);
  const nobody = { ...project, needsYarn: "a plugin", yarn: undefined };
  expect(await probeSettings(units, { project: nobody, ...options })).toEqual(
    new Map(),
  );
  const some = { file: "false", args: [], version: "4.18.1" };
  const byYarn = { ...nobody, yarn: some };
  const asked = await probeSettings(units, { project: byYarn, ...options });
  expect([...asked.keys()]).toEqual(["refused", "silent"]);
});

test("descriptions of settings", () => {
  expect(settingsOf("refused")).toBeUndefined();
  expect(judgingWords(JEST, "unknown")).toBe(
    "Jest does not show its settings here",
  );
  expect(
    judgingWords(JEST, { judging: ["bail", "runner"], failureExitCode: 1 }),
  ).toBe("Jest's bail, runner judges the whole run");
});
