import { expect, test } from "@jest/globals";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { tempDir } from "@skein/testing";
import { buildWorkspace, dispatchIn } from "../cli.test.kit.js";
import type { Plan } from "../plan.js";

test("300 affected packages: at most 256 jobs in a matrix; with `launch`, one job each", async () => {
  await using temp = await tempDir();
  const dir = join(temp.path, "ws");
  const names = Array.from({ length: 300 }, (_, index) => `p${index}`);
  const scripts = { test: "echo fine" };
  buildWorkspace(
    dir,
    Object.fromEntries(names.map((name) => [name, { scripts }])),
  );
  const planned = async (...more: string[]) => {
    const name = more.length === 0 ? "matrix" : "launch";
    const output = join(temp.path, `${name}.outputs`);
    const { exitCode, stdout } = await dispatchIn(
      dir,
      [
        "plan",
        "--base=main",
        "--one-package-per-job",
        "--max-jobs=400",
        "--json",
        ...more,
      ],
      { GITHUB_OUTPUT: output },
    );
    expect(exitCode).toBe(0);
    const { jobs } = JSON.parse(stdout) as Plan;
    const units = jobs.flatMap((job) => job.units);
    const names = [
      ...(await readFile(output, "utf8")).matchAll(/^([\w-]+)<</gm),
    ];
    return [jobs.length, units.length, names.map(([, name]) => name)];
  };
  expect(await planned()).toEqual([
    256,
    300,
    [
      ...["matrix", "any", "application", "any-application"],
      ...["packages", "any-packages", "inline", "limits", "traces", "plan"],
    ],
  ]);
  expect(await planned("--no-matrix")).toEqual([300, 300, ["any", "plan"]]);
});
