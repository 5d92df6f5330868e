import { expect, test } from "@jest/globals";
import {
  FIELD_OF_OPTION,
  FIELD_OF_PROGRAM_OPTION,
  FIELDS,
  LOADED_BY_OPTION,
  namesIn,
  namesPackages,
} from "@skein/known-tools";
import { fileKind } from "./file-kinds.js";
import { factsOf } from "./facts.test.support.js";

/** Returns a field as the key of an object in a program. */
const keyOf = (field: string) => (/^\w+$/.test(field) ? field : `"${field}"`);

/** Every form that settings have, each with one field that has one value. */
const FORMS: readonly [
  path: string,
  of: (field: string, value: string) => string,
][] = [
  ["a/.xrc.json", (field, value) => `{ "${field}": ["${value}"] }`],
  ["a/jest.config.json", (field, value) => `{ "${field}": "${value}" }`],
  ["a/.eslintrc.yml", (field, value) => `${field}: "${value}"`],
  ["a/.stylelintrc", (field, value) => `{ "${field}": [["${value}", {}]] }`],
  ...["jest", "babel", "stylelint", "mocha", "commitlint", "nx"].map(
    (tool): [string, (field: string, value: string) => string] => [
      "a/package.json",
      (field, value) => `{ "${tool}": { "${field}": "${value}" } }`,
    ],
  ),
  [
    "a/.stylelintrc.js",
    (field, value) => `module.exports = { ${keyOf(field)}: "${value}" };`,
  ],
  [
    "a/.mocharc.cjs",
    (field, value) => `module.exports = { "${field}": ["${value}"] };`,
  ],
  [
    "a/jest.config.ts",
    (field, value) =>
      `const c: Config = { ${keyOf(field)}: ["${value}"] };\nexport default c;`,
  ],
  [
    "a/x.config.mjs",
    (field, value) =>
      `export default make({ a: { ${keyOf(field)}: [["${value}", {}]] } });`,
  ],
];

const NAMING = [...FIELDS].filter(([, field]) => namesPackages(field));

