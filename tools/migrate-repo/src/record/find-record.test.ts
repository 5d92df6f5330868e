import { join } from "node:path";
import { mkdir } from "node:fs/promises";
import { expect, test } from "@jest/globals";
import { buildHistory, json } from "@skein/testing";
import {
  buildPair,
  historyOnly,
  libFiles,
  migrate,
  shown,
} from "../migrate.test.kit.js";

test("a migration is found by a name that means one, by its folder, or by the name without its scope", async () => {
  await using pair = await buildPair([{ files: libFiles }]);
  const other = join(pair.dir, "other");
  await mkdir(other);
  buildHistory(other, [
    { files: { "package.json": json({ name: "@other/lib" }) } },
  ]);
  await migrate(pair.target, ["add", "../lib", ...historyOnly]);
  await migrate(pair.target, [
    ...["add", "../other", "--to", "packages/other", ...historyOnly],
  ]);
  for (const name of ["@acme/lib", "packages/lib", "packages/lib/"])
    expect(await shown(pair.target, ["verify", name])).toContain("@acme/lib");
  expect([
    await shown(pair.target, ["verify", "lib"]),
    await shown(pair.target, ["verify", "@acme/lip"]),
  ]).toMatchInlineSnapshot(`
[
  "2 stderr: migrate-repo: "lib" could be @acme/lib or @other/lib
hint: give the whole name
",
  "2 stderr: migrate-repo: there is no record of a migration "@acme/lip"
hint: migrated: @acme/lib, @other/lib; did you mean @acme/lib?
",
]
`);
});
