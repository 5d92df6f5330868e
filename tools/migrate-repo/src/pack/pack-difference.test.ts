import { tmpdir } from "node:os";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import type { TreeView } from "../tree/draft.js";
import { packDifference } from "./pack-difference.js";
import { packedFiles } from "./packed-files.js";

type Files = Readonly<Record<string, string>>;

/** Returns a view of a tree with these files. */
function viewOf(files: Files): TreeView {
  const all = Object.entries(files).map(([path, text]) => ({
    path,
    mode: "100644",
    id: text,
  }));
  const stat = (path: string) =>
    Promise.resolve(all.find((file) => file.path === path));
  return {
    list: (under) =>
      Promise.resolve(
        all.filter(({ path }) => under === "" || path.startsWith(`${under}/`)),
      ),
    stat,
    read: async (path) => {
      const file = await stat(path);
      return file && Buffer.from(file.id);
    },
    content: ({ id }) => Promise.resolve(Buffer.from(id)),
  };
}

const NAMES = [
  "index.js",
  "README.md",
  "yarn.lock",
  "lib",
  "lib/a.js",
  "lib/b.test.js",
  "lib/deep/c.js",
  "lib/deep/.npmignore",
  "test/a.js",
  "test/lib",
  ".github/ci.yml",
  ".npmignore",
  ".gitignore",
];
const RULES = [
  ...["*.test.js", "lib", "!lib/a.js", "/test", "deep/", "index.js", "# lib"],
  ...["dist", "LIB/*.js", "!**/c.js", "[lt]e*", "**/deep/**", "!lib/de*/"],
];
const rules = fc.subarray(RULES).map((lines) => `${lines.join("\n")}\n`);
const text = (name: string) =>
  name.endsWith("ignore") ? rules : fc.constant("x");
/** Names without a file and a folder of the same name. */
const names = fc
  .subarray(NAMES)
  .map((some) =>
    some.filter((name) => !some.some((one) => one.startsWith(`${name}/`))),
  );
const files = (some: readonly string[]) =>
  fc.record(Object.fromEntries(some.map((name) => [name, text(name)])));
const manifest = fc
  .record(
    {
      main: fc.constantFrom("index.js", "lib/a.js"),
      files: fc.subarray(["lib", "lib/a.js", "*.js", "test/", "./test", "*"]),
    },
    { requiredKeys: [] },
  )
  .map((fields) => JSON.stringify(fields));

const home = fc
  .tuple(manifest, names.chain(files))
  .map(([json, some]): Files => ({ ...some, "package.json": json }));
const sides = fc.tuple(home, fc.subarray(NAMES), home, fc.nat(5), rules);

test("the difference is that of npm's library on each side", async () => {
  await fc.assert(
    fc.asyncProperty(sides, async ([one, removed, other, which, above]) => {
      const kept = Object.entries(which === 0 ? other : one).filter(
        ([name]) => which === 1 || !removed.includes(name),
      );
      const there: Files = {
        ...Object.fromEntries(
          kept.map(([name, content]) => [`packages/x/${name}`, content]),
        ),
        ...(which === 2 && { ".gitignore": above }),
        // As in a clean-up: the rules move to the top, or to another file.
        ...(which === 4 && {
          "packages/x/.gitignore": above,
          "packages/.npmignore": one[".gitignore"] ?? "",
        }),
        ...(which === 5 &&
          kept.some(([name]) => name.startsWith("lib/")) && {
            "packages/x/lib/.npmignore": above,
          }),
      };
      const [before, after] = [viewOf(one), viewOf(there)];
      const packed = async (view: TreeView, dir: string) =>
        (await packedFiles(view, dir, tmpdir())) ?? [];
      const [here, now] = [
        await packed(before, ""),
        await packed(after, "packages/x"),
      ];
      expect(
        await packDifference(
          { view: before, dir: "" },
          { view: after, dir: "packages/x" },
          tmpdir(),
        ),
      ).toEqual({
        gone: here.filter((path) => !now.includes(path)).sort(),
        came: now.filter((path) => !here.includes(path)).sort(),
      });
    }),
    { numRuns: 150 },
  );
});
