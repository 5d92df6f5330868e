import { json, type Files } from "@skein/testing";
import { numberIn, type Arguments, type Tool } from "../tools/tool.js";
import { lage } from "../tools/lage.js";
import { nx, nxSettings } from "../tools/nx.js";
import { skein } from "../tools/skein.js";
import { nativeProgram, turborepo } from "../tools/turborepo.js";

/** A tool that runs a script in all packages and replays earlier results. */
export interface Runner {
  /** The name in `--only`. */
  readonly name: string;
  readonly label: string;
  readonly tool: Tool;
  /** Settings in the workspace's root that make the tool cache `test` as it does by default. */
  readonly settings: Files;
  /** Runs `test` in every package. @param dir the workspace */
  readonly argv: (dir: string) => Arguments;
  /** Arguments that are added to `argv` to run everything without the cache. */
  readonly force: Arguments;
  /** Variables. `$PWD` in a value means the workspace's root. */
  readonly env: Readonly<Record<string, string>>;
  /** The paths of its cache, from the workspace's root, with `*` for each package's folder. */
  readonly keeps: readonly string[];
  /** Returns the variables for a server with Turborepo's API; undefined if the tool doesn't support one. */
  readonly server?: (url: string) => Readonly<Record<string, string>>;
  /** Returns the number of replayed scripts in its output; NaN if the output doesn't contain the number. */
  readonly replayed: (output: string) => number;
}

const BIN = "node_modules/@skein/affected/bin/affected.js";
const TOKEN = "bench";

const skeinRunner: Runner = {
  name: "skein",
  label: "Skein",
  tool: skein,
  settings: {},
  argv: () => ["node", BIN, "test", "--all"],
  force: ["--force"],
  env: {
    SKEIN_CACHE_DIR: "$PWD/.git/skein-bench",
    SKEIN_CACHE_SIZE: "5GiB",
    // Signed results need the key to be read.
    SKEIN_CACHE_SIGNATURE_KEY: "bench-signature-key-bench-signature-key",
  },
  keeps: [".git/skein-bench"],
  server: (url) => ({
    SKEIN_CACHE_URL: url,
    SKEIN_CACHE_TOKEN: TOKEN,
    SKEIN_CACHE_TEAM: "team_bench",
  }),
  replayed: (output) => numberIn(/(\d+) replayed/, output) || 0,
};

/** Turborepo as installed, and its native program without the wrapper, because npm's command starts Node first. */
const turborepoRunner: Runner = {
  name: "turborepo",
  label: "Turborepo (its native program)",
  tool: turborepo,
  settings: { "turbo.json": json({ tasks: { test: {} } }) },
  argv: (dir) => [
    nativeProgram(dir),
    ...["run", "test", "--output-logs=new-only", "--concurrency=2"],
  ],
  force: ["--force"],
  env: {},
  keeps: [".turbo", "node_modules/.cache/turbo", "*/.turbo"],
  server: (url) => ({
    TURBO_API: url,
    TURBO_TOKEN: TOKEN,
    TURBO_TEAM: "team_bench",
  }),
  replayed: (output) => numberIn(/Cached:\s+(\d+) cached/, output),
};

const nxRunner: Runner = {
  name: "nx",
  label: "Nx, with its daemon",
  tool: nx,
  settings: nxSettings(true),
  argv: () => [
    ...["node_modules/.bin/nx", "run-many", "--target=test"],
    ...["--parallel=2", "--outputStyle=static"],
  ],
  force: ["--skip-nx-cache"],
  // Without the variable, it keeps results in a folder of the user's home.
  env: { NX_DAEMON: "true", NX_CACHE_DIRECTORY: "$PWD/.nx/cache" },
  keeps: [".nx/cache", ".nx/workspace-data", "node_modules/.cache/nx"],
  replayed: (output) =>
    numberIn(/cache instead of running the command for (\d+) out of/, output) ||
    0,
};

const lageRunner: Runner = {
  name: "lage",
  label: "lage",
  tool: lage,
  settings: lage.settings([]),
  argv: () => ["node_modules/.bin/lage", "test", "--concurrency", "2"],
  force: ["--no-cache"],
  env: {},
  keeps: ["node_modules/.cache", "*/node_modules/.cache"],
  replayed: (output) => numberIn(/skipped: (\d+)/, output),
};

/** The compared tools, Skein first. */
export const RUNNERS: readonly Runner[] = [
  skeinRunner,
  turborepoRunner,
  nxRunner,
  lageRunner,
];
