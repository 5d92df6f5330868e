import { expect, test } from "@jest/globals";
import { Places } from "./place.js";

const places = new Places({
  root: "/w/p",
  sources: ["package.json", "packages/a/src/x.js", "packages/a/package.json"],
  private: ["/tmp/run"],
  caches: ["/tmp", "/home/me/.cache"],
  repository: "/w",
  git: ["/w/p/.git"],
});

test.each([
  ["/w/p/packages/a/src/x.js", { kind: "source", path: "packages/a/src/x.js" }],
  ["/w/p", { kind: "folder", path: "." }],
  ["/w/p/packages/a/src", { kind: "folder", path: "packages/a/src" }],
  [
    "/w/p/packages/a/dist/x.js",
    { kind: "generated", path: "packages/a/dist/x.js" },
  ],
  ["/w/p/.git/HEAD", { kind: "git", path: "/w/p/.git/HEAD" }],
  [
    "/w/p/node_modules/f/x.js",
    { kind: "external", name: "f", folder: "/w/p/node_modules/f" },
  ],
  [
    "/w/p/node_modules/@s/f/node_modules/g/x.js",
    {
      kind: "external",
      name: "g",
      folder: "/w/p/node_modules/@s/f/node_modules/g",
    },
  ],
  [
    "/w/node_modules/f/x.js",
    { kind: "external", name: "f", folder: "/w/node_modules/f" },
  ],
  [
    "/w/p/node_modules/.bin/f",
    { kind: "install", path: "node_modules/.bin/f" },
  ],
  ["/w/p/node_modules/@s", { kind: "install", path: "node_modules/@s" }],
  ["/w/p/.pnp.cjs", { kind: "install", path: ".pnp.cjs" }],
  ["/w/p/.yarn/cache/f.zip", { kind: "install", path: ".yarn/cache/f.zip" }],
  // Tools have their caches here.
  [
    "/w/p/node_modules/.cache/babel/1.json",
    { kind: "generated", path: "node_modules/.cache/babel/1.json" },
  ],
  ["/tmp/run/0/x", { kind: "private" }],
  ["/tmp/jest_rs/x", { kind: "cache", path: "/tmp/jest_rs/x" }],
  ["/home/me/.cache/x", { kind: "cache", path: "/home/me/.cache/x" }],
  ["/usr/lib/libc.so", { kind: "machine", path: "/usr/lib/libc.so" }],
  ["/w/p2/x", { kind: "outside", path: "../p2/x" }],
  ["/w2/x", { kind: "machine", path: "/w2/x" }],
  // npm, which may have started the run, has packages of its own.
  [
    "/usr/lib/node_modules/npm/node_modules/f/x.js",
    { kind: "machine", path: "/usr/lib/node_modules/npm/node_modules/f/x.js" },
  ],
])("%s", (path, expected) => {
  expect(places.of(path)).toEqual(expected);
});

test.each([
  ["packages/a/dist/deep/x.js", "packages/a/dist"],
  ["coverage/x", "coverage"],
  ["packages/a/src/made.js", "packages/a/src/made.js"],
])("the generated folder of %s", (path, expected) => {
  expect(places.generatedFolder(path)).toBe(expected);
});
