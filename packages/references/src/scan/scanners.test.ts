import { expect, test } from "@jest/globals";
import { parseSync } from "oxc-parser";
import { fileKind } from "./file-kinds.js";
import { scanBytes } from "./scanners.js";

/** One row: a file's path, its text, and `kind specifier line` of each reference (`~` before what is partial). */
const ROWS: readonly [path: string, text: string, ...expected: string[]][] = [
  [
    "tsconfig.json",
    `{\n  // why\n  "extends": ["../base", "@m/tsconfig/base.json"],\n  "references": [{ "path": "../core" }],\n  "include": ["src", "../x/**/*.ts", "\${configDir}/y"],\n  "files": ["types/a.d.ts"],\n}`,
    "extends ../base 3",
    "extends @m/tsconfig/base.json 3",
    "tsconfig-reference ../core 4",
    "tsconfig-include ~./src/ 5",
    "tsconfig-include ~../x/ 5",
    "tsconfig-include ./types/a.d.ts 6",
  ],
  [
    "tsconfig.build.json",
    `{ "compilerOptions": { "baseUrl": "..", "paths": { "~x/*": ["lib/*"] }, "types": ["m"], "typeRoots": ["./t"], "rootDirs": ["../g"], "plugins": [{ "name": "p" }], "jsxImportSource": "j" } }`,
    "tsconfig-paths *=../* 1",
    "tsconfig-paths ~x/*=../lib/* 1",
    "type m 1",
    "tsconfig-include ~./t/ 1",
    "tsconfig-include ~../g/ 1",
    "config p 1",
    "import j 1",
  ],
  [
    "packages/tsconfig/react.json",
    `{ "extends": "./base.json" }`,
    "extends ./base.json 1",
  ],
  [
    "package.json",
    `{ "main": "lib/a.js", "bin": { "x": "./bin/x.js" }, "exports": { ".": { "types": "./t.d.ts" }, "./*": "./src/*.js", "./no": null }, "imports": { "#a": "@m/a", "#b": "./b.js" } }`,
    "entry ./lib/a.js 1",
    "script-name bin x 1",
    "entry ./bin/x.js 1",
    "entry ./t.d.ts 1",
    "entry ~./src/ 1",
    "entry @m/a 1",
    "entry ./b.js 1",
  ],
  [
    "a/package.json",
    `{ "scripts": {\n"build": "cd ../.. && node tools/x.mjs --config=../c.json -o dist -c ../../y && tsc -b ../z",\n"test": "jest ./src ../w/*.ts" } }`,
    "script ../.. 2",
    "root-guess tools/x.mjs 2",
    "script ./tools/x.mjs 2",
    "script ../c.json 2",
    "script ../../y 2",
    "script ../z 2",
    "test-script ./src 3",
    "glob ~../w/ 3",
  ],
  [
    "a/package.json",
    `{ "scripts": {\n"g:x": "node -e 0",\n"y": "run -T z && curl http://localhost:80/x",\n"z": "tsc" } }`,
    "script-name g:x 2",
    "script-name y 3",
    "script-call -T z 3",
  ],
  [
    "a/package.json",
    `{ "name": "@m/a", "bin": "./b.js", "scripts": {\n"v": "node $PROJECT_CWD/x/y.js %PROJECT_CWD%/z $(git rev-parse --show-toplevel)/u/v /usr/bin/w",\n"w": "$HERE/../p \${X}/q/r \`pwd\`/s/t npm -w u/v",\n"x": "npx y && ../node_modules/.bin/z" } }`,
    "entry ./b.js 1",
    "script-name bin a 1",
    "root-path x/y.js 2",
    "root-path z 2",
    "root-path u/v 2",
    "script ../p 3",
    "root-guess q/r 3",
    "root-guess s/t 3",
    "script u/v 3",
    "root-guess u/v 3",
    "script-name x 4",
    "script-call -T y 4",
    "script-call -T z 4",
    "script ../node_modules/.bin/z 4",
  ],
  [
    "package.json",
    `{ "workspaces": [], "scripts": {\n"x": "yarn -s y",\n"y": "tsc" } }`,
    "script-name x 2",
    "script-call -T y 2",
    "script-name y 3",
  ],
  [
    "a/package.json",
    `{ "scripts": {\n"x": "tsc && cd .. && yarn --silent y",\n"z": "npm --prefix=../../ run y" } }`,
    "script-name x 2",
    "script .. 2",
    "script-call -T y 2",
    "script-name z 3",
    "script ../../ 3",
    "script-call -T run 3",
    "script-call -T y 3",
  ],
  [
    "a/package.json",
    `{ "scripts": { "build": "yarn workspace m build && npx @m/cli -o x && turbo run build --filter=@m/n... -F o && yarn m:n" } }`,
    "script-name build 1",
    "script m 1",
    "script @m/cli 1",
    "script @m/n 1",
    "script o 1",
    "script-call m:n 1",
  ],
  [
    "a/package.json",
    `{ "jest": { "preset": "../preset", "setupFiles": ["<rootDir>/../s.js"], "roots": ["../r"], "transform": { "^.+$": "@m/t" } }, "prettier": "@m/prettier", "babel": { "presets": [["@m/b", {}]], "env": { "x": { "plugins": ["./p"] } } }, "eslintConfig": { "extends": "plugin:@m/e/rec", "overrides": [{ "extends": "../o" }] } }`,
    "extends ../preset 1",
    "config ./../s.js 1",
    "config ~../r/ 1",
    "config @m/t 1",
    "extends @m/prettier 1",
    "config @m/b 1",
    "config @m/babel-preset-b 1",
    "config ./p 1",
    "extends @m/e 1",
    "extends @m/eslint-plugin-e 1",
    "extends ../o 1",
  ],
  [
    "a/package.json",
    `{ "dependencies": { "x": "^1" },\n"devDependencies": { "@m/y": "workspace:^" }, "peerDependencies": { "z": "*" }, "optionalDependencies": { "w": "npm:v@1" }, "bundledDependencies": ["no"] }`,
    "dependency x 1",
    "linked-dependency @m/y 2",
    "dependency z 2",
    "dependency w 2",
  ],
  [
    "a/run.sh",
    `yarn workspace @m/b start &\nnpx --yes @m/c@1 --filter=d\nyarnx @m/no\n./yarn @m/no\necho @m/no`,
    "name-string @m/b 1",
    "name-string @m/c 2",
    "name-string d 2",
  ],
  [
    "a/fixture/package.json",
    `{ "dependencies": { "a": "file:../../b", "c": "link:d::locator=x", "e": "file:../f.tgz#x", "g": "file:/h", "i": "portal:~/j" },\n"resolutions": { "k/l": "portal:./m" }, "overrides": { "n": { "o": "file:../p", "q": "1" } }, "pnpm": { "overrides": { "r": "link:../s" } } }`,
    "dependency a 1",
    "linked-dependency ../../b 1",
    "dependency c 1",
    "linked-dependency ./d 1",
    "dependency e 1",
    "linked-dependency ../f.tgz 1",
    "dependency g 1",
    "dependency i 1",
    "linked-dependency ./m 2",
    "linked-dependency ../p 2",
    "linked-dependency ../s 2",
  ],
  [
    "a/package.json",
    `{ "wireit": { "build": { "dependencies": ["../b:build"], "files": ["../c/**", "src/**"] } } }`,
    "path-string ../b 1",
    "glob ~../c/ 1",
  ],
  ["a/go.mod", "replace m => ../b", "path-string ../b 1"],
  [".eslintrc", `{ "extends": ["../x.json"] } // no`, "extends ../x.json 1"],
  [
    "jest.config.json",
    `{ "projects": ["<rootDir>/a"], "moduleNameMapper": { "x": "<rootDir>/../m/$1" } }`,
    "config ~./a/ 1",
    "config ~./../m/ 1",
  ],
  [
    "tailwind.css",
    `@import "tailwindcss" source("../x");\n@source "../y/";`,
    "style tailwindcss 1",
    "style ./tailwindcss 1",
    "glob ~./../x/ 1",
    "style ../y/ 2",
    "glob ~./../y/ 2",
  ],
  [
    "a.scss",
    `@use "../x/y";\n@import 'z', "w";\n.a { background: url(../i.png), url("data:no"); }`,
    "style ../x/y 1",
    "style z 2",
    "style ./z 2",
    "style ../i.png 3",
  ],
  [
    "a.css",
    `@source "../w/**/*.ts";\n@use "pkg:@m/t/x";\n.a { composes: b from "../c.css"; }`,
    "glob ~../w/ 1",
    "style @m/t/x 2",
    "style ../c.css 3",
  ],
  [
    "a/typedoc.json",
    `{ "extends": ["../b/typedoc.json"], "no": "a../b", "all": "../*/src" }`,
    "path-string ../b/typedoc.json 1",
    "root-guess a../b 1",
    "glob ~../ 1",
  ],
  [
    "a/codegen.yml",
    "schema: ../b/x.graphql # ./own",
    "path-string ../b/x.graphql 1",
  ],
  [
    "a/page.mdx",
    `import { A } from "@m/a";\n\n![x](../b/y.png)`,
    "import @m/a 1",
    "path-string ../b/y.png 3",
  ],
  [
    "a/.eslintrc.json",
    `{ "settings": { "import/resolver": { "node": { "paths": ["../b"] } } } }`,
    "config ../b 1",
  ],
  ["a/.lintstagedrc", `{ "*": "node ../b/x.js --fix" }`, "config ../b/x.js 1"],
  [
    "a/project.json",
    `{ "implicitDependencies": ["@m/b"], "targets": { "test": { "dependsOn": ["@m/c#build"] } } }`,
    "name-string @m/b 1",
    "name-string @m/c 1",
  ],
  [
    "a/bin/run",
    `#!/usr/bin/env node\nrequire("@m/b"); require("../../c/x.js")`,
    "require @m/b 2",
    "name-string @m/b 2",
    "require ../../c/x.js 2",
    "path-string ../../c/x.js 2",
  ],
  ["a/.releaserc", `extends: ../b/x.js`, "path-string ../b/x.js 1"],
  [
    "a/page.ejs",
    `<%- include("../b/head.ejs") %>`,
    "path-string ../b/head.ejs 1",
  ],
  [
    "a/package.json",
    `{ "scripts": { "test": "yarn workspaces foreach --include '@m/{b,c}' run x" } }`,
    "name-string ~@m/ 1",
  ],
  [
    "a/package.json",
    `{ "scripts": { "start": "NODE_OPTIONS='-r x' mocha --require=y/register --plugin z" } }`,
    "script x 1",
    "script y/register 1",
    "root-guess y/register 1",
    "script z 1",
  ],
  [
    "a/package.json",
    `{ "scripts": { "demo": "NODE_DEBUG='@m/a*' node x" } }`,
    "script @m/a 1",
    "name-string ~@m/a 1",
  ],
  [
    "a/package.json",
    `{ "jest": { "testEnvironment": "x", "runner": "y" } }`,
    "config x 1",
    "config jest-environment-x 1",
    "config y 1",
    "config jest-runner-y 1",
  ],
  [
    "a.vue",
    `<template>\n  <a src="no" />\n</template>\n<script setup lang="ts">\nimport x from "m";\n</script>\n<style lang="scss" src="./a.scss">\n@use "../v";\n</style>`,
    "import m 5",
    "style ../v 8",
    "import ./a.scss 7",
  ],
  ["a.svelte", `<script>\nimport "../m";\n</script>`, "import ../m 2"],
  ["a.js", "\uFEFF#!/usr/bin/env node\nimport 'm';", "import m 2"],
  [
    "broken/package.json",
    `{ "main": "a.js", "scripts": { "build": "node ./x.js"`,
    "entry ./a.js 1",
    "script ./x.js 1",
  ],
];

