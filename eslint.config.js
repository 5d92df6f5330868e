import eslint from "@eslint/js";
import tseslint from "typescript-eslint";

const engines = "/^(GITHUB|GH|GITLAB|CI|BUILDKITE)(_|$)/";
const seam =
  "Only packages/ci reads a CI engine's variables: ask `ciOf(env)` or `githubAccessOf(env)`.";

const purity =
  "Pure by design: facts come in as arguments, so this file imports no file system, process or network.";

export default tseslint.config(
  {
    ignores: [
      "**/dist",
      "**/bundle",
      "**/fixtures",
      "reports",
      ".yarn",
      "**/*.cjs",
    ],
  },
  eslint.configs.recommended,
  {
    files: ["**/*.{ts,cts}"],
    extends: [
      tseslint.configs.strictTypeChecked,
      tseslint.configs.stylisticTypeChecked,
    ],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        { allowNumber: true },
      ],
      // The first sentence of a docstring is more informative than the type `void` of an arrow that returns a call.
      "@typescript-eslint/no-confusing-void-expression": [
        "error",
        { ignoreArrowShorthand: true },
      ],
    },
  },
  {
    files: ["{packages,tools}/*/src/**/*.ts"],
    ignores: [
      "**/main.ts",
      "**/*.test.ts",
      "**/*.test.kit.ts",
      "packages/testing/**",
      "packages/application/**",
    ],
    rules: {
      "no-restricted-globals": [
        "error",
        {
          name: "process",
          message:
            "Only main.ts reads `process`; take what you need as an argument.",
        },
      ],
      "no-restricted-imports": [
        "error",
        {
          paths: [
            {
              name: "node:process",
              message:
                "Only main.ts reads `process`; take what you need as an argument.",
            },
          ],
        },
      ],
      "no-restricted-properties": [
        "error",
        {
          object: "Date",
          property: "now",
          message: "Only main.ts reads the clock; take `now` as an argument.",
        },
        {
          object: "Math",
          property: "random",
          message: "Only main.ts rolls dice; take randomness as an argument.",
        },
      ],
    },
  },
  {
    files: ["{packages,tools}/*/src/**/*.ts"],
    ignores: [
      "**/*.test.ts",
      "**/*.test.kit.ts",
      "packages/ci/**",
      "packages/testing/**",
      "packages/application/**",
    ],
    rules: {
      "no-restricted-syntax": [
        "error",
        {
          selector: `MemberExpression > Literal[value=${engines}]`,
          message: seam,
        },
        {
          selector: `ObjectPattern > Property[key.name=${engines}]`,
          message: seam,
        },
      ],
    },
  },
  {
    // The pure files: decisions and rendering.
    files: [
      "**/make-plan.ts",
      "**/render*.ts",
      "**/problems.ts",
      "**/refusals/*.ts",
      "**/warnings.ts",
      "packages/delivery-metrics/src/**/*.ts",
      "packages/workspaces/src/{affected,query,lockfile}/**/*.ts",
      "packages/references/src/scan/**/*.ts",
      "tools/ci-dispatch/src/verdict/**/*.ts",
      "tools/ci-dispatch/src/failure-classes.ts",
      "**/classify.ts",
    ],
    ignores: ["**/*.test.ts", "**/*.test.support.ts", "**/verdict/read-*.ts"],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            {
              group: [
                "node:fs",
                "node:fs/*",
                "node:child_process",
                "node:http",
                "node:https",
                "node:net",
                "node:process",
                "execa",
              ],
              message: purity,
            },
          ],
        },
      ],
    },
  },
  {
    files: ["**/*.{js,mjs}"],
    languageOptions: {
      globals: {
        process: "readonly",
        console: "readonly",
        URL: "readonly",
        Buffer: "readonly",
      },
    },
  },
  {
    // CommonJS starts faster, and Node can cache its compiled code.
    files: ["tools/*/bin/*.js"],
    languageOptions: {
      sourceType: "commonjs",
      globals: {
        __dirname: "readonly",
        module: "readonly",
        require: "readonly",
      },
    },
  },
);
