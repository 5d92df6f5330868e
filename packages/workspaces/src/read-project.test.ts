import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { ManifestError } from "./manifest/manifest.js";
import { LockfileError } from "./lockfile/lockfile.js";
import { DuplicateWorkspaceError } from "./make-graph.js";
import type { MemoryFiles } from "./memory-files.test.support.js";
import { fixtureProject, memoryFiles } from "./memory-files.test.support.js";
import type { Project } from "./project.js";
import { readProject } from "./read-project.js";

/** Returns names, folders and edges without their kinds, which yarn.lock doesn't contain. */
function outline(project: Project | undefined) {
  return {
    packages: project?.packages
      .map(({ name, dir }) => `${name} in ${dir}`)
      .toSorted(),
    edges: [
      ...new Set(
        project?.graph.edges.map(({ from, to }) => `${from} -> ${to}`),
      ),
    ].toSorted(),
    targets: [
      ...new Set(
        project?.pathTargets.map(
          ({ workspace, path }) => `${workspace} -> ${path}`,
        ),
      ),
    ].toSorted(),
  };
}

async function bothWays(
  files: MemoryFiles,
  touchedManifests: readonly string[],
) {
  const read = (complete: boolean) =>
    readProject(memoryFiles(files), { touchedManifests, complete });
  return { quick: outline(await read(false)), full: outline(await read(true)) };
}

describe.each(["kinds", "nested"])(
  "%s: yarn.lock and the touched manifests give the same project as all manifests",
  (name) => {
    const project = fixtureProject(name);
    const manifests = Object.keys(project).filter((path) =>
      path.endsWith("package.json"),
    );
    const names = [
      "@m/core",
      "@m/outer",
      "ms",
      "clsx",
      "inner",
      "deep",
      "one",
      "left-pad",
      "vend-r",
    ];
    const range = fc.constantFrom(
      "workspace:*",
      "workspace:^",
      "^1.0.0",
      "*",
      "link:../core",
      "portal:../../vendor/p",
      "workspace:packages/other",
      "catalog:",
    );
    const field = fc.constantFrom(
      "dependencies",
      "devDependencies",
      "peerDependencies",
      "optionalDependencies",
    );
    const edit = fc.oneof(
      fc.record({
        kind: fc.constant("depend" as const),
        path: fc.constantFrom(...manifests),
        field,
        ident: fc.constantFrom(...names),
        range,
      }),
      fc.record({
        kind: fc.constant("clear" as const),
        path: fc.constantFrom(...manifests),
        field,
      }),
      fc.record({
        kind: fc.constant("delete" as const),
        path: fc.constantFrom(
          // If workspace globs change, a caller requests all manifests.
          ...manifests.filter(
            (path) => !("workspaces" in (project[path] as object)),
          ),
        ),
      }),
      fc.record({
        kind: fc.constant("add" as const),
        path: fc.constantFrom(
          "packages/new/package.json",
          "packages/outer/inner/new/package.json",
          "packages/outer/deep/z/package.json",
          "elsewhere/package.json",
          "packages/not-one/x/package.json",
          "tools/four/package.json",
        ),
        field,
        ident: fc.constantFrom(...names),
        range,
      }),
      fc.record({
        kind: fc.constant("touch" as const),
        path: fc.constantFrom(...manifests),
      }),
    );

    test("after any edits", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(edit, { maxLength: 6 }), async (edits) => {
          const files: Record<string, unknown> = { ...project };
          for (const each of edits) {
            const manifest = files[each.path] as
              | Record<string, unknown>
              | undefined;
            if (each.kind === "delete")
              Reflect.deleteProperty(files, each.path);
            else if (each.kind === "add")
              files[each.path] = {
                name: `new-${each.path}`,
                [each.field]: { [each.ident]: each.range },
              };
            else if (each.kind === "clear")
              files[each.path] = manifest && { ...manifest, [each.field]: {} };
            else if (each.kind === "depend")
              files[each.path] = manifest && {
                ...manifest,
                [each.field]: {
                  ...(manifest[each.field] as object | undefined),
                  [each.ident]: each.range,
                },
              };
          }
          const { quick, full } = await bothWays(
            files,
            edits.map(({ path }) => path),
          );
          expect(quick).toEqual(full);
        }),
        { numRuns: 150 },
      );
    });
  },
);

