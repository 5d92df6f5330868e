import { expect, test } from "@jest/globals";
import type { ChangeKind } from "@skein/changes";
import { json } from "@skein/testing";
import { makeGraph, readProject } from "@skein/workspaces";
import { selectByManifests } from "./by-manifests.js";

type Fields = Readonly<Record<string, Readonly<Record<string, string>>>>;

const PACKAGES: Readonly<Record<string, Fields>> = {
  app: { dependencies: { ui: "workspace:^" } },
  ui: { peerDependencies: { core: "*" } },
  core: { dependencies: { lib: "npm:^1.0.0" } },
  tools: { devDependencies: { core: "workspace:^" } },
  alone: {},
};

/** Returns a project as it may be at a commit. */
async function project(packages = PACKAGES, lib = "1.0.0") {
  const names = Object.keys(packages);
  const files: Record<string, string> = {
    "package.json": json({ name: "root", workspaces: ["packages/*"] }),
    "yarn.lock": [
      "__metadata:\n  version: 8\n",
      `"lib@npm:^1.0.0":\n  version: ${lib}\n  resolution: "lib@npm:${lib}"\n`,
      '"root@workspace:.":\n  version: 0.0.0\n  resolution: "root@workspace:."\n',
      ...names.map(
        (name) =>
          `"${name}@workspace:^, ${name}@workspace:packages/${name}":\n  version: 0.0.0\n  resolution: "${name}@workspace:packages/${name}"\n`,
      ),
    ].join("\n"),
  };
  for (const name of names)
    files[`packages/${name}/package.json`] = json({ name, ...packages[name] });
  const read = await readProject(
    {
      name: "",
      read: (path) => {
        const text = files[path];
        return Promise.resolve(
          text === undefined ? undefined : Buffer.from(text),
        );
      },
      list: () => Promise.resolve(Object.keys(files)),
    },
    { touchedManifests: [], complete: true },
  );
  if (!read) throw new Error("no project");
  return read;
}

function changed(...paths: readonly string[]) {
  return paths.map((line) => {
    const [path = "", kind = "modified"] = line.split(" ");
    return { path, kind: kind as ChangeKind, origin: "committed" as const };
  });
}

test.each([
  ["packages/core/index.js", "app core tools ui"],
  ["packages/ui/index.js", "app ui"],
  ["packages/app/index.js deleted", "app"],
  ["packages/core/a.test.ts", "core"],
  ["packages/core/src/__tests__/a.ts", "core"],
  ["packages/core/README.md", ""],
  ["packages/core/docs/a.js", ""],
  ["package.json", ""],
  ["scripts/build.js", ""],
  ["../other/a.js", ""],
])("%s affects: %s", async (path, selected) => {
  const base = await project();
  const facts = { base, head: base, changes: changed(path) };
  expect(selectByManifests(facts).join(" ")).toBe(selected);
});

test("a package whose external packages differ is affected with its dependents", async () => {
  const facts = {
    base: await project(),
    head: await project(PACKAGES, "1.1.0"),
    changes: changed("yarn.lock"),
  };
  expect(selectByManifests(facts)).toEqual(["app", "core", "tools", "ui"]);
});

test("an edge that no manifest declares does not count", async () => {
  const plain = await project();
  const edge = { from: "alone", to: "core", evidence: "x@npm:1.0.0" } as const;
  const graph = makeGraph(plain.packages, [
    ...plain.graph.edges,
    { ...edge, kind: "dependencies" },
    { ...edge, kind: "implicit" },
  ]);
  const head = { ...plain, graph };
  const changes = changed("packages/core/index.js");
  expect(selectByManifests({ base: head, head, changes })).toEqual(
    selectByManifests({ base: plain, head: plain, changes }),
  );
});

test("dependents at base count, and only packages at head are named", async () => {
  const facts = {
    base: await project(),
    head: await project({
      app: PACKAGES["app"] ?? {},
      ui: {},
      tools: {},
      alone: {},
    }),
    changes: changed(
      "packages/core/package.json deleted",
      "packages/ui/package.json",
      "packages/tools/package.json",
    ),
  };
  expect(selectByManifests(facts)).toEqual(["app", "tools", "ui"]);
});

test("where there was no project, every package is new", async () => {
  const head = await project();
  expect(selectByManifests({ base: undefined, head, changes: [] })).toEqual(
    Object.keys(PACKAGES).toSorted(),
  );
});
