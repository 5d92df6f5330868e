// Installs Debian's Chromium for the browser tests where none is there, we are root, and apt-get is there (CI containers).
// Never fails: without a browser the tests themselves say so, and fail in CI.
import { spawnSync } from "node:child_process";

const there = (program) =>
  spawnSync("sh", ["-c", 'command -v "$0"', program]).status === 0;

if (
  process.env.CHROMIUM_PATH ||
  ["chromium", "chromium-browser", "google-chrome", "chrome"].some(there)
) {
  // There is nothing to do.
} else if (process.getuid?.() === 0 && there("apt-get")) {
  console.log("No Chromium here: installing Debian's for the browser tests");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (const args of [
    ["update", "-q"],
    ["install", "-y", "-q", "--no-install-recommends", "chromium"],
  ]) {
    const { status } = spawnSync("apt-get", args, { stdio: "inherit", env });
    if (status !== 0) {
      console.log("Chromium could not be installed; the tests will say so");
      break;
    }
  }
} else {
  console.log(
    "No Chromium here, and no way to install it; the tests will say so",
  );
}
