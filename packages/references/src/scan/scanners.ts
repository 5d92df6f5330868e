import { COMPILERS, LOADERS_OF_SETTINGS } from "@skein/known-tools";
import { scanShellPrograms } from "./commands/shell-programs.js";
import { COVERAGE_SIGN, type FileFacts, type Reference } from "../reference.js";
import type { FileKind, ProgramKind } from "./file-kinds.js";
import { isProgram, scanForeignPrograms } from "./text/foreign-programs.js";
import { scanManifest } from "./settings/manifest.js";
import { withManifestFields } from "./javascript/settings/manifest-fields.js";
import {
  scanSettingsSource,
  scanSource,
  type ParseSync,
} from "./javascript/source.js";
import { openOwnScripts, type ScanOwnScript } from "./commands/shell-words.js";
import { scanPackageLists } from "./javascript/settings/package-lists.js";
import { scanPage } from "./text/page.js";
import { scanStyle } from "./text/style.js";
import {
  scanMarkup,
  scanMdx,
  scanNameless,
  scanSettings,
  scanShell,
  scanUpwardPaths,
} from "./text/text.js";
import { scanToolConfig } from "./settings/tool-settings.js";
import { isTsconfig, scanTsconfig } from "./settings/tsconfig.js";
import { scanWrittenNames } from "./javascript/written-names.js";
import { scanVariables } from "./text/variables.js";

/** Tools that the scanners of all files share. */
interface ScanTools {
  readonly parseSync: ParseSync;
  readonly scanOwnScript: ScanOwnScript;
}

/** Reads one kind of file. The facts depend only on the text. */
type Scanner = (text: string, tools: ScanTools) => FileFacts;

/** Settings that are a program: the tool, if another package loads them, and their ending. */
const SETTINGS = /^settings\.(?:(\w+)\.)?(\w+)$/;
/** Packages that load settings, by the tool. */
const LOADERS: Readonly<Record<string, readonly string[]>> = {
  ...LOADERS_OF_SETTINGS,
  babel: ["@babel/register"],
};

/** Returns the references of a program, and of settings that are one, to which the packages belong that load them. */
function scanProgram(
  kind: ProgramKind,
  text: string,
  parseSync: ParseSync,
): FileFacts {
  const [, tool = "", ending] = SETTINGS.exec(kind) ?? [];
  if (ending === undefined) return scanSource(`file.${kind}`, text, parseSync);
  const facts = scanSettingsSource(
    `settings.${ending}`,
    text,
    parseSync,
    tool === "eslintrc" ? tool : "any",
  );
  const loaders = named(LOADERS[tool] ?? []);
  return { ...facts, references: [...facts.references, ...loaders] };
}

/** Returns the references of a stylesheet in another language than CSS, which a bundler compiles. */
function compiledStyle(
  text: string,
  language: keyof typeof COMPILERS,
): FileFacts {
  const { references } = scanStyle(text);
  return { references: [...references, ...named(COMPILERS[language])] };
}

/** Returns references to packages that no word of the file names. */
function named(packages: readonly string[]): readonly Reference[] {
  return packages.map((specifier) => ({
    specifier,
    kind: "name-string",
    line: 1,
    column: 1,
  }));
}

/** An element of JSX. A compiler adds an import of React unless other settings name another package. */
const ELEMENT = /<\/|\/>/;

