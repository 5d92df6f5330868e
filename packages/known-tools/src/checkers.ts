import type { Tool } from "./tool.js";
import { COMPILES, LINTS, LINTS_WITH } from "./lookups.js";

/** Pages that checkers of texts read. */
const PAGES = ["**/*.{md,mdx,markdown}"] as const;

/** Programs that check or format files. */
export const CHECKERS: readonly Tool[] = [
  {
    programs: ["eslint", "eslint_d", "xo", "standard", "dtslint"],
    purpose: "check",
    looksUp: LINTS,
    looksUpWith: LINTS_WITH,
  },
  {
    programs: ["tslint"],
    purpose: "check",
    looksUp: ["tslint", ...LINTS],
    looksUpWith: LINTS_WITH,
  },
  {
    programs: ["prettier", "pretty-quick"],
    purpose: "check",
    looksUp: ["prettier", "editorconfig", "anyTool"],
    looksUpWith: { tailwind: ["prettier-plugin-tailwindcss"] },
    loads: ["prettier-plugin-", "@prettier/plugin-"],
    reads: PAGES,
  },
  {
    programs: ["stylelint"],
    purpose: "check",
    looksUp: ["stylelint", "prettier", "anyTool"],
    looksUpWith: {
      editorconfig: ["stylelint-prettier", "prettier"],
      browserslist: [
        "stylelint-no-unsupported-browser-features",
        "stylelint-plugin-use-baseline",
      ],
    },
  },
  {
    programs: ["oxlint", "oxfmt"],
    purpose: "check",
    looksUp: ["oxc", "eslint", "prettier", "editorconfig"],
  },
  {
    programs: ["biome", "rome"],
    packages: ["@biomejs/biome"],
    purpose: "check",
    looksUp: ["biome"],
  },
  {
    programs: ["dprint"],
    purpose: "check",
    looksUp: ["dprint"],
    reads: PAGES,
  },
  {
    programs: ["markdownlint", "markdownlint-cli2", "remark", "alex"],
    purpose: "check",
    looksUp: ["markdown"],
    reads: ["**/*.{md,mdx}"],
  },
  {
    programs: ["cspell", "cspell-cli"],
    purpose: "check",
    looksUp: ["spelling"],
    reads: PAGES,
  },
  {
    programs: ["syncpack"],
    purpose: "check",
    looksUp: ["syncpack"],
  },
  {
    programs: ["npmPkgJsonLint"],
    packages: ["npm-package-json-lint"],
    purpose: "check",
    looksUp: ["packageJsonLint"],
  },
  {
    programs: [
      "knip",
      "depcheck",
      "madge",
      "dpdm",
      "depcruise",
      "dependency-cruiser",
    ],
    purpose: "check",
    looksUp: ["knip", ...COMPILES],
  },
  {
    programs: ["size-limit", "bundlesize"],
    purpose: "check",
    looksUp: COMPILES,
    loads: ["@size-limit/", "size-limit-"],
  },
  {
    programs: ["lint-staged"],
    purpose: "check",
    looksUp: ["lintStaged", ...LINTS],
    looksUpWith: LINTS_WITH,
  },
  {
    programs: ["commitlint"],
    packages: ["@commitlint/cli"],
    purpose: "check",
    looksUp: ["commitlint"],
  },
];