/** The possible values of a field: names, short names, and those of rules and tasks. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  dependsOn: ["x#build"],
  with: ["x#build"],
  executor: ["x:build"],
  builder: ["x:build"],
  deps: ["x:build"],
  "node-option": ["import=x", "require=@m/x"],
  nodeArguments: ["--import=x", "--loader=@m/x"],
  extends: ["x", "@m/x", "@m", "plugin:x/y"],
};

test.each(
  NAMING.flatMap(([name, field]) =>
    (VALUES[name] ?? ["x", "@m/x"]).map(
      (value) => [name, value, field] as const,
    ),
  ),
)("%s: %s names the same packages in every form", (name, value, field) => {
  const kind = { tasks: "name-string", shared: "extends", packages: "config" };
  const expected = namesIn(name, value).map(
    (found) => `1 ${kind[field.names as keyof typeof kind]} ${found}`,
  );
  expect(expected).not.toEqual([]);
  for (const [path, of] of FORMS) {
    const all = factsOf(path, of(name, value));
    expect([path, all.filter((row) => expected.includes(row))]).toEqual([
      path,
      expected,
    ]);
  }
  // No program takes ESLint's names of rules by an option.
  const options = value.includes(":") ? [] : (field.options ?? []);
  for (const option of options)
    for (const between of [" ", "="]) {
      const script = `run ${option}${between}${value}`;
      const all = factsOf(
        "a/package.json",
        `{ "scripts": { "x": "${script}" } }`,
      );
      for (const found of namesIn(name, value))
        expect([script, all]).toEqual([
          script,
          expect.arrayContaining([`1 script ${found}`]),
        ]);
    }
});

test("ESLint's older settings mean one package by a name, and only in their own fields", () => {
  const fields = (plugins: string, names: string) =>
    `{ "plugins": ${plugins}, "extends": ${names} }`;
  const settings = `{ ${fields(
    '["x", "@m/x", "@m", "eslint-plugin-y"]',
    '["x", "plugin:x/y", "plugin:@m/z", "@m/eslint-config/w", "./own", "a/b"]',
  ).slice(1, -1)}, "overrides": [{ "plugins": ["z"] }],
    "parserOptions": { "babelOptions": { "plugins": ["w"] } } }`;
  const expected = [
    ["config", ["eslint-plugin-x", "@m/eslint-plugin-x", "@m/eslint-plugin"]],
    ["config", ["eslint-plugin-y"]],
    ["extends", ["eslint-config-x", "eslint-plugin-x", "@m/eslint-plugin"]],
    ["extends", ["a/b", "eslint-config-a/b"]],
    ["config", ["eslint-plugin-z", "w", "babel-plugin-w", "eslint-plugin-w"]],
  ].flatMap(([kind, names]) =>
    [names].flat().map((name) => `${String(kind)} ${name}`),
  );
  for (const [path, text] of [
    ["a/.eslintrc", settings],
    ["a/.eslintrc.json", settings],
    ["a/package.json", `{ "eslintConfig": ${settings} }`],
    ["a/.eslintrc.js", `module.exports = ${settings};`],
    ["a/.eslintrc.cjs", `const own = ${settings};\nmodule.exports = own;`],
  ] as const) {
    const found = new Set(
      factsOf(path, text).map((row) => row.replace(/^\d+ /, "")),
    );
    expect([path, expected.filter((row) => !found.has(row))]).toEqual([
      path,
      [],
    ]);
    const others = ["x", "@m/x", "@m", "z", "eslint-plugin-a/b"].filter(
      (name) => found.has(`config ${name}`) || found.has(`extends ${name}`),
    );
    expect([path, others]).toEqual([path, []]);
  }
});

test.each([...FIELD_OF_PROGRAM_OPTION])(
  "%s names a package in a command of this program only",
  (option, field) => {
    const [program = "", flag = ""] = option.split(" ");
    const names = namesIn(field, "x").map((name) => `1 script ${name}`);
    const rowsOf = (command: string) =>
      factsOf("a/package.json", `{ "scripts": { "x": "${command}" } }`).filter(
        (row) => row.startsWith("1 script "),
      );
    for (const command of [
      `${program} ${flag} x`,
      `yarn build && npx ${program} -c y ${flag}=x z`,
      `node node_modules/.bin/${program} y ${flag} x`,
    ])
      expect([command, rowsOf(command)]).toEqual([
        command,
        expect.arrayContaining(names),
      ]);
    // `--plugin` and the like are also options of other programs, and `tsc -p x` is a project.
    const own = names.length > 1 ? names.slice(1) : names;
    if (!FIELD_OF_OPTION.has(flag))
      for (const command of [`y ${flag} x`, `${program} y && z ${flag} x`])
        expect([
          command,
          rowsOf(command).filter((row) => own.includes(row)),
        ]).toEqual([command, []]);
  },
);

test.each([...LOADED_BY_OPTION])("%s loads %j", (option, packages) => {
  const [program = "", flag = ""] = option.split(" ");
  const all = factsOf(
    "a/package.json",
    `{ "scripts": { "x": "${program} y ${flag}" } }`,
  );
  expect(all).toEqual(
    expect.arrayContaining(packages.map((name) => `1 script ${name}`)),
  );
});

test.each([...FIELDS].filter(([, { names }]) => names !== "tasks"))(
  "%s: a path leads to the same place in every form",
  (name) => {
    for (const [path, of] of FORMS)
      // Jest alone has `<rootDir>`, and takes neither YAML nor a file whose name ends in `rc.json`.
      for (const value of /rc\.(?:json|yml)$/.test(path)
        ? ["../b"]
        : ["../b", "<rootDir>/../b"]) {
        const all = factsOf(path, of(name, value));
        expect([
          path,
          value,
          all.filter((row) =>
            / (?:\.\/)?\.\.\/b\/?$|=(?:\.\/)?\.\.\/b/.test(row),
          ),
        ]).not.toEqual([path, value, []]);
      }
  },
);

test.each(NAMING.filter(([, { inSources }]) => inSources === undefined))(
  "%s names no package in an ordinary source",
  (name) => {
    for (const path of ["a/parse.ts", "a/src/config.js", "a/x.config.test.js"])
      expect([
        path,
        factsOf(
          path,
          `export default { ${keyOf(name)}: "x", y: { ${keyOf(name)}: ["x"] } };`,
          // The field's own name may look like a path.
        ).filter((row) => row !== `1 root-guess ${name}`),
      ]).toEqual([path, []]);
  },
);

test.each<[path: string, isSettings: boolean]>([
  [".eslintrc.js", true],
  ["a/.prettierrc.mjs", true],
  ["a/eslint.config.js", true],
  ["a/jest.config.base.ts", true],
  ["a/jest.unit.config.cts", true],
  ["a/karma.conf.cjs", true],
  ["a/jest-preset.js", true],
  ["a/.storybook/main.ts", true],
  ["a/src/config.ts", false],
  ["a/src/db-config.ts", false],
  ["a/jest.config.d.ts", false],
  ["a/jest.config.test.ts", false],
  ["a/x.config.tsx", false],
])("whether %s is a tool's settings", (path, isSettings) => {
  expect(fileKind(path, "100644")?.startsWith("settings.")).toBe(isSettings);
});
