import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { Ajv2020 } from "ajv/dist/2020.js";
import { Failure } from "@skein/reporting";
import { json, tempDir } from "@skein/testing";
import { stringify } from "yaml";
import { defaultRequest } from "../default-request.js";
import { FIELDS } from "./fields.js";
import { parseManifest, readManifest } from "./manifest.js";

const schema = JSON.parse(
  readFileSync(
    new URL("../../schemas/migrations.schema.json", import.meta.url),
    "utf8",
  ),
) as { $defs: { fields: { properties: Record<string, unknown> } } };
const validate = new Ajv2020().compile(schema);

async function failureOf(text: string, file: string): Promise<string> {
  try {
    await parseManifest(text, file);
    return "none";
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return `${error.place?.line ?? ""}: ${error.message} ${error.hint ?? ""}`;
  }
}

const yaml = `# yaml-language-server: $schema=./migrations.schema.json
version: 1
defaults: { qualifyRefs: acme/lib, maxFileSize: 2 }
repositories:
  - source: acme/lib
    to: packages/lib
  - source: acme/mono # all but the root
    only: [packages/a, packages/b]
    qualifyRefs: acme/mono
`;

test("YAML and JSON give the same manifest", async () => {
  const asJson = json({
    $schema: "./migrations.schema.json",
    version: 1,
    defaults: { qualifyRefs: "acme/lib", maxFileSize: 2 },
    repositories: [
      { source: "acme/lib", to: "packages/lib" },
      {
        source: "acme/mono",
        only: ["packages/a", "packages/b"],
        qualifyRefs: "acme/mono",
      },
    ],
  });
  const read = await parseManifest(yaml, "m.yaml");
  expect(read).toEqual(await parseManifest(asJson, "m.json"));
  expect(read.repositories).toEqual([
    {
      ...defaultRequest("acme/lib"),
      to: "packages/lib",
      qualifyRefs: "acme/lib",
      maxFileSize: 2 * 1024 * 1024,
    },
    {
      ...defaultRequest("acme/mono"),
      only: ["packages/a", "packages/b"],
      qualifyRefs: "acme/mono",
      maxFileSize: 2 * 1024 * 1024,
    },
  ]);
});

const DOCS = "docs/migrating.md describes every field";
test.each<[string, string, string]>([
  [
    "m.json",
    "{",
    "1: it isn't valid JSON: close brace expected docs/migrating.md has an example",
  ],
  [
    "m.json",
    "",
    "1: it isn't valid JSON: value expected docs/migrating.md has an example",
  ],
  [
    "m.json",
    '{\n "version": 1,,\n}',
    "2: it isn't valid JSON: property name expected docs/migrating.md has an example",
  ],
  [
    "m.yml",
    "version: 1\n  x: 2\n",
    "1: it isn't valid YAML: Nested mappings are not allowed in compact mappings docs/migrating.md has an example",
  ],
  ["m.yml", "- a\n", `1: it must be an object ${DOCS}`],
  ["m.json", "{}", `1: it needs "version": 1 ${DOCS}`],
  ["m.json", '{"version":1}', `1: it needs "repositories", a list ${DOCS}`],
  [
    "m.yaml",
    "version: 1\nrepositories:\n  - source: a/b\n  - {}\n",
    `4: repositories[1] needs a "source" ${DOCS}`,
  ],
  [
    "m.json",
    '{"version":1,"repositories":[\n{"source":"a/b",\n"qualifyRef":"x"}]}',
    '3: repositories[0] has an unknown field "qualifyRef" did you mean "qualifyRefs"?',
  ],
  [
    "m.yaml",
    "version: 1\ndefaults:\n  histroy: move\nrepositories: []\n",
    '3: defaults has an unknown field "histroy" did you mean "history"?',
  ],
  [
    "m.yaml",
    "version: 1\nrepos: []\n",
    '2: it has an unknown field "repos" did you mean "repositories"?',
  ],
  [
    "m.yaml",
    "version: 1\ndefaults: { source: a/b }\nrepositories: []\n",
    '2: defaults has an unknown field "source"',
  ],
  [
    "m.json",
    '{"version":1,"repositories":[{"source":"a/b",\n\n"history":"all"}]}',
    `3: repositories[0].history must be one of graft, move, squash ${DOCS}`,
  ],
  [
    "m.yaml",
    "version: 1\nrepositories:\n  - source: a/b\n    allow:\n      - everything\n",
    `4: repositories[0].allow must be a list of non-package, secrets, submodules, lfs, protected-branch ${DOCS}`,
  ],
  [
    "m.json",
    '{"version":1,"repositories":[{"source":"a/b","maxFileSize":0}]}',
    `1: repositories[0].maxFileSize must be a number of MiB above 0 ${DOCS}`,
  ],
])("%s %j: %s", async (file, text, expected) => {
  expect(await failureOf(text, file)).toContain(expected);
});

// Editors must underline the same errors that the tool rejects.
test("the schema has the fields of the parser, and both accept and reject the same values", async () => {
  expect(Object.keys(schema.$defs.fields.properties)).toEqual(
    Object.keys(FIELDS),
  );
  const values = [
    ...[
      "",
      "graft",
      "move",
      "reachable",
      "all",
      "none",
      "keep",
      "highest",
      "x",
    ],
    ...[true, false, null, 0, 1, 0.5, -1, {}],
    ...[[], ["a"], [""], [1], ["secrets"], ["secrets", "lfs"], ["large-files"]],
  ];
  const whole = (fields: object) => ({
    version: 1,
    repositories: [{ source: "a/b", ...fields }],
  });
  const manifests: unknown[] = [
    [],
    null,
    {},
    { version: 2, repositories: [] },
    { version: 1 },
    { version: 1, repositories: {} },
    { version: 1, repositories: [{}] },
    { version: 1, repositories: [{ source: 1 }] },
    { $schema: "x", version: 1, repositories: [] },
    { $schema: 1, version: 1, repositories: [] },
    { version: 1, defaults: [], repositories: [] },
    { version: 1, defaults: { source: "a/b" }, repositories: [] },
    whole({ unknown: 1 }),
    ...Object.keys(FIELDS).flatMap((field) =>
      values.flatMap((value) => [
        whole({ [field]: value }),
        { version: 1, defaults: { [field]: value }, repositories: [] },
      ]),
    ),
  ];
  for (const manifest of manifests) {
    const verdict =
      (await failureOf(JSON.stringify(manifest), "m.json")) === "none";
    expect({ manifest, verdict }).toEqual({
      manifest,
      verdict: validate(manifest),
    });
  }
  for (const manifest of manifests.filter((_, index) => index % 7 === 0)) {
    const isYaml = (await failureOf(stringify(manifest), "m.yaml")) === "none";
    expect({ manifest, isYaml }).toEqual({
      manifest,
      isYaml: validate(manifest),
    });
  }
});

test("by default, the existing manifest is read; if there are two, one must be named", async () => {
  await using dir = await tempDir();
  await writeFile(join(dir.path, "migrations.yaml"), yaml);
  expect((await readManifest(dir.path, undefined)).repositories).toHaveLength(
    2,
  );
  await writeFile(join(dir.path, "migrations.json"), "{}");
  await expect(readManifest(dir.path, undefined)).rejects.toThrow(
    "there are two manifests: migrations.json and migrations.yaml",
  );
  await expect(readManifest(dir.path, "nowhere.yml")).rejects.toThrow(
    "there is no manifest nowhere.yml",
  );
});