test.each(ROWS)("%s: %s", (path, text, ...expected) => {
  const kind = fileKind(path, "100644");
  if (!kind) throw new Error(`${path} is not read`);
  const { references } = scanBytes(kind, Buffer.from(text), parseSync);
  expect(
    references.map(
      ({ kind, specifier, line, partial }) =>
        `${kind} ${partial === true ? "~" : ""}${specifier} ${line}`,
    ),
  ).toEqual(expected);
});

test("what is not read", () => {
  expect(
    [
      ...["README.md", "a.txt", "a.png", "src/a.tsx.snap", "yarn.lock"],
      ...[
        "x/CHANGELOG.json",
        ".pnp.cjs",
        ".pnp.loader.mjs",
        ".yarn/releases/yarn-4.18.1.cjs",
      ],
    ].map((path) => fileKind(path, "100644")),
  ).toEqual(Array(9).fill(undefined));
  expect(fileKind("sub.ts", "160000")).toBeUndefined();
  expect(fileKind("any", "120000")).toBe("symlink");
});

test("files that are too large or not text are counted, not read", () => {
  expect(scanBytes("js", Buffer.alloc(5_000_001, "x"), parseSync)).toEqual({
    references: [],
    unparsed: "larger than 5000000 bytes",
  });
  expect(scanBytes("js", Buffer.from("import 'x'\0"), parseSync)).toEqual({
    references: [],
    unparsed: "not text",
  });
});
