import { expect, test } from "@jest/globals";
import { parseSync } from "oxc-parser";
import { fileKind, type FileKind } from "./file-kinds.js";
import { type Row, told } from "./rows.test.support.js";
import { scanBytes } from "./scanners.js";

const ROWS: readonly Row[] = [
  [
    "tsconfig.json",
    `{\n  // why\n  "extends": ["../base", "@m/tsconfig/base.json"],\n  "references": [{ "path": "../core" }],\n  "include": ["src", "../x/**/*.ts", "\${configDir}/y"],\n  "files": ["types/a.d.ts"],\n}`,
    "extends ../base 3",
    "extends @m/tsconfig/base.json 3",
    "tsconfig-reference ../core 4",
    "tsconfig-include ~./src/ 5",
    "tsconfig-include ~../x/….ts 5",
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
  [
    "a/package.json",
    `{ "files": ["../no"], "myTool": { "x": ["../../x.config.mjs", "@m/no"] },\n"other": "packages/b/x.js" }`,
    "path-string ../../x.config.mjs 1",
    "root-guess packages/b/x.js 2",
  ],
  [
    "a/run.sh",
    "node ../$p/src/x.js ../$q",
    "glob ~../…/src/x.js 1",
    "root-guess src/x.js 1",
    "path-string ~../ 1",
  ],
  ["BUILD", `deps = ["//packages/b:lib"]`, "root-guess packages/b 1"],
  ["a/b.kts", `f("$rootDir/packages/b/x.js")`, "root-guess packages/b/x.js 1"],
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
    "near-guess ./own 1",
  ],
  ["a/x.yml", "x: ./../b/y.graphql", "path-string ./../b/y.graphql 1"],
  ["a/Makefile", "F=-O2 -I../b/include", "path-string ../b/include 1"],
  ["a/b.Dockerfile", "COPY ../b/src /b", "path-string ../b/src 1"],
  ["a/x.thrift", 'include "../b/x.thrift"', "path-string ../b/x.thrift 1"],
  [
    "a/x.py",
    'a = join(x, "..", "..", "b", "y.json")\nb = Path(__file__).parents[2] / "b" / "y"\nc = p.parent.parent / "b" / "z"',
    "path-string ../../b/y.json 1",
    "near-guess ./y.json 1",
    "path-string ../../b/y 2",
    "near-guess ./p.parent.parent 3",
    "path-string ../b/z 3",
  ],
  ["a/run.cmd", 'node "%~dp0..\\b\\x.js"', "path-string ../b/x.js 1"],
  ["a/run.sh", "cd ..\ncd b\n", "path-string ../b/ 2"],
  [
    "a/x.scss",
    '@import "a", "../../b/c";\nx { y: data-uri("../d.svg") }',
    "style a 1",
    "style ./a 1",
    "path-string ../../b/c 1",
    "path-string ../d.svg 2",
  ],
  [
    "a/x.vue",
    '<template src="../b/x.html"><img src="../c/y.png"></template>\n<script>import "z"</script>',
    "import z 2",
    "path-string ../b/x.html 1",
    "path-string ../c/y.png 1",
  ],
  [
    "a/x.gts",
    'import x from "../b/x.js";',
    "import ../b/x.js 1",
    "path-string ../b/x.js 1",
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
  [
    "a/.eslintrc.yml",
    `root: true\n# extends: no\nextends:\n  - x # why\n\n  - "plugin:y/z"\noverrides:\n  - files: "*.no"\n    plugins: [u, 'v']\nparser: w\nrules:\n  no: off`,
    "extends x 4",
    "extends eslint-config-x 4",
    "extends commitlint-config-x 4",
    "extends y 6",
    "extends eslint-plugin-y 6",
    "root-guess y/z 6",
    "config u 9",
    "config eslint-plugin-u 9",
    "config babel-plugin-u 9",
    "config v 9",
    "config eslint-plugin-v 9",
    "config babel-plugin-v 9",
    "config w 10",
  ],
  [
    "a/.graphqlrc.yml",
    `projects:\n  no:\n    extensions:\n      codegen:\n        generates:\n          no.ts:\n            preset: x\n            plugins:\n            - y:\n                no: 1\n            - name: no\n            -   z`,
    "near-guess ./no.ts 6",
    "extends x 7",
    "config y 9",
    "config eslint-plugin-y 9",
    "config babel-plugin-y 9",
    "config z 12",
    "config eslint-plugin-z 12",
    "config babel-plugin-z 12",
  ],
  [".mocharc.yaml", "require: x\nspec: no", "config x 1"],
  ["a/.eslintrc", "parser: x", "config x 1"],
  [
    ".postcssrc",
    "plugins:\n  x: {}\n  y:\n    no: 1\nno: 2",
    "config x 2",
    "config eslint-plugin-x 2",
    "config babel-plugin-x 2",
    "config y 3",
    "config eslint-plugin-y 3",
    "config babel-plugin-y 3",
  ],
  [
    ".browserslistrc",
    "# extends no\nextends x\n> 1%",
    "extends x 2",
    "extends eslint-config-x 2",
    "extends commitlint-config-x 2",
  ],
  [
    ".swcrc",
    `{ "jsc": { "parser": { "syntax": "no" }, "experimental": { "plugins": [["x", {}]] } } }`,
    "config x 1",
    "config eslint-plugin-x 1",
    "config babel-plugin-x 1",
  ],
  ["typedoc.json", `{ "plugin": ["x"], "name": "no" }`, "config x 1"],
  [
    "a/turbo.json",
    `{ "tasks": { "build": { "dependsOn": ["^no", "no", "x#build"] } } }`,
    "name-string x 1",
  ],
  [
    "a/project.json",
    `{ "implicitDependencies": ["x"], "targets": { "no": { "executor": "y:build", "dependsOn": ["no", { "projects": ["z"], "target": "no" }] } } }`,
    "name-string x 1",
    "name-string y 1",
    "name-string z 1",
  ],
  [
    "next.config.js",
    `module.exports = { transpilePackages: ["x"], plugin: "no", plugins: { y: {}, no: z, ["no"]: {} }, addons: [{ name: "w" }] };`,
    "config x 1",
    "config y 1",
    "config w 1",
  ],
  ["a.ts", `chart({ plugins: { no: {} } });`],
  [
    "jest.config.js",
    `module.exports = { moduleDirectories: ["node_modules", "packages"], modulePaths: ["<rootDir>/lib/"], resolve: { modules: [path.join(__dirname, "x")] } };`,
    "tsconfig-paths *=packages/* 1",
    "tsconfig-paths *=./lib/* 1",
    "path-string ./lib/ 1",
    "tsconfig-paths *=./x/* 1",
    "path-string ./x 1",
  ],
  [
    "jest.config.json",
    `{ "moduleDirectories": ["node_modules", "packages"] }`,
    "tsconfig-paths *=packages/* 1",
  ],
  [
    "a.js",
    `read(["..", "b"].join("/"), ["..", "no"].join(" "));`,
    "path-string ../b 1",
    "path-string ../no 1",
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
    `{ "browserslist": { "production": ["extends @m/b", "> 1%"] }, "nx": { "implicitDependencies": ["x"] }, "postcss": { "plugins": { "y": {} } } }`,
    "extends @m/b 1",
    "name-string x 1",
    "config y 1",
    "config eslint-plugin-y 1",
    "config babel-plugin-y 1",
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
];

test.each(ROWS)("%s: %s", (path, text, ...expected) => {
  expect(told(path, text)).toEqual(expected);
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

test.each<[kind: FileKind, text: string]>([
  ["js", `import "../x"; f(${"'a' + ".repeat(50_000)}'b', require('q'));`],
  ["js", `import "../x"; f${".a()".repeat(50_000)}; require("q");`],
  ["tool", `{"extends":"../x","a":${"[".repeat(50_000)}${"]".repeat(50_000)}}`],
  // The parser would end the process by a signal.
  ...[
    `f(${"[".repeat(50_000)}${"]".repeat(50_000)}, require("../x"))`,
    `f(${"{x:(".repeat(50_000)}1${")}".repeat(50_000)}, require("../x"))`,
    `f(${"()=>".repeat(50_000)}require("../x"))`,
    `f(${"a?b:".repeat(50_000)}require("../x"))`,
    `f(${"<a>".repeat(50_000)}${"</a>".repeat(50_000)}, require("../x"))`,
  ].map((text): [FileKind, string] => ["js", text]),
])("%s that is nested too deeply to be walked is searched", (kind, text) => {
  const { references, unparsed } = scanBytes(
    kind,
    Buffer.from(text),
    parseSync,
  );
  expect(unparsed).toBe("nested too deeply");
  expect(references).toContainEqual(
    expect.objectContaining({ specifier: "../x" }),
  );
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
