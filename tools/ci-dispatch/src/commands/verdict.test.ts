import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import {
  cp,
  mkdir,
  readFile,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { suiteDir, writeFiles } from "@skein/testing";
import { dispatchIn } from "../cli.test.kit.js";
import { sealed } from "../verdict/judge.test.kit.js";

const fixtures = fileURLToPath(
  new URL("../../fixtures/verdict/", import.meta.url),
);
const golden = (name: string) => readFile(join(fixtures, name), "utf8");

const dir = await suiteDir(afterAll);
beforeAll(async () => {
  await cp(fixtures, dir, { recursive: true });
});

test("a flaky, a broken, a killed and a missing unit in every format", async () => {
  const { exitCode, stdout } = await dispatchIn(
    dir,
    "verdict --junit=out/j.xml --report=out/v.json --summary=out/s.md",
    { GITHUB_STEP_SUMMARY: join(dir, "step.md") },
  );
  expect(stdout).toBe(await golden("verdict.txt"));
  expect(exitCode).toBe(1);
  const written = (name: string) => readFile(join(dir, name), "utf8");
  expect(await written("out/v.json")).toBe(await golden("verdict-v1.json"));
  expect(await written("out/s.md")).toBe(await golden("verdict.md"));
  expect(await written("step.md")).toBe(await golden("verdict.md"));
  expect(await written("out/j.xml")).toBe(await golden("junit.xml"));
});

test("names from a pull request can't command the runner, mention anyone or break out of their table", async () => {
  const md = await golden("verdict.md");
  const text = await golden("verdict.txt");
  expect(md).toContain("@\u200bteam");
  expect(md).not.toMatch(/^\s*::/m);
  expect(text).not.toMatch(/^\s*::/m);
  expect(text).not.toContain("\u001b");
});

test("without any attestation, or without the folder, every unit is missing", async () => {
  await mkdir(join(dir, "empty"));
  for (const folder of ["empty", "nowhere"]) {
    const { exitCode, stdout } = await dispatchIn(dir, [
      "verdict",
      `--attestations=${folder}`,
    ]);
    expect(exitCode).toBe(3);
    expect(stdout).toMatch(/\nred: 5 missing, 1 planned skip /);
  }
});

test("files that aren't attestations are named, and a link isn't followed", async () => {
  await writeFiles(dir, {
    "odd/a/half.json": '{"version": 1, "plan"',
    "odd/b.json": "[]",
    "odd/c.json": '{"version": 2}',
    "odd/d.json":
      '{"version":1,"plan":"p","job":"j","attempt":0,"finished":true,"units":[]}',
    "odd/readme.txt": "not looked at",
    "secret.json": '{"token": "x"}',
  });
  await symlink("../secret.json", join(dir, "odd/link.json"));
  const { stdout, exitCode } = await dispatchIn(
    dir,
    "verdict --attestations=odd --json",
  );
  expect(exitCode).toBe(3);
  const { refused } = JSON.parse(stdout) as { refused: unknown };
  expect(refused).toEqual([
    {
      file: "a/half.json",
      why: "malformed",
      detail: expect.stringContaining("JSON") as unknown,
    },
    { file: "b.json", why: "malformed", detail: "attestation isn't an object" },
    {
      file: "c.json",
      why: "malformed",
      detail: "attestation.version is not 1",
    },
    {
      file: "d.json",
      why: "malformed",
      detail: "attestation.attempt isn't a whole number from 1 to 1000",
    },
  ]);
});

test("attestations that are too large, in one file or in many, aren't read", async () => {
  const at = (name: string) => join(dir, "huge", name);
  await mkdir(at(""));
  const space = " ".repeat(40 * 1024 * 1024);
  await writeFile(at("a.json"), space);
  await writeFile(at("b.json"), space);
  await writeFile(at("c.json"), "");
  await truncate(at("c.json"), 65 * 1024 * 1024);
  const { stdout } = await dispatchIn(
    dir,
    "verdict --attestations=huge --json",
  );
  expect(JSON.parse(stdout)).toMatchObject({
    refused: [
      { file: "a.json", why: "malformed" },
      { file: "b.json", why: "too-large", detail: "41943040 bytes" },
      { file: "c.json", why: "too-large", detail: "68157440 bytes" },
    ],
  });
});

test("an attestation that contradicts its own runs is refused", async () => {
  const text = await golden("attestations/app-lint.1.json");
  await mkdir(join(dir, "lie"));
  await writeFile(
    join(dir, "lie/lint.json"),
    text.replace('"outcome": "passed"', '"outcome": "failed"'),
  );
  const { stdout } = await dispatchIn(dir, ["verdict", "--attestations=lie"]);
  expect(stdout).toContain(
    "not counted: lint.json: it isn't an attestation of version 1 (the unit root#lint contradicts its last run)",
  );
});

test("retry prints the jobs for another machine as a matrix", async () => {
  const output = join(dir, "outputs");
  const { exitCode, stdout } = await dispatchIn(dir, ["retry"], {
    GITHUB_OUTPUT: output,
  });
  expect(stdout).toBe(await golden("retry.txt"));
  expect(exitCode).toBe(0);
  expect(await readFile(output, "utf8")).toMatch(
    /^matrix<<(\S+)\n\{"job":\["packages-1","packages-2"\]\}\n\1\nany<<(\S+)\ntrue\n\2\n$/,
  );
  const { stdout: json } = await dispatchIn(dir, ["retry", "--json"]);
  expect(JSON.parse(json)).toMatchObject({
    version: 1,
    jobs: [{ job: "packages-1" }, { job: "packages-2" }],
  });
});

test("a missing plan is an error", async () => {
  const { stderr, exitCode } = await dispatchIn(
    dir,
    "verdict --plan=none.json",
  );
  expect(stderr).toContain("ci-dispatch: none.json: the plan cannot be read");
  expect(exitCode).toBe(3);
  await symlink("plan.json", join(dir, "link.json"));
  const linked = await dispatchIn(dir, ["verdict", "--plan=link.json"]);
  expect(linked.stderr).toContain(
    "ci-dispatch: link.json: this isn't a plan of version 1: it is a link",
  );
  expect(linked.exitCode).toBe(3);
});

test("a changed plan is refused because of its own id, or because of the id from the planning job", async () => {
  interface PlanFile {
    readonly id: string;
    readonly jobs: readonly object[];
  }
  const plan = JSON.parse(await golden("plan.json")) as PlanFile;
  const fewer = { ...plan, jobs: plan.jobs.slice(0, 1) };
  await writeFiles(dir, {
    "trimmed.json": JSON.stringify(fewer),
    "other.json": JSON.stringify(sealed(fewer)),
    "deep.json": `{"version":1,"id":"${plan.id}","x":${"[".repeat(50_000)}${"]".repeat(50_000)}}`,
  });
  const changed =
    "plan.id is not the hash of the plan: it was changed after it was made";
  const other = `this is plan ${sealed(fewer).id}, but the planning job made plan ${plan.id}`;
  for (const verb of ["verdict", "retry", "exec"])
    for (const [file, words] of [
      ["trimmed.json", `this isn't a plan of version 1: ${changed}`],
      ["deep.json", `this isn't a plan of version 1: ${changed}`],
      ["other.json", other],
    ] as const) {
      const { stderr, exitCode, stdout } = await dispatchIn(dir, [
        verb,
        `--plan=${file}`,
        `--plan-id=${plan.id}`,
        ...(verb === "exec" ? ["--job=app-lint"] : []),
      ]);
      expect(stderr).toContain(`ci-dispatch: ${file}: ${words}\nhint: `);
      expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: "" });
    }
  const right = await dispatchIn(dir, ["verdict", `--plan-id=${plan.id}`]);
  expect(right.stdout).toBe(await golden("verdict.txt"));
});

