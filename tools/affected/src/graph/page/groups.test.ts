import { expect, test } from "@jest/globals";
import { groupsOf } from "./groups.js";
import type { PageData } from "./page-data.js";

/** Returns data with the given number of packages in each folder, each depending on the one before. */
function dataOf(folders: Readonly<Record<string, number>>): PageData {
  const nodes = Object.entries(folders).flatMap(([folder, count]) =>
    Array.from({ length: count }, (_, index) => ({
      name: `${folder}-${index}`,
      dir: `${folder}/p${index}`,
      affected: folder === "apps/web",
      ...(folder === "apps/web" && index === 0 && { changed: true as const }),
      reasons: [],
      tags: [],
      owners: [],
    })),
  );
  return {
    title: "shop",
    kinds: ["dependencies"],
    nodes,
    edges: nodes.slice(1).map((_, at) => [at + 1, at, 0] as const),
  };
}

const all = ({ nodes }: PageData) => nodes.map((_, place) => place);

test("many packages are grouped by folder, with edges between the folders", () => {
  const data = dataOf({ "apps/web": 60, "libs/a": 70, "libs/b": 50 });
  const groups = groupsOf(data, all(data));
  expect(
    groups?.data.nodes.map(({ name, affected, changed }) => ({
      ...{ name, affected, changed },
    })),
  ).toEqual([
    { name: "apps/ (60)", affected: true, changed: true },
    { name: "libs/ (120)", affected: false, changed: undefined },
  ]);
  expect(groups?.data.edges).toEqual([[1, 0, 0]]);
  expect(groups?.members.map(({ length }) => length)).toEqual([60, 120]);
});

test.each<[string, Readonly<Record<string, number>>, string[] | undefined]>([
  ["few packages", { "apps/web": 60, "libs/a": 70 }, undefined],
  ["one folder", { packages: 200 }, undefined],
  [
    "a folder with one package, which appears itself",
    { packages: 200, "apps/web": 1 },
    ["packages/ (200)", "apps/web-0"],
  ],
  [
    "one folder of folders",
    { "packages/a": 100, "packages/b": 100 },
    ["packages/a/ (100)", "packages/b/ (100)"],
  ],
])("%s", (_, folders, names) => {
  const data = dataOf(folders);
  expect(groupsOf(data, all(data))?.data.nodes.map(({ name }) => name)).toEqual(
    names,
  );
});
