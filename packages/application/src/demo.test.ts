import { expect, test } from "@jest/globals";
import { tempDir, yarnPath } from "@skein/testing";
import { skeinRoot } from "./packed.js";
import { runProgram } from "./process.js";

// The demo checks what each of its commands answers, so its exit code says nearly all; that it speaks of what to do next
// shows that it came to its end. Twice: the second one meets the first one's folder.
test("npm run demo does as it says, again and again", async () => {
  await using folder = await tempDir();
  for (const time of ["first", "second"]) {
    const { exitCode, stdout, stderr } = await runProgram(
      { cwd: skeinRoot, env: { TMPDIR: folder.path } },
      ...([process.execPath, yarnPath, "run", "demo:run"] as const),
    );
    expect({ time, exitCode, stderr }).toEqual({
      time,
      exitCode: 0,
      stderr: "",
    });
    expect(stdout).toContain("Now you");
  }
}, 180_000);