describe("workspaces whose files git doesn't list", () => {
  const files = fixtureProject("nested");
  const isIn = (path: string) => path.startsWith("tools/one/");
  const rest = Object.fromEntries(
    Object.entries(files).filter(([path]) => !isIn(path)),
  );
  const paths = Object.keys(rest);
  test.each<[string, MemoryFiles, readonly string[], "all" | "rest"]>([
    ["in a folder that git ignores", files, paths, "all"],
    ["in a submodule or behind a symlink", files, ["tools", ...paths], "all"],
    ["the same, not checked out", rest, ["tools", ...paths], "all"],
    ["a submodule, not checked out", rest, ["tools/one", ...paths], "all"],
    ["deleted, but still in yarn.lock", rest, paths, "rest"],
  ])("%s", async (_, known, listed, expected) => {
    const project = await readProject({
      ...memoryFiles(known),
      list: () => Promise.resolve(listed),
    });
    const whole = outline(await readProject(memoryFiles(files)));
    const { packages, edges } = outline(project);
    const isHere = (text: string) =>
      expected === "all" || !/\bone\b/.test(text);
    expect(packages).toEqual(whole.packages?.filter(isHere));
    expect(edges).toEqual(whole.edges.filter(isHere));
  });
});

test("without a lockfile that contains workspaces, symlinks and submodules that globs match are read, too", async () => {
  const project = await readProject({
    ...memoryFiles({
      "package.json": { workspaces: ["packages/*", "./sub/inner/"] },
      "packages/a/package.json": { name: "a" },
      "packages/again/package.json": { name: "a" },
      "packages/link/package.json": { name: "link" },
      "sub/inner/package.json": { name: "inner" },
      "sub/other/package.json": { name: "other" },
    }),
    list: () =>
      Promise.resolve([
        "package.json",
        ...["packages/a/package.json", "packages/LICENSE"],
        ...["packages/again", "packages/link", "sub"],
      ]),
  });
  expect(project?.packages.map(({ dir }) => dir)).toEqual([
    ...[".", "packages/a", "sub/inner", "packages/link"],
  ]);
});

test("a project without yarn.lock is read from its manifests", async () => {
  const project = await readProject(
    memoryFiles({ ...fixtureProject("nested"), "yarn.lock": undefined }),
    { touchedManifests: [], complete: false },
  );
  expect(outline(project).packages).toEqual([
    "deep in packages/outer/deep/x/y",
    "inner in packages/outer/inner/a",
    "nested-root in .",
    "one in tools/one",
    "outer in packages/outer",
    "two in tools/two",
  ]);
  expect(project?.lock).toBeUndefined();
});

test("without a package.json at the root, the result is undefined", async () => {
  expect(
    await readProject(memoryFiles({ "a/package.json": {} }), {
      touchedManifests: [],
      complete: true,
    }),
  ).toBeUndefined();
});

test("a lockfile with the same text is parsed once", async () => {
  const options = { touchedManifests: [], complete: false };
  const head = await readProject(memoryFiles(fixtureProject("kinds")), options);
  const base = await readProject(memoryFiles(fixtureProject("kinds")), {
    ...options,
    sibling: head,
  });
  expect(base?.lock?.lockfile).toBe(head?.lock?.lockfile);
});

describe("an unreadable project", () => {
  const nested = fixtureProject("nested");
  test.each<
    [
      title: string,
      files: MemoryFiles,
      touched: string[],
      error: new (...args: never[]) => Error,
      data: object,
    ]
  >([
    [
      "a broken root manifest",
      { "package.json": "{\n  oops" },
      [],
      ManifestError,
      { file: "package.json at 1a2b", line: 2 },
    ],
    [
      "a broken manifest of a package",
      { ...nested, "tools/one/package.json": '{ "name": "one" ' },
      ["tools/one/package.json"],
      ManifestError,
      { file: "tools/one/package.json at 1a2b", line: 1 },
    ],
    [
      "a broken lockfile",
      { ...nested, "yarn.lock": "<<<<<<< HEAD\n" },
      [],
      LockfileError,
      { kind: "conflict", line: 1 },
    ],
    [
      "two packages of one name",
      { ...nested, "tools/one/package.json": { name: "two" } },
      ["tools/one/package.json"],
      DuplicateWorkspaceError,
      { workspace: "two", dirs: ["tools/one", "tools/two"] },
    ],
  ])("%s", async (_, files, touchedManifests, error, data) => {
    const reading = readProject(memoryFiles(files, "1a2b"), {
      touchedManifests,
      complete: false,
    });
    await expect(reading).rejects.toBeInstanceOf(error);
    await expect(reading).rejects.toMatchObject(data);
  });

  test("a broken package.json that isn't a workspace's is ignored", async () => {
    const files = {
      ...nested,
      "packages/not-one/package.json": "oops",
      "packages/outer/inner/a/fixture/package.json": "oops",
    };
    const touched = Object.keys(files).filter((path) =>
      path.endsWith("/package.json"),
    );
    const { quick, full } = await bothWays(files, touched);
    expect(quick).toEqual(full);
  });
});
