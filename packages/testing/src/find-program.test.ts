import { expect, test } from "@jest/globals";
import { findProgram, type NeededProgram } from "./find-program.js";
import { tempDir, writeFiles } from "./temp-dir.js";

const tool: NeededProgram = {
  names: ["tool", "tool-2"],
  variable: "TOOL_PATH",
  package: "tools",
  tests: "some tests",
};

test("findProgram prefers the variable to PATH; a missing program fails if all tests are required", async () => {
  await using dir = await tempDir();
  await writeFiles(dir.path, {
    "a/tool": "not executable",
    "b/tool-2": { executable: "#!/bin/sh\n" },
  });
  const PATH = `${dir.path}/a:${dir.path}/b`;
  expect(findProgram(tool, { PATH })).toBe(`${dir.path}/b/tool-2`);
  const TOOL_PATH = `${dir.path}/b/tool-2`;
  expect(findProgram(tool, { PATH: "", TOOL_PATH })).toBe(TOOL_PATH);
  for (const asked of [{ CI: "true" }, { SKEIN_ALL_TESTS: "1" }]) {
    expect(() => findProgram(tool, { PATH: "", ...asked })).toThrow(
      "No tool was found (TOOL_PATH, PATH): some tests cannot run. On Debian: apt-get install tools",
    );
    expect(() =>
      findProgram(tool, { PATH, TOOL_PATH: "/none", ...asked }),
    ).toThrow("No tool was found");
  }
});
