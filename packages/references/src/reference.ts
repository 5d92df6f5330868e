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
  /** The name and the text of a package script, as `scriptText` joins them. */
  "script-text",
  /** A pattern by which settings choose files: `include`, `ignores`, `testMatch`. It uses none of them. */
  "selection",
  /** A bare word that is a file's name, or begins with `./`, in a text that no scanner understands: perhaps a file beside it. */
  "near-guess",
  /** An environment variable that the file names, or may name; after `PROGRAM_SIGN`, a program of another language. */
  "variable",
  /**
   * What may lead to a file of the same package: a bare file name, or a folder below which a path is computed. It only says
   * which sources the package's entry points may reach.
   */
  "own-guess",
] as const;
export type ReferenceKind = (typeof REFERENCE_KINDS)[number];

/** What the specifier of a `variable` begins with that is the name of a program. */
export const PROGRAM_SIGN = "$ ";

const BETWEEN_NAME_AND_TEXT = "\x01";

/** Joins a script's name and its text to the specifier of a `script-text`. */
export function scriptText(name: string, text: string): string {
  return `${name}${BETWEEN_NAME_AND_TEXT}${text}`.replaceAll("\0", " ");
}

/** Splits the specifier of a `script-text`. @returns the script's name and its text */
export function nameAndText(
  specifier: string,
): readonly [name: string, text: string] {
  const end = specifier.indexOf(BETWEEN_NAME_AND_TEXT);
  return [specifier.slice(0, end), specifier.slice(end + 1)];
}

const BEFORE_SUFFIX = "\x02";

/** Joins the beginning of a pattern and its end, which every target has, to one specifier. */
export function withSuffix(beginning: string, suffix: string): string {
  return /^[\w./@-]+$/.test(suffix)
    ? `${beginning}${BEFORE_SUFFIX}${suffix}`
    : beginning;
}

/** Splits a specifier into what it begins with and how its targets end. */
export function beginningAndSuffix(
  specifier: string,
): readonly [beginning: string, suffix: string] {
  const end = specifier.indexOf(BEFORE_SUFFIX);
  return end < 0
    ? [specifier, ""]
    : [specifier.slice(0, end), specifier.slice(end + 1)];
}

/** One place in a file that names something else. A pure function of the file's name and bytes. */
export interface Reference {
  /** As written, without quotes, of a path from the root without what stands before it; for a pattern its part before the first wildcard or substitution. */
  readonly specifier: string;
  readonly kind: ReferenceKind;
  /** 1-based; of the specifier. */
  readonly line: number;
  /** 1-based, in UTF-16 units. */
  readonly column: number;
  /**
   * The specifier is only a beginning (a template, a glob): everything may be meant that begins like this, and that ends
   * with what `beginningAndSuffix` finds behind it.
   */
  readonly partial?: boolean;
}

/** What one file says. */
export interface FileFacts {
  readonly references: readonly Reference[];
  /** Why the parser could not read it; what is listed then comes from a search for quoted words, and may be too much. */
  readonly unparsed?: string;
}
