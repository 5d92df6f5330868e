import { expect, test } from "@jest/globals";
import { json } from "@skein/testing";
import { findPhantoms } from "./phantoms.js";
import { usesInScripts } from "./script-uses.js";

test("packages that a script names and the source's root declares are declared; the package's own ones and other words aren't", () => {
  const scripts = {
    build: "tool-a src && echo tool-d",
    test: "NODE_ENV=test jest --reporters=silent,@acme/loud",
    lint: 7,
  };
  const text = json({ name: "lib", scripts });
  const member = {
    name: "lib",
    dir: "packages/lib",
    version: undefined,
    dependencies: [
      { ident: "jest", range: "^30.0.0", field: "devDependencies" as const },
    ],
  };
  const sourceRoot = new Map([
    ["jest", "^30.0.0"],
    ["silent", "^0.6.0"],
    ["@acme/loud", "1.0.0"],
    ["tool-a", "~2.0.0"],
    ["tool-b", "1.0.0"],
  ]);
  const uses = usesInScripts(member, text, scripts, new Set(sourceRoot.keys()));
  const phantoms = findPhantoms({
    uses,
    members: new Set(["lib"]),
    hoisted: () => undefined,
    sourceRoot,
    workspaceRange: () => undefined,
    isLocal: () => false,
  });
  expect(
    phantoms.map(({ ident, place, found }) => [ident, place, found]),
  ).toEqual(
    [
      ["tool-a", "packages/lib/package.json:4", "~2.0.0"],
      ["silent", "packages/lib/package.json:5", "^0.6.0"],
      ["@acme/loud", "packages/lib/package.json:5", "1.0.0"],
    ].map(([ident, place, range]) => [
      ident,
      place,
      {
        kind: "declare",
        field: "devDependencies",
        range,
        because: "source-root",
      },
    ]),
  );
  expect(usesInScripts(member, "{}", undefined, new Set(["jest"]))).toEqual([]);
});
