import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { gitIn, json, type Files } from "@skein/testing";
import {
  buildPair,
  fingerprint,
  libFiles,
  migrate,
  workspaceFiles,
  type Pair,
} from "../migrate.test.kit.js";
import {
  startRegistry,
  type Registry,
} from "../registration/registry.test.kit.js";

/** Builds a package with scripts, and a workspace whose pipeline builds dependencies first. */
async function pairWith(
  registry: Registry,
  test: string,
  settings: Files,
): Promise<Pair> {
  const pair = await buildPair(
    [
      {
        files: {
          "package.json": json({
            name: "@acme/lib",
            version: "1.0.0",
            dependencies: { "@acme/app": "^1.0.0", ms: "^2.0.0" },
            scripts: {
              build:
                "node -e \"require('ms/package.json'); require('fs').writeFileSync('built', '')\"",
              test,
            },
          }),
          ".gitignore": "built\n",
        },
      },
    ],
    [
      {
        files: {
          ...workspaceFiles,
          ".gitignore": "node_modules\n.yarn\nbuilt\n",
          ".yarnrc.yml": registry.yarnrc,
          ...settings,
          "packages/app/package.json": json({
            name: "@acme/app",
            version: "1.0.0",
            scripts: {
              build: "node -e \"require('fs').writeFileSync('built', '')\"",
            },
          }),
          "yarn.lock": "",
        },
      },
    ],
  );
  await registry.yarn(pair.target, "install");
  gitIn(pair.target, "commit", "--quiet", "-am", "locked");
  return pair;
}

test("scripts run after the landing, in the order of the pipeline, and are in the report", async () => {
  await using registry = await startRegistry({ "ms@2.1.3": {} });
  await using pair = await pairWith(
    registry,
    "node -e \"require('fs').readFileSync('built')\"",
    {
      "skein.json": json({
        pipeline: { build: ["^build"], test: ["build"], lint: ["build"] },
      }),
    },
  );
  const { code, stdout } = await migrate(
    pair.target,
    ["add", "../lib", "--run", "build,test", "lint"],
    { env: registry.env },
  );
  expect(stdout.slice(stdout.indexOf("Ran "))).toBe(`Ran 3 scripts in 0 ms.
  @acme/app#build: passed, 0 ms
  @acme/lib#build: passed, 0 ms
  @acme/lib#test: passed, 0 ms
  @acme/lib#lint: there is no such script
`);
  expect(code).toBe(0);
  expect(gitIn(pair.target, "status", "--porcelain")).toBe("");
});

test("without a pipeline, scripts run in the requested order; a failure rolls nothing back, and prints the state and the next steps", async () => {
  await using registry = await startRegistry({ "ms@2.1.3": {} });
  await using pair = await pairWith(
    registry,
    "echo expected 1, got 2 && exit 7",
    {},
  );
  const { code, stdout } = await migrate(
    pair.target,
    ["add", "../lib", "--run", "build", "test"],
    { env: registry.env },
  );
  expect(code).toBe(1);
  expect(stdout.slice(stdout.indexOf("Ran "))).toBe(`Ran 3 scripts in 0 ms.
  @acme/app#build: passed, 0 ms
  @acme/lib#build: passed, 0 ms
  @acme/lib#test: failed with exit code 7, 0 ms
✗ @acme/lib#test failed with exit code 7 (0 ms)
expected 1, got 2
@acme/lib is migrated nevertheless: history and files are in the workspace, and nothing was rolled back.
To rerun it: yarn workspace @acme/lib run test
To go back to before the migration: migrate-repo undo @acme/lib
`);
  expect(
    await readFile(join(pair.target, "packages/lib/package.json"), "utf8"),
  ).toContain("@acme/lib");
});

test.each(["--no-install", "--no-register"])(
  "%s and --run contradict each other",
  async (option) => {
    await using pair = await buildPair([{ files: libFiles }]);
    const before = await fingerprint(pair.target);
    const { code, stderr } = await migrate(pair.target, [
      "add",
      "../lib",
      option,
      "--run",
      "test",
    ]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `migrate-repo: scripts can run only in an installed workspace, and ${option} skips the installation\nhint: omit ${option}, or omit --run and run them yourself later\n`,
    });
    expect(await fingerprint(pair.target)).toBe(before);
  },
);
