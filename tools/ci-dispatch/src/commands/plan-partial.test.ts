import { execFileSync } from "node:child_process";
import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { gitIn, json, tempDir, writeFiles } from "@skein/testing";
import { buildWorkspace, dispatchIn } from "../cli.test.kit.js";

/** The durations of two suites. The settings of one have a teardown, which judges the whole run. */
const LONG = ["lib", "judged"].map((name) =>
  JSON.stringify({
    ...{ version: 1, at: "2026-01-01T00:00:00.000Z", commit: "c" },
    ...{ unit: `${name}#test`, ms: 600_000, verdict: "passed" },
    files: { "a.test.js": 400, "b.test.js": 300 },
  }),
);

/** The number of blobs that only the index of references reads. */
const SOURCES = 4;

test("a shallow clone without blobs makes the same plan as a full clone, and fails if a file can't be fetched", async () => {
  await using temp = await tempDir();
  const origin = join(temp.path, "origin");
  await writeFiles(temp.path, { "origin/.keep": "" });
  buildWorkspace(
    origin,
    {
      app: { scripts: { test: "jest" }, dependencies: { lib: "workspace:*" } },
      judged: { scripts: { test: "jest" } },
      lib: { scripts: { test: "jest" } },
      undeclared: { scripts: { test: "node test.js" } },
    },
    {
      changed: ["lib", "judged"],
      root: { scripts: { lint: "eslint ." } },
      settings: { dispatch: { application: { lint: "lint" } } },
      files: {
        "packages/lib/a.test.js": "",
        "packages/lib/b.test.js": "",
        "packages/judged/a.test.js": "",
        "packages/judged/b.test.js": "",
        "packages/judged/jest.config.js":
          'module.exports = { globalTeardown: "./end.js" };\n',
        "packages/undeclared/test.js": 'require("../lib/index.js");\n',
      },
    },
  );
  const git = (...args: string[]) => gitIn(origin, ...args);
  git("config", "uploadpack.allowFilter", "true");
  git("config", "uploadpack.allowReachableSHA1InWant", "true");
  git("checkout", "--quiet", "--detach", "main");
  git("merge", "--quiet", "--no-ff", "--message=Trial merge", "change");
  git("branch", "merge");
  const id = (name: string) => git("rev-parse", name).trim();
  await writeFiles(temp.path, {
    "history.ndjson": LONG.join("\n"),
    "event.json": json({
      repository: { full_name: "octo/shop", default_branch: "main" },
      pull_request: {
        number: 7,
        base: { ref: "main", sha: id("main") },
        head: {
          ref: "change",
          sha: id("change"),
          repo: { full_name: "octo/shop" },
        },
      },
    }),
  });
  const planIn = async (clone: string, ...flags: string[]) => {
    const output = ["--history=../history.ndjson", "--output=../plan.json"];
    const { exitCode, stderr } = await dispatchIn(
      join(temp.path, clone),
      ["plan", ...output, ...flags],
      {
        GITHUB_ACTIONS: "true",
        GITHUB_REPOSITORY: "octo/shop",
        GITHUB_EVENT_NAME: "pull_request",
        GITHUB_EVENT_PATH: join(temp.path, "event.json"),
        GITHUB_REF: "refs/pull/7/merge",
        GITHUB_SHA: id("merge"),
        GITHUB_OUTPUT: join(temp.path, "outputs"),
      },
    );
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    return readFile(join(temp.path, "plan.json"), "utf8");
  };
  const clone = (name: string, ...flags: string[]) =>
    gitIn(
      ...[temp.path, "clone", "--quiet", "--branch=merge", ...flags],
      ...[`file://${origin}`, name],
    );
  clone("whole");
  clone("bare", "--depth=1", "--filter=blob:none", "--no-checkout");
  // The state in which actions/checkout leaves a clone whose sparse patterns match no file.
  clone("sparse", "--depth=1", "--filter=blob:none", "--no-checkout");
  const sparse = (...args: string[]) =>
    gitIn(join(temp.path, "sparse"), ...args);
  sparse("sparse-checkout", "set", "--no-cone", "/.no-files");
  sparse("checkout", "--quiet", "--force", "merge");
  const whole = await planIn("whole");
  expect(whole).toContain("judged#test is not split: ");
  expect(whole).toContain('"id": "lib#test[1/2]"');
  expect(whole).toContain('"id": "undeclared#test"');
  expect(await planIn("bare")).toBe(whole);
  expect(await planIn("sparse")).toBe(whole);

  // An index of references from a cache: the same plan, of fewer files. One that main has not recorded changes nothing.
  const absent = (name: string) =>
    gitIn(
      join(temp.path, name),
      ...["rev-list", "--objects", "--missing=print", "HEAD"],
    ).match(/^\?/gm)?.length;
  const cached = async (name: string) => {
    clone(name, "--depth=1", "--filter=blob:none", "--no-checkout");
    await writeFile(join(temp.path, "outputs"), "");
    const all = absent(name);
    const flags = ["--fetch-history", "--index=../index"];
    const plan = await planIn(name, ...flags);
    const outputs = await readFile(join(temp.path, "outputs"), "utf8");
    const [digest] = /(?<=^index<<.*\n)[0-9a-f]{64}$/m.exec(outputs) ?? [];
    return { plan, digest, fetched: (all ?? 0) - (absent(name) ?? 0) };
  };
  const first = await cached("first");
  const record = (digest = "") => {
    const text = json({ version: 1, digests: [digest] });
    const commit = [
      `commit refs/heads/ci-history\ncommitter a <a@b> 0 +0000\ndata 0\n`,
      `M 100644 inline index-digests.json\ndata ${text.length}\n${text}\n`,
    ].join("");
    execFileSync("git", ["fast-import", "--quiet"], {
      cwd: origin,
      input: commit,
    });
  };
  record(first.digest);
  expect(await cached("second")).toEqual({
    plan: first.plan,
    digest: undefined,
    fetched: first.fetched - SOURCES,
  });
  await appendFile(join(temp.path, "index/references.bin"), "x");
  expect(await cached("third")).toEqual(first);
  expect(first.digest).toMatch(/^[0-9a-f]{64}$/);

  clone("cut", "--depth=1", "--filter=blob:none", "--no-checkout");
  gitIn(join(temp.path, "cut"), "remote", "set-url", "origin", "./gone");
  const ended = await dispatchIn(join(temp.path, "cut"), ["plan"]);
  expect({
    ...ended,
    stderr: ended.stderr.replace(/: fatal[^]*?\n(?=hint)/, "\n"),
  }).toEqual({
    exitCode: 3,
    stdout: "",
    stderr:
      "ci-dispatch: this partial clone lacks necessary files, and its remote does not provide them\nhint: let git reach the remote (in a workflow, give the step GITHUB_TOKEN), or clone without --filter\n",
  });
});
