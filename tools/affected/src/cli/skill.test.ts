import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { gitIn } from "@skein/testing";
import { run, shopWithChange } from "./affected.test.kit.js";

const page = readFileSync(new URL("../../SKILL.md", import.meta.url), "utf8");

test("SKILL.md shows the real output of commands", async () => {
  const [, shown = ""] = /^```console\n([\s\S]*?)^```$/m.exec(page) ?? [];
  const examples = shown.split(/^\$ affected /m).slice(1);
  expect(examples.length).toBeGreaterThan(3);
  await using dir = await shopWithChange();
  gitIn(dir.path, "checkout", "--quiet", "change");
  for (const example of examples) {
    const [words = "", ...output] = example.split("\n");
    const { stdout } = await run({ cwd: dir.path }, ...words.split(" "));
    expect({ words, stdout }).toEqual({ words, stdout: output.join("\n") });
  }
});

test("SKILL.md names only fields of the JSON", async () => {
  await using dir = await shopWithChange();
  gitIn(dir.path, "checkout", "--quiet", "change");
  const ask = async (...argv: string[]) => {
    const ran = await run({ cwd: dir.path }, ...argv, "--json");
    return { ...ran, answer: JSON.parse(ran.stdout) as unknown };
  };
  expect((await ask("list")).answer).toMatchObject({
    version: 1,
    changes: [{ path: "packages/core/index.js" }],
    packages: [
      { name: "@shop/app", dir: "packages/app" },
      { reasons: [{ kind: "file" }] },
      {},
    ],
  });
  expect((await ask("why", "@shop/app")).answer).toMatchObject({
    affected: true,
    paths: [{ packages: ["@shop/core", "@shop/ui", "@shop/app"] }],
    origins: { "@shop/core": [{}] },
  });
  expect(
    await ask("test", "--filter", "@shop/core", "--no-source-edges"),
  ).toMatchObject({
    exitCode: 0,
    answer: {
      units: [
        {
          package: "@shop/core",
          script: "test",
          status: "passed",
          output: { text: "@shop/core works\n" },
        },
      ],
    },
  });
});
