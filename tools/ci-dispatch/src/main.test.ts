import { expect, test } from "@jest/globals";
import { spawnSync } from "node:child_process";
import { cp } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gitTestEnv, tempDir } from "@skein/testing";
import { dispatchIn, program } from "./cli.test.kit.js";

const fixtures = fileURLToPath(
  new URL("../fixtures/verdict/", import.meta.url),
);

// All other tests call the function in this process. This one checks that the program behaves the same.
test.each([
  ["its output, its folder and its exit code", ["verdict"], 1],
  ["an error", ["verdict", "--plan=gone.json"], 3],
  ["wrong usage", ["verdit"], 2],
])(
  "the program prints the same as its function: %s",
  async (_what, args, code) => {
    await using temp = await tempDir();
    await cp(fixtures, temp.path, { recursive: true });
    const { status, stdout, stderr } = spawnSync(program, args, {
      cwd: temp.path,
      env: gitTestEnv,
      encoding: "utf8",
    });
    expect({ exitCode: status, stdout, stderr }).toEqual(
      await dispatchIn(temp.path, args),
    );
    expect(status).toBe(code);
  },
);
