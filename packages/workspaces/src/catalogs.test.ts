import { expect, test } from "@jest/globals";
import { readYarnSettings } from "./catalogs.js";

/** Returns catalogs as plain objects, package extensions without their text, and the rest. */
function read(text: string) {
  const { catalogs, extensions, rest } = readYarnSettings(text);
  return {
    extensions: extensions.map(({ ident, dependencies }) => [
      ident,
      ...dependencies.map((each) => each.join("@")),
    ]),
    catalogs: Object.fromEntries(
      [...catalogs].map(([name, catalog]) => [
        name,
        Object.fromEntries(catalog),
      ]),
    ),
    rest,
  };
}

test.each<
  [
    title: string,
    text: string,
    catalogs: unknown,
    rest: string,
    extensions?: unknown,
  ]
>([
  ["nothing", "", {}, ""],
  ["comments and empty lines", "# a\n\n  # b\n", {}, ""],
  [
    "settings",
    "nodeLinker: node-modules\n# a\nnpmScopes:\n  s:\n    npmRegistryServer: x\n",
    {},
    "nodeLinker: node-modules\nnpmScopes:\n  s:\n    npmRegistryServer: x",
  ],
  [
    "the catalog, quoted and not",
    "catalog:\n  ms: ^2.1.0\n  \"@s/a\": \"npm:1.0.0\"\n  '@s/b': '>=1 <2'\n  c: patch:c@npm%3A1#~/c.patch\n",
    { "": { ms: "^2.1.0", "@s/a": "npm:1.0.0", "@s/b": ">=1 <2" } },
    "  c: patch:c@npm%3A1#~/c.patch",
  ],
  [
    "named catalogs; one called default is not the default one",
    "catalogs:\n  old:\n    ms: 1.0.0\n  default:\n    ms: 3.0.0\ncatalog:\n  ms: 2.0.0\n",
    { old: { ms: "1.0.0" }, default: { ms: "3.0.0" }, "": { ms: "2.0.0" } },
    "",
  ],
  [
    "settings between catalogs",
    "catalog:\n  a: 1\nnodeLinker: pnp\ncatalogs:\n  x:\n    a: 2\nother:\n  a: 3\n",
    { "": { a: "1" }, x: { a: "2" } },
    "nodeLinker: pnp\nother:\n  a: 3",
  ],
  ["Windows' line ends", "catalog:\r\n  a: 1\r\n", { "": { a: "1" } }, ""],
  [
    "forms that are not read stay text",
    "catalog: { a: 1 }\ncatalogs:\n    deep:\n        a: 1\n  x:\n    a: &one 1\n    b: *one\n    c: |\n      2\n",
    { x: {} },
    "catalog: { a: 1 }\n    deep:\n        a: 1\n    a: &one 1\n    b: *one\n    c: |\n      2",
  ],
  [
    "package extensions",
    'packageExtensions:\n  "@s/a@*":\n    dependencies:\n      ms: ^2.1.0\n      "@s/b": "1"\n    peerDependenciesMeta:\n      c:\n        optional: true\n  d@1.x:\n    peerDependencies:\n      e: "*"\n',
    {},
    "",
    [["@s/a", "ms@^2.1.0", "@s/b@1"], ["d"]],
  ],
  [
    "package extensions that are not read",
    "packageExtensions:\n  a@*: { dependencies: { b: 1 } }\n  c:\n    dependencies:\n      d: 1\n  e@1:\n    dependencies: &one\n      f: 1\n",
    {},
    "packageExtensions:\n  a@*: { dependencies: { b: 1 } }\npackageExtensions:\n  c:\n    dependencies:\n      d: 1\npackageExtensions:\n  e@1:\n    dependencies: &one\n      f: 1",
  ],
  [
    "settings that no script can notice",
    "npmMinimalAgeGate: 7d\nlogFilters:\n- code: YN0007\n  level: discard\nnodeLinker: pnp\nnpmPreapprovedPackages:\n  - x\n",
    {},
    "nodeLinker: pnp",
  ],
])("%s", (_, text, catalogs, rest, extensions = []) => {
  expect(read(text)).toEqual({ catalogs, rest, extensions });
});
