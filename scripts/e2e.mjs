// Runs the end-to-end tests: act runs the shipped workflows on this machine.
// usage: node scripts/e2e.mjs [--only-build | jest arguments…]
// Go builds act once, into ~/.cache/skein (or XDG_CACHE_HOME); ACT_PATH names another act.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

/**
 * The version is pinned, and Go checks it against its checksum database, because act runs everything in the workflows.
 */
const ACT = "github.com/nektos/act@v0.2.89";

/**
 * Flags that halve the time of the build. act needs no debugger, no optimisation and no containers here, because it mostly waits
 * for other processes on this machine.
 */
const HASTY = [
  "-gcflags=all=-N -l -dwarf=false",
  "-ldflags=-s -w",
  "-tags=WITHOUT_DOCKER",
];

const onlyBuild = process.argv.includes("--only-build");
const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
const folder = join(cache, "skein", ACT.replaceAll(/[^\w.@-]/g, "_"));
const program = join(folder, "act");
// `.ci/run` starts to build act early, in a process of its own.
const builder = Number(process.env.SKEIN_ACT_BUILD ?? 0);
while (!onlyBuild && !existsSync(program) && isAlive(builder))
  await setTimeout(200);
const act = process.env.ACT_PATH ?? installed();
if (!onlyBuild) rmSync("reports/e2e.json", { force: true });
if (onlyBuild) {
  process.exitCode = act === undefined ? 1 : 0;
} else if (act === undefined) {
  console.error(
    "the end-to-end tests failed: there is no Go to build act with\nhint: install Go (https://go.dev/dl, or `node scripts/ensure-tools.mjs go`), or set ACT_PATH to an act",
  );
  process.exitCode = 1;
} else {
  mkdirSync("reports", { recursive: true });
  const jest = ["jest", "--ci", "--config=jest.e2e.config.js", "--json"];
  const report = "--outputFile=reports/e2e.json";
  const { status, error } = spawnSync(
    "yarn",
    [...jest, report, ...process.argv.slice(2)],
    {
      stdio: "inherit",
      env: { ...process.env, ACT_PATH: act },
    },
  );
  if (error) throw error;
  process.exitCode = status ?? 1;
}

/** Returns the path of act; undefined if it isn't installed and can't be built. */
function installed() {
  if (existsSync(program)) return program;
  const go = ["go", "/usr/local/go/bin/go"].find(
    (each) => spawnSync(each, ["version"]).status === 0,
  );
  if (go === undefined) return undefined;
  console.error(`Building act (${ACT}), which takes a minute or two, once…`);
  const unfinished = `${folder}.${process.pid}`;
  const { status } = spawnSync(go, ["install", ...HASTY, ACT], {
    stdio: "inherit",
    // With Go's default, the compiler spends a sixth of the build on collecting garbage.
    env: { GOGC: "400", ...process.env, GOBIN: unfinished, CGO_ENABLED: "0" },
  });
  if (status !== 0) throw new Error(`go install ${ACT} failed`);
  if (!existsSync(program)) renameSync(unfinished, folder);
  return program;
}

/** Returns whether a process runs. 0 names none. */
function isAlive(pid) {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}