test("a plan that lacks a shard of a unit is refused", async () => {
  const plan = JSON.parse(await golden("plan.json")) as {
    jobs: { units: { shard: unknown }[] }[];
  };
  const [unit] = plan.jobs[0]?.units ?? [];
  if (unit) unit.shard = { index: 1, count: 2, files: [] };
  await writeFiles(dir, { "shard.json": JSON.stringify(sealed(plan)) });
  const { stderr } = await dispatchIn(dir, ["verdict", "--plan=shard.json"]);
  expect(stderr).toContain("the unit root#lint lacks some of its 2 shards");
});

/**
 * Returns what actions/download-artifact (v8) makes of artifacts that match its pattern: it creates no folder for a
 * single one.
 */
function unpacked(
  artifacts: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Readonly<Record<string, string>> {
  const names = Object.keys(artifacts);
  return Object.fromEntries(
    names.flatMap((name) =>
      Object.entries(artifacts[name] ?? {}).map(([file, text]) => [
        names.length === 1 ? file : `${name}/${file}`,
        text,
      ]),
    ),
  );
}

describe("as actions/download-artifact unpacks them", () => {
  const ACTIONS = { GITHUB_ACTIONS: "true" };
  let jobs: Readonly<Record<string, string>>;
  beforeAll(async () => {
    const read = async (job: string, file: string) => [
      job,
      await golden(`attestations/${file}`),
    ];
    jobs = Object.fromEntries(
      await Promise.all([
        read("app-lint.1.1", "app-lint.1.json"),
        read("packages-1.1.1", "packages-1.1.json"),
      ]),
    ) as Readonly<Record<string, string>>;
  });
  const refusedOf = async (
    name: string,
    artifacts: Parameters<typeof unpacked>[0],
    ...args: string[]
  ) => {
    const files = Object.entries(unpacked(artifacts));
    await writeFiles(
      dir,
      Object.fromEntries(
        files.map(([file, text]) => [`${name}/${file}`, text]),
      ),
    );
    const { stdout } = await dispatchIn(
      dir,
      ["verdict", `--attestations=${name}`, "--json", ...args],
      ACTIONS,
    );
    const { refused, counts } = JSON.parse(stdout) as {
      readonly refused: readonly { file: string; why: string }[];
      readonly counts: Readonly<Record<string, number>>;
    };
    return { refused, missing: counts["missing"] };
  };

  test("several artifacts: each attests its own job", async () => {
    const text = (job: string) => ({ [`${job}.json`]: jobs[job] ?? "" });
    expect(
      await refusedOf("nested", {
        "ci-dispatch-plan": { "plan.json": await golden("plan.json") },
        "ci-dispatch-attestation-app-lint.1.1": text("app-lint.1.1"),
        "ci-dispatch-attestation-packages-1.1.1": text("packages-1.1.1"),
      }),
    ).toEqual({ refused: [], missing: 2 });
  });

  test("a single artifact with a file for another job: none of its files counts, and its jobs are retried", async () => {
    const forged = {
      "ci-dispatch-attestation-packages-1.1.1": {
        "packages-1.1.1.json": jobs["packages-1.1.1"] ?? "",
        "app-lint.1.1.json": jobs["app-lint.1.1"] ?? "",
      },
    };
    expect(await refusedOf("flat", forged)).toEqual({
      refused: ["app-lint", "packages-1"].map((job) => ({
        file: `${job}.1.1.json`,
        why: "no-artifact",
        detail: `expected in ci-dispatch-attestation-${job}.1.1`,
      })),
      missing: 5,
    });
    const retry = ["retry", "--attestations=flat", "--json"];
    const { stdout } = await dispatchIn(dir, retry, ACTIONS);
    expect(stdout).toContain('"job": "app-lint"');
    const files = await refusedOf("flat", forged, "--layout=files");
    expect(files).toEqual({ refused: [], missing: 2 });
  });

  test("artifacts of another call: only those with the call's own name count", async () => {
    const name = "windows-attestation-app-lint.1.1";
    const own = { "a.json": jobs["app-lint.1.1"] ?? "" };
    expect(
      await refusedOf("named", { [name]: own, other: own }, "--name=windows"),
    ).toMatchObject({
      refused: [{ file: "other/a.json", why: "no-artifact" }],
      missing: 4,
    });
  });
});