/** An element of JSX after an operator or a word, where `<` can't compare. */
const ELEMENT_IN_JS =
  /(?:\breturn|=>|[(,=?:]|&&|\|\|)\s*\(?\s*<(?:[A-Za-z][\w.]*[\s/>]|>)/;

/** Returns the reference to React of a source with JSX that doesn't import it itself. */
function scanElements(
  kind: FileKind,
  text: string,
  { references }: FileFacts,
): readonly Reference[] {
  const isMeant =
    (kind === "tsx" ||
      kind === "jsx" ||
      (kind === "js" && ELEMENT_IN_JS.test(text))) &&
    ELEMENT.test(text) &&
    !references.some(({ specifier }) => specifier === "react");
  return isMeant ? named(["react"]) : [];
}

/** All kinds of files. A new kind without a scanner doesn't compile. */
const SCANNERS: Readonly<Record<Exclude<FileKind, ProgramKind>, Scanner>> = {
  manifest: (text, { scanOwnScript }) => scanManifest(text, scanOwnScript),
  tsconfig: scanTsconfig,
  tool: (text) => scanToolConfig(text),
  "tool.eslint": (text) => scanToolConfig(text, true),
  settings: scanSettings,
  style: scanStyle,
  "style.sass": (text) => compiledStyle(text, "sass"),
  "style.less": (text) => compiledStyle(text, "less"),
  "style.stylus": (text) => compiledStyle(text, "stylus"),
  markup: scanMarkup,
  mdx: scanMdx,
  page: scanPage,
  text: (text) => (isTsconfig(text) ? scanTsconfig : scanUpwardPaths)(text),
  shell: (text) => scanShell(text),
  image: (text) => scanShell(text, true),
  nameless: scanNameless,
  dotenv: scanUpwardPaths,
  symlink: (text) => ({
    references: [
      {
        specifier: text.startsWith("/") ? text : `./${text}`,
        kind: "symlink",
        line: 1,
        column: 1,
      },
    ],
  }),
};

/** An option of Jest and Vitest in a command. In manifests, the texts of scripts show it. */
const MEASURES_COVERAGE = /(?<![\w-])--(?:collectC|c)overage\b/;

/** Returns a mark if a command in a file, which may be in a list of words, tells a test runner to measure coverage. */
function scanCoverage(kind: FileKind, text: string): readonly Reference[] {
  return !/^(?:manifest|page|mdx)$/.test(kind) && MEASURES_COVERAGE.test(text)
    ? [{ specifier: COVERAGE_SIGN, kind: "program", line: 1, column: 1 }]
    : [];
}

/** Adds the fields of manifests to facts. Most programs load none. */
function ofManifests(text: string, facts: FileFacts): FileFacts {
  return /\bpackage(?:\.json)?["'`]/.test(text)
    ? { ...facts, references: withManifestFields(text, facts.references) }
    : facts;
}

/** Files with more bytes than this aren't read: generated bundles, data. */
const LARGEST_FILE = 5_000_000;

/**
 * Returns the references of a file. They depend only on its kind and its bytes.
 * @returns facts with a reason in `unparsed` for a file that is too large or isn't text
 */
export type ScanBytes = (kind: FileKind, bytes: Buffer) => FileFacts;

/** Opens a scanner of files, which remembers scripts that many files have. */
export function openScanner(parseSync: ParseSync): ScanBytes {
  const tools = { parseSync, scanOwnScript: openOwnScripts() };
  return (kind, bytes) => scanBytes(kind, bytes, tools);
}

function scanBytes(kind: FileKind, bytes: Buffer, tools: ScanTools): FileFacts {
  if (bytes.length > LARGEST_FILE)
    return { references: [], unparsed: `larger than ${LARGEST_FILE} bytes` };
  if (bytes.length > 2 && bytes[0] === 0xff && bytes[1] === 0xfe)
    bytes = Buffer.from(bytes.toString("utf16le"));
  if (bytes.includes(0)) return { references: [], unparsed: "not text" };
  const text = bytes.toString("utf8");
  // The parser reports a byte order mark before `#!` as an error.
  const plain = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const variables = [
    ...scanVariables(kind, plain),
    ...scanForeignPrograms(kind, plain),
    ...scanCoverage(kind, plain),
    ...(kind === "shell" ? scanShellPrograms(plain) : []),
  ];
  const and = (found: FileFacts): FileFacts => {
    const facts = isProgram(kind) ? ofManifests(plain, found) : found;
    const more = [
      ...variables,
      ...scanElements(kind, plain, facts),
      ...(isProgram(kind) ? scanPackageLists(plain, found) : []),
      ...(isProgram(kind) ? scanWrittenNames(plain) : []),
    ];
    return more.length === 0
      ? facts
      : { ...facts, references: [...facts.references, ...more] };
  };
  try {
    return and(
      isProgram(kind)
        ? scanProgram(kind, plain, tools.parseSync)
        : SCANNERS[kind](plain, tools),
    );
  } catch (error) {
    // Thousands of terms in one sum, or of nested brackets: the walk is as deep as they are.
    if (!(error instanceof RangeError)) throw error;
    return and({ ...scanNameless(plain), unparsed: "nested too deeply" });
  }
}
