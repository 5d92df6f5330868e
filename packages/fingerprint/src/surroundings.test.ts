import { expect, test } from "@jest/globals";
import {
  hashRuntime,
  hashVariables,
  varyingNames,
  stableEnvironment,
} from "./surroundings.js";

test.each<
  [
    title: string,
    env: Record<string, string | undefined>,
    stable: Record<string, string>,
  ]
>([
  [
    "variables that a shell sets",
    { PWD: "/a", SHLVL: "2", HOME: "/h" },
    { HOME: "/h" },
  ],
  [
    "variables that Yarn sets",
    {
      ...{ INIT_CWD: "/a", npm_package_name: "a", npm_config_registry: "r" },
      npm_config_user_agent: "yarn/4.0.0 npm/? node/v20.0.0 linux x64",
    },
    { npm_config_registry: "r" },
  ],
  [
    "Yarn's folder in PATH",
    { PATH: "/tmp/xfs-0a1b2c3d:/bin:/opt/xfs-tools" },
    { PATH: "/bin:/opt/xfs-tools" },
  ],
  [
    "Yarn's part of NODE_OPTIONS",
    { NODE_OPTIONS: "--require /p/.pnp.cjs --max-old-space-size=1" },
    { NODE_OPTIONS: "--max-old-space-size=1" },
  ],
  [
    "NODE_OPTIONS with only Yarn's part",
    { NODE_OPTIONS: "--require /p/.pnp.cjs" },
    {},
  ],
  ["unset variables", { A: undefined, B: "" }, { B: "" }],
])("%s", (_, env, stable) => {
  expect(stableEnvironment(env, ":")).toEqual(stable);
});

test("a variable counts only if a source names it; its value counts, and whether it is set", () => {
  const hash = (names: string[], env: Record<string, string>) =>
    hashVariables(names, {
      ...{ env, names: ["NAMED"], ignored: new Set(["IGNORED"]) },
    });
  const plain = hash(["A"], {});
  expect(hash(["A"], { A: "" })).not.toBe(plain);
  expect(hash(["A"], { A: "1" })).not.toBe(hash(["A"], { A: "2" }));
  expect(hash(["A"], { NAMED: "1" })).not.toBe(plain);
  expect(hash(["A"], { NODE_ENV: "test" })).not.toBe(plain);
  expect(hash(["A"], { B: "1" })).toBe(plain);
  expect(hash(["IGNORED"], { IGNORED: "1" })).toBe(plain);
  expect(hash(["A", "B"], { A: "x", B: "y" })).toBe(
    hash(["B", "A"], { B: "y", A: "x" }),
  );
});

test("a name that ends with _ is the beginning of computed names", () => {
  const hash = (names: string[], env: Record<string, string>) =>
    hashVariables(names, { env, names: [], ignored: new Set(["APP_ID"]) });
  const plain = hash(["APP_"], {});
  expect(hash(["APP_"], { APP_PORT: "1" })).not.toBe(plain);
  expect(hash(["APP_"], { APP_PORT: "2" })).not.toBe(
    hash(["APP_"], { APP_PORT: "1" }),
  );
  expect(hash(["APP_"], { APPLE: "1", APP_ID: "1" })).toBe(plain);
  expect(hash(["APP"], { APP_PORT: "1" })).toBe(hash(["APP"], {}));
});

test.each([
  ["COLUMNS", true],
  ["JEST_WORKER_ID", true],
  ["NODE_PRESERVE_SYMLINKS", true],
  ["NODE_TEST_CONTEXT", true],
  ["UV_THREADPOOL_SIZE", true],
  // These are limits that docs/fingerprint.md names.
  ["HOME", false],
  ["TERM", false],
  ["TMPDIR", false],
])("%s counts without being named in a source: %s", (name, counts) => {
  const hash = (env: Record<string, string>) =>
    hashVariables(["A"], { env, names: [], ignored: new Set() });
  expect(hash({ [name]: "1" }) !== hash({})).toBe(counts);
  expect(hash({ [name]: "1" }) !== hash({ [name]: "2" })).toBe(counts);
});

test("the order of the runtime's properties doesn't count", () => {
  expect(hashRuntime({ runtime: { node: "1", arch: "2" } })).toBe(
    hashRuntime({ runtime: { arch: "2", node: "1" } }),
  );
});

test("variables that a CI engine sets differently in each run are reported if they count and are set", () => {
  const env = Object.fromEntries(
    [
      ...["GITHUB_RUN_ID", "GITHUB_SHA", "GITHUB_REPOSITORY", "GITHUB_TOKEN"],
      ...["ACTIONS_RUNTIME_TOKEN", "CI_PIPELINE_ID", "BUILDKITE_BUILD_ID"],
      ...["RUNNER_TEMP", "CI", "RUN_ID"],
    ].map((name) => [name, "1"]),
  );
  const names = [...Object.keys(env), "GITHUB_HEAD_REF"];
  const ignored = new Set(["GITHUB_SHA"]);
  expect(varyingNames(names, { env, names: [], ignored })).toEqual([
    ...["ACTIONS_RUNTIME_TOKEN", "BUILDKITE_BUILD_ID", "CI_PIPELINE_ID"],
    ...["GITHUB_RUN_ID", "GITHUB_TOKEN"],
  ]);
  expect(varyingNames([], { env, names: [], ignored })).toEqual([]);
});
