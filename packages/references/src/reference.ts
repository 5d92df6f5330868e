/**
 * The kinds of references from a file. Their order is their code in the stored index: add new kinds at the end, and increase
 * the scanners' version.
 */
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
  /** First argument of `jest.mock`, `vi.mock` and similar functions. */
  "mock",
  /** `new URL("…", import.meta.url)`. */
  "url",
  /** Any other string that is a relative path, and `path.join(__dirname, "…")`. Its purpose is unknown. */
  "path-string",
  /** A symbolic link's target. */
  "symlink",
  /** `extends` of a tsconfig, ESLint or Babel file, a Jest `preset`. */
  "extends",
  /** `references` of a tsconfig. */
  "tsconfig-reference",
  /** The files that a tsconfig includes: `include`, `files`, `rootDirs`, `typeRoots`. */
  "tsconfig-include",
  /** `paths` and `baseUrl` of a tsconfig. */
  "tsconfig-paths",
  /** A file or a package named by any other tool's settings (Jest, Babel, ESLint, Prettier). */
  "config",
  /** The entry points of a package: `main`, `exports`, `imports`, `bin`, `types` and similar fields. */
  "entry",
  /** A path in a package script. */
  "script",
  /** A path in a package script that only tests or checks (`test`, `lint`, …), which doesn't matter to dependents. */
  "test-script",
  /** `@import`, `@use` and `url()` of a stylesheet. */
  "style",
  /** A package that a manifest depends on. It is usually in yarn.lock too, unless yarn.lock is out of date. */
  "dependency",
  /** Any other pattern, or a path whose end is known only at run time, below a known folder. */
  "glob",
  /** Any other string that is the name of a package in a scope: a preset, an argument of `yarn workspace`. */
  "name-string",
  /** A package script that others may call: its name contains a colon, or it calls such a script itself. */
  "script-name",
  /** A word of a package script that may be such a name; `-T x` is a script of the root, `-C .. x` and `-W m x` if the folder or the workspace is it. */
  "script-call",
  /** A path from the project's root: below `$PROJECT_CWD`, which Yarn sets. */
  "root-path",
  /**
   * A possible path from the project's root: its beginning is unknown, or it is in a command. It counts only if its target is
   * in another package.
   */
  "root-guess",
  /** A package that a manifest takes from a folder (`file:../core`) or from this workspace (`workspace:^`). */
  "linked-dependency",
  /** The name and the text of a package script, as `scriptText` joins them. */
  "script-text",
  /** A pattern with which settings select files: `include`, `ignores`, `testMatch`. It uses none of them. */
  "selection",
  /**
   * A word without a folder that is a file's name, or one that begins with `./`, in a text without a scanner of its own:
   * perhaps a file beside it.
   */
  "near-guess",
  /** An environment variable that the file names, or may name. */
  "variable",
  /**
   * A possible reference to a file of the same package: a file name without a folder, or a folder below which a path is
   * computed. It only determines which sources the package's entry points may reach.
   */
  "own-guess",
  /**
   * A path from the current directory whose end is unknown: `readFileSync("../" + name)`,
   * `resolve("..", name)`, `join(process.cwd(), name)`. Scripts run in their package's folder, so it begins there.
   */
  "cwd-path",
  /** A program of another language that the file names, `STARTER`, or one of the signs. */
  "program",
  /** A pattern whose first unknown part is one argument of the process: `packages/${process.argv[2]}`. */
  "argument-path",
  /**
   * The name of a plug-in in a tsconfig. Editors load it, and compilers that are patched; it doesn't change their output, so it
   * doesn't matter to dependents.
   */
  "editor-plugin",
  /** The manifests of all workspaces, which a command compares: `yarn constraints`. It uses no other files of them. */
  "manifests",
  /**
   * A package whose task runs before a task of another package, which settings of the root list: `"a#test": { "dependsOn":
   * ["b#gen"] }`. Its suffix is the other package, or `EACH_OWNER`, and the task: `a/test`.
   */
  "task",
  /** The manifests of all workspaces, which a program lists for those that load it. It uses no other files of them. */
  "manifest-list",
  /** A pattern of files that a tsconfig excludes, `WRITTEN_NAMES`, or `COMPARED_NAMES`. */
  "exclusion",
  /**
   * A pattern of files in other folders whose coverage a test runner measures: `collectCoverageFrom`. It reads them only if it
   * measures coverage. A command tells it to (`--coverage`), or settings. @see COVERAGE_SIGN
   */
  "coverage",
] as const;
export type ReferenceKind = (typeof REFERENCE_KINDS)[number];

/** Kinds of references from the settings of a tool, in a manifest or in a file of settings. */
export const TOOL_SETTINGS: ReadonlySet<ReferenceKind> = new Set<ReferenceKind>(
  ["extends", "config"],
);

