import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "@jest/globals";
import { tempDir } from "@skein/testing";
import { PathResolver } from "./resolve-path.js";
import { readLink } from "./strace-recorder.js";

function resolver(links: Readonly<Record<string, string>>) {
  return new PathResolver((path) => links[path]);
}

test.each([
  [{}, "/a/./b//c/../d", { path: "/a/b/d", links: [] }],
  [{}, "/../a/", { path: "/a", links: [] }],
  [{ "/l": "/t" }, "/l/x", { path: "/t/x", links: ["/l"] }],
  [{ "/a/l": "../t" }, "/a/l/../x", { path: "/x", links: ["/a/l"] }],
  [{ "/l": "/m", "/m": "n" }, "/l", { path: "/n", links: ["/l", "/m"] }],
  [
    { "/p/node_modules/@m/b": "../../packages/b" },
    "/p/node_modules/@m/b/none.js",
    { path: "/p/packages/b/none.js", links: ["/p/node_modules/@m/b"] },
  ],
])("with links %j, %s", (links, path, expected) => {
  expect(resolver(links).resolve(path)).toEqual(expected);
});

test("a link at the end is followed only on request", () => {
  const links = { "/a": "/b", "/b/l": "/c" };
  expect(resolver(links).resolve("/a/l", false)).toEqual({
    path: "/b/l",
    links: ["/a"],
  });
});

test("circular links end", () => {
  expect(
    resolver({ "/a": "/b", "/b": "/a" }).resolve("/a/x").links,
  ).toHaveLength(40);
});

test("resolves existing paths as the system does", async () => {
  await using dir = await tempDir();
  const top = realpathSync(dir.path);
  const file = join(top, "packages/b/src/x.js");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "");
  mkdirSync(join(top, "node_modules/@m"), { recursive: true });
  symlinkSync("../../packages/b", join(top, "node_modules/@m/b"));
  symlinkSync("node_modules/@m/b/src", join(top, "short"));
  symlinkSync(join(top, "short/x.js"), join(top, "whole.js"));
  const real = new PathResolver(readLink);
  for (const path of ["short/x.js", "whole.js", "short/../src/./x.js"])
    expect(real.resolve(`${top}/${path}`).path).toBe(
      realpathSync.native(`${top}/${path}`),
    );
});
