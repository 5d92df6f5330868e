import { expect, test } from "@jest/globals";
import { Failure } from "@skein/reporting";
import { ManifestError } from "@skein/workspaces";
import { explainFailure } from "./world-failure.js";

const errno = (code: string, path?: string) =>
  Object.assign(new Error(`${code}: words of the system`), {
    code,
    ...(path !== undefined && { path }),
  });

const ACCESS =
  "give write access to it, and start again; if migrate-repo reports a migration in progress: migrate-repo abort";

test.each([
  ["EACCES", "/w/.git/x", "permission denied: /w/.git/x", ACCESS],
  ["EPERM", "/w/.git/x", "permission denied: /w/.git/x", ACCESS],
  ["EROFS", "/w/.git/x", "read-only file system: /w/.git/x", ACCESS],
  ["EACCES", undefined, "EACCES: words of the system", ACCESS],
  [
    "ENOSPC",
    "/w/x",
    "ENOSPC: words of the system",
    "free some disk space, and start again; if migrate-repo reports a migration in progress: migrate-repo abort",
  ],
])("%s (%s) isn't reported as a bug", async (code, path, sentence, hint) => {
  const failure = await explainFailure(errno(code, path), false);
  expect(failure).toBeInstanceOf(Failure);
  expect(failure).toMatchObject({ message: sentence, hint });
});

test("a manifest of the workspace that can't be read isn't reported as a bug", async () => {
  const failure = await explainFailure(
    new ManifestError("package.json", 2, "not JSON: a value is missing"),
    false,
  );
  expect(failure).toMatchObject({
    message:
      "cannot read the workspace: package.json:2: not JSON: a value is missing",
    hint: "fix that file first, and commit it",
  });
});

test("any other error is returned unchanged", async () => {
  const bug = errno("ENOENT", "/w/x");
  expect(await explainFailure(bug, false)).toBe(bug);
});