/** Replaces the package in the suffix of a `task`: every package with a script of this name has the task. */
export const EACH_OWNER = "-";
/** Precedes the name of a program that is alone in a string: `"python"` may be the name of a language. */
export const BARE_SIGN = "?";
/** Replaces the name of a program: the file starts programs, and Skein doesn't know which. */
export const STARTER = "*";

/**
 * Replaces the name of a program: the file is a closed program, which loads only modules of Node and files that it names.
 * @see addClosed
 */
export const CLOSED_SIGN = "=";

/**
 * Replaces the name of a program: a tsconfig has `outFile`, so the compiler's output is one file, and its declarations are global in
 * projects that refer to this one.
 */
export const GLOBALS_SIGN = ">";

/** Replaces the name of a program: a manifest has a field that can map a path behind the package's name to any entry point. */
export const MAPS_SIGN = "<";

/** Replaces the name of a program: settings or a command tell the test runner to measure coverage. */
export const COVERAGE_SIGN = "%";

/** Precedes the commands of a shell script that are all known. @see scanShellPrograms */
export const SHELL_SIGN = "$";

/** Replaces a pattern: the program changes sources, and loads no module that a string names. @see scanWrittenNames */
export const WRITTEN_NAMES = "=";

/** Replaces a pattern: the program is a rule of ESLint that loads no module which a string names. @see scanWrittenNames */
export const COMPARED_NAMES = "==";

/** How an `own-guess` begins that may begin at the package's folder as well as at the file's. */
export const FROM_PACKAGE = "././";

const BETWEEN_NAME_AND_TEXT = "\x01";

/** The specifier of a `script-call` outside of manifests whose word can only be a script that tests or checks: `run lint`. */
export const CHECK_CALL = /^run (.+)/;

/** Joins a script's name and its text to the specifier of a `script-text`. */
export function scriptText(name: string, text: string): string {
  return `${name}${BETWEEN_NAME_AND_TEXT}${text}`.replaceAll("\0", " ");
}

/**
 * Splits the specifier of a `script-text`.
 * @returns the script's name and its text
 */
export function nameAndText(
  specifier: string,
): readonly [name: string, text: string] {
  const end = specifier.indexOf(BETWEEN_NAME_AND_TEXT);
  return [specifier.slice(0, end), specifier.slice(end + 1)];
}

/** The suffix of a path that means a package in a folder, and no other file: `join(__dirname, "../..", name)`. */
export const BESIDE = "/.";

const BEFORE_SUFFIX = "\x02";

/** Joins the beginning of a pattern and the end that all its targets have to one specifier. */
export function withSuffix(beginning: string, suffix: string): string {
  return /^[\w./@-]+$/.test(suffix)
    ? `${beginning}${BEFORE_SUFFIX}${suffix}`
    : beginning;
}

/** Splits a specifier into its beginning and the ending of its targets. */
export function beginningAndSuffix(
  specifier: string,
): readonly [beginning: string, suffix: string] {
  const end = specifier.indexOf(BEFORE_SUFFIX);
  return end < 0
    ? [specifier, ""]
    : [specifier.slice(0, end), specifier.slice(end + 1)];
}

/** One place in a file that names something else. It depends only on the file's name and bytes. */
export interface Reference {
  /**
   * As it is written, without quotes; for a path from the root, without the text before it; for a pattern, the part before
   * the first wildcard or substitution.
   */
  readonly specifier: string;
  readonly kind: ReferenceKind;
  /** 1-based; of the specifier. */
  readonly line: number;
  /** 1-based, in UTF-16 units. */
  readonly column: number;
  /**
   * The specifier is only a beginning (a template, a glob). It means every path that begins like this and ends with the
   * suffix that `beginningAndSuffix` returns. Of a specifier that isn't partial, the suffix lists the fields of a manifest that the
   * program uses.
   */
  readonly partial?: boolean;
  /** The path certainly begins at the file's folder: the program makes it from `__dirname` or `import.meta`. */
  readonly fromFile?: boolean;
  /** The program only opens the file, and uses the path for nothing else: `readFileSync(join(root, name, "x.json"))`. */
  readonly opened?: boolean;
  /**
   * Only the file itself matters, and nothing that it refers to: an image takes the result of `turbo prune`, which contains
   * `turbo.json`.
   */
  readonly searched?: boolean;
}

/** The facts of one file. */
export interface FileFacts {
  readonly references: readonly Reference[];
  /**
   * The reason why the parser could not read it. Its references then come from a search for quoted words, and may be too
   * many.
   */
  readonly unparsed?: string;
  /** The program opens only files whose paths, or their ends, are among the references. Only known of constraints of Yarn. */
  readonly opensKnown?: boolean;
}
