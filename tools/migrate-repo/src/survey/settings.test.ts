import { expect, test } from "@jest/globals";
import { json } from "@skein/testing";
import {
  buildPair,
  fingerprint,
  libFiles,
  migrate,
  workspaceFiles,
} from "../migrate.test.kit.js";

test.each([
  [
    { migrate: { protectedBranches: ["main"] } },
    3,
    'migrate-repo: "main" is a protected branch (skein.json, migrate.protectedBranches)\n' +
      "hint: work on your own branch: git switch -c migrate; or --allow protected-branch\n",
  ],
  [
    { migrate: { protectedBranch: ["main"] } },
    2,
    `skein.json:3: "migrate.protectedBranch" isn't a setting of Skein\n` +
      "hint: allowed there: protectedBranches, ownVersions\n",
  ],
])("skein.json %j", async (settings, code, stderr) => {
  await using pair = await buildPair(
    [{ files: libFiles }],
    [{ files: { ...workspaceFiles, "skein.json": json(settings) } }],
  );
  const before = await fingerprint(pair.target);
  const ran = await migrate(pair.target, ["add", "../lib"]);
  expect({
    ...ran,
    stderr: ran.stderr.replace(/^migrate-repo: (?=skein)/, ""),
  }).toEqual({ code, stdout: "", stderr });
  expect(await fingerprint(pair.target)).toBe(before);
});
