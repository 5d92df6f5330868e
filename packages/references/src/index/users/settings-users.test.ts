import { expect, test } from "@jest/globals";
import { json } from "@skein/testing";
import { edgesOf } from "../graph-of.test.support.js";

const plugin = {
  "tsconfig.json": json({ compilerOptions: { baseUrl: "src" } }),
  "src/react/index.ts": "",
};
const user = { "x.ts": `import "react";` };

test("settings of ESLint that extend a plug-in don't extend the tsconfig of its package", async () => {
  const edges = await edgesOf({
    ".": { ".eslintrc.json": json({ extends: ["plugin:acme/strict"] }) },
    "eslint-plugin-acme": plugin,
    user,
  });
  expect(edges).toEqual([]);
});

test("a tsconfig that extends the one of a package does", async () => {
  const edges = await edgesOf({
    "eslint-plugin-acme": plugin,
    user: {
      ...user,
      "tsconfig.json": json({ extends: "eslint-plugin-acme/tsconfig.json" }),
    },
  });
  expect(edges).toEqual(["user -> eslint-plugin-acme"]);
});
