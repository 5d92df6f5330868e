/** How a file refers to something. The order is the code in the kept index: add at the end, and raise the scanners' version. */
export const REFERENCE_KINDS = [
  /** `import … from`, `import "…"`, `import x = require("…")`, `@jsxImportSource`. */
  "import",
  /** `export … from`. */
  "export",
  /** `import("…")`. */
  "dynamic-import",
  /** `require("…")`, `require.resolve("…")`, `import.meta.resolve("…")`. */
  "require",
  /** A type position: `import("…")` in a type or in JSDoc, `/// <reference>`, `declare module "…"`. */
  "type",
  /** First argument of `jest.mock`, `vi.mock` and their kin. */
  "mock",
  /** `new URL("…", import.meta.url)`. */
  "url",
  /** Any other string that is a relative path, and `path.join(__dirname, "…")`. What it is for, nobody knows. */
  "path-string",
  /** A symbolic link's target. */
  "symlink",
  /** `extends` of a tsconfig, ESLint or Babel file, a Jest `preset`. */
  "extends",
  /** `references` of a tsconfig. */
  "tsconfig-reference",
  /** What a tsconfig takes in: `include`, `files`, `rootDirs`, `typeRoots`. */
  "tsconfig-include",
  /** `paths` and `baseUrl` of a tsconfig. */
  "tsconfig-paths",
  /** A file or a package named by any other tool's settings (Jest, Babel, ESLint, Prettier). */
  "config",
  /** What a package offers: `main`, `exports`, `imports`, `bin`, `types` and their kin. */
  "entry",
  /** A path in a package script. */
  "script",
  /** A path in a package script that only tests or checks (`test`, `lint`, …): of no matter to dependents. */
  "test-script",
  /** `@import`, `@use` and `url()` of a stylesheet. */
  "style",
  /** A package that a manifest depends on: known from yarn.lock as a rule, and missing there when it was not brought up to date. */
  "dependency",
  /** Any other pattern, or path whose end only a run would tell, below a folder that is known. */
  "glob",
  /** Any other string that is the name of a package in a scope: a preset, an argument of `yarn workspace`. */
  "name-string",
  /** A package script that others may call: its name has a colon, or it calls one of these itself. */
  "script-name",
  /** A word of a package script that may be such a name; `-T x` is a script of the root. */
  "script-call",
  /** A path from the project's root: below `$PROJECT_CWD`, which Yarn sets. */
  "root-path",
  /** What may be one: it begins nobody knows where, or stands in a command. Only a hit in another package says anything. */
  "root-guess",
  /** A package that a manifest takes from a folder (`file:../core`) or from this workspace (`workspace:^`). */
  "linked-dependency",
] as const;
export type ReferenceKind = (typeof REFERENCE_KINDS)[number];

/** One place in a file that names something else. A pure function of the file's name and bytes. */
export interface Reference {
  /** As written, without quotes, of a path from the root without what stands before it; for a pattern its part before the first wildcard or substitution. */
  readonly specifier: string;
  readonly kind: ReferenceKind;
  /** 1-based; of the specifier. */
  readonly line: number;
  /** 1-based, in UTF-16 units. */
  readonly column: number;
  /** The specifier is only a beginning (a template, a glob): everything below its folder may be meant. */
  readonly partial?: boolean;
}

/** What one file says. */
export interface FileFacts {
  readonly references: readonly Reference[];
  /** Why the parser could not read it; what is listed then comes from a search for quoted words, and may be too much. */
  readonly unparsed?: string;
}
