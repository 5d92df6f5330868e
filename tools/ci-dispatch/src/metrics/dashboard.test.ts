import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { tempDir } from "@skein/testing";
import { metricsIn, writeStore } from "./call.test.kit.js";
import { END, weeks } from "./dashboard/dashboard.test.kit.js";

const day = new Date(END - 1).toISOString().slice(0, 10);

test("metrics dashboard writes one page with the baseline and the budget", async () => {
  await using dir = await tempDir();
  await writeStore(join(dir.path, "events"), weeks({ pulls: 120 }));
  const { exitCode, stdout, stderr } = await metricsIn(
    dir.path,
    [
      "dashboard",
      ...["--store", "events", "--as-of", day, "--window", "3w"],
      ...["--baseline", "2026-03-08", "--budget", "90m"],
      ...["--output", "site/index.html"],
    ],
    { GITHUB_SERVER_URL: "https://git.acme.example" },
  );
  expect({ exitCode, stdout, stderr }).toEqual({
    exitCode: 0,
    stdout: "",
    stderr: `wrote ${join(dir.path, "site/index.html")}\n`,
  });
  const page = await readFile(join(dir.path, "site/index.html"), "utf8");
  expect(page).toContain("as of 30 Mar 2026, 00:00 UTC");
  expect(page).toContain("within the budget of 90 min");
  expect(page).toContain("P90 before (16 Feb 2026 to 8 Mar 2026) and now");
  expect(page).toContain("https://git.acme.example/acme/web/pull/");
});

test("unreadable and unwritable files are reported, and nothing is written", async () => {
  await using dir = await tempDir();
  const bad = (...args: readonly string[]) =>
    metricsIn(dir.path, ["dashboard", ...args]);
  expect(await bad("--store", "events")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("--output is missing"),
  });
  expect(await bad("--store", "none", "-o", "page.html")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("none"),
  });
  await writeStore(join(dir.path, "events"), weeks({ pulls: 3 }));
  expect(await bad("--store", "events", "-o", "events")).toEqual({
    exitCode: 2,
    stdout: "",
    stderr: "ci-dispatch: events: cannot be written: it is a folder\n",
  });
});
