import { expect, test } from "@jest/globals";
import { json } from "@skein/testing";
import { edgesOf } from "../graph-of.test.support.js";

test("baseUrl of a folder above doesn't concern installed packages and words in settings, unless something is there", async () => {
  const edges = await edgesOf(
    {
      outer: {
        "tsconfig.json": json({ compilerOptions: { baseUrl: "." } }),
        "shared/x.ts": "",
      },
      "outer/installed": { "x.ts": `import "left-pad"; import "fs";` },
      "outer/word": { "jest.config.json": json({ preset: "track" }) },
      "outer/there": { "x.ts": `import "shared/x";` },
      "outer/gone": { "x.ts": `import "shared2/x";` },
    },
    { "outer/installed": { dependencies: { "left-pad": "1.0.0" } } },
  );
  expect(edges).toEqual(["outer/gone -> outer", "outer/there -> outer"]);
});

test("a path that an extended tsconfig maps is at the folder of the one where it exists", async () => {
  const edges = await edgesOf({
    outer: {
      "tsconfig.json": json({
        compilerOptions: { paths: { "@m/lib": ["../lib/src"] } },
      }),
    },
    lib: { "src/index.ts": "" },
    "outer/inner": {
      "tsconfig.json": json({
        extends: "../tsconfig.json",
        compilerOptions: { baseUrl: "." },
        include: ["src"],
      }),
      "src/x.ts": `import "@m/lib";`,
    },
  });
  expect(edges).toEqual(["outer/inner -> lib", "outer/inner -> outer"]);
});
