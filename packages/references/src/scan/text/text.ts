import { COMPILERS } from "@skein/known-tools";
import {
  withoutIgnored,
  withoutSelected,
} from "../javascript/settings/selecting.js";
import { withoutCommentLines } from "./comment-lines.js";
import { addContextOfRoot, addImages } from "./docker.js";
import { FENCE } from "./page.js";
import type { FileFacts } from "../../reference.js";
import { BARE_NAME } from "../javascript/settings/bare-names.js";
import { addLabels } from "./build-labels.js";
import { addForeignModules } from "./foreign-modules.js";
import { addLoaded, addListed } from "./foreign-loads.js";
import { addFromChangedFolder } from "../commands/changed-folders.js";
import { LOADERS, RUNNERS } from "../commands/commands.js";
import { addPath, CLIMBING, upwardPathsIn } from "../path-strings.js";
import { Collector } from "../positions.js";
import { addRootGuesses } from "../root-guesses.js";
import {
  addCommandPatterns,
  addListedPackages,
} from "../commands/shell-lists.js";
import { addCallsAbove } from "../commands/calls-above.js";
import { addCheckCalls, addPrograms } from "../commands/script-calls.js";
import {
  addProgramsInSettings,
  addShellPrograms,
  isShellScript,
} from "../commands/started-programs.js";
import { addCode, addPackages } from "../commands/shell-words.js";
import { outputsIn, withoutWritten } from "../commands/written-paths.js";
import { scanText } from "../text-fallback.js";
import {
  addJoined,
  addVariableFolder,
  addVariablePaths,
  openValues,
  variableAt,
} from "../commands/variable-paths.js";
import { addReadFolders, addWholeFolders } from "../commands/whole-folders.js";
import { addNearGuesses, addWordLists } from "./word-lists.js";
import { addSelections, addSettings } from "../settings/tool-config.js";
import { blank } from "../wild.js";

/** A path that goes up, in the form of Windows; `%~dp0` is the folder of a batch file. */
const BACKWARD =
  /(?<![\w./\\$}-])(?:%~dp0\\?)?(\.\.\\[^\s"'`<>()[\]{},;:|&?$#/]*)/g;

/**
 * A command that may name packages, in a file of any language: up to the end of its line. Commands that load packages name
 * them in options.
 */
const COMMAND = new RegExp(
  String.raw`(?<![\w./@-])(?:(?:(?:${RUNNERS})[ \t]|NODE_OPTIONS[=:])[^\n]*|(?<loads>(?:${LOADERS})[ \t])[^\n;&|]*)`,
  "g",
);

/**
 * The quoted name of a package in a scope, also with one of its tasks or files: settings of Nx and Turborepo, a schema's
 * `$ref`. Names in a list of exceptions aren't used.
 */
const QUOTED_NAME =
  /@(?<=["']~?@)[\w-][\w.-]*\/[\w-][\w.-]*(?:\/[\w.@-]+)*(?=["'/#:])/g;
const EXCEPTIONS = /"ignore"\s*:\s*\[[^\]]*\]/g;

/**
 * Returns the references of a file of settings, data or commands: each path that leads out of its folder, and packages that
 * commands name.
 */
export function scanUpwardPaths(whole: string): FileFacts {
  const text = withoutCommentLines(whole);
  const found = new Collector(text);
  addText(withoutIgnored(text), found);
  addVariablePaths(text, found, false);
  return { references: found.references() };
}

/** A help text that a shell script prints: `cat <<EOF`, with a line that begins with "Usage:", and without a substitution. */
const HELP =
  /^[ \t]*cat[ \t]*<<-?[ \t]*(["']?)(\w+)\1[ \t]*(?:1?>&2[ \t]*)?\n(?=[ \t]*usage:)(?:(?!.*(?:\$\(|`))(?![ \t]*\2[ \t]*$).*\n)*[ \t]*\2[ \t]*$/gim;

/** Replaces help texts with spaces: nothing runs the commands in their examples. */
function withoutHelp(text: string): string {
  return text.includes("<<") ? text.replace(HELP, blank) : text;
}

/** Code as an option: `node -p "require('x').include"`. */
const EVALUATES = /^node(?:[ \t].*)?[ \t](?:-p|-e|-pe|--print|--eval)[ \t=]/;

/** Plug-ins of oxlint; `plugins` names those that are built in. */
const JS_PLUGINS = /"jsPlugins"\s*:\s*\[([^\]]*)\]/g;
const PLUGIN = /(?<=")@?\w[\w./-]*(?=")/g;

/** The package of the settings that a file extends, and of a rig of Rush Stack. */
const EXTENDED = new RegExp(
  String.raw`"(?:extends|rigPackageName)"\s*:\s*"(${BARE_NAME})"`,
  "g",
);

/** Notes the references of a text in any language, and the files beside it that its words may mean. */
export function addText(text: string, found: Collector): void {
  addUses(text, found);
  addNearGuesses(withoutHelp(text), found);
}

/** Notes the packages that commands name. */
function addCommands(text: string, found: Collector): void {
  for (const { 0: command, index, groups } of text.matchAll(COMMAND))
    if (groups?.["loads"] === undefined || /[ \t]-/.test(command)) {
      addPackages(command, "name-string", index, found);
      addCheckCalls(command, index, found);
      if (EVALUATES.test(command))
        addCode(command, "name-string", index, found);
    }
}

/** Notes the references of a text in any language. */
export function addUses(whole: string, found: Collector): void {
  const text = withoutHelp(whole);
  addUpwardPaths(text, found);
  addCommands(text, found);
  addCallsAbove(text, found);
  addListedPackages(text, found);
  addCommandPatterns(text, found);
  if (text.includes('"jsPlugins"')) addListed(text, JS_PLUGINS, PLUGIN, found);
  addLabels(text, found);
  addForeignModules(text, found);
  addLoaded(text, found);
  addProgramsInSettings(text, found);
  addGenerators(text, found);
  addImages(text, found);
  found.addMatches(text, EXTENDED, "name-string");
  addWholeFolders(text, ["glob", "cwd-path"], 0, found);
  addReadFolders(text, found);
  addQuotedNames(text, found);
  addWordLists(text, found);
  addRootGuesses(text, found, { bare: true });
}

/**
 * Returns the same for a shell script, or a file whose recipes are shell scripts.
 * @param isImage whether it is a Dockerfile outside of packages
 */
export function scanShell(whole: string, isImage = false): FileFacts {
  const text = withoutWritten(withoutCommentLines(whole));
  const found = new Collector(text);
  addText(text, found);
  addShell(text, found);
  if (isImage) addContextOfRoot(text, found);
  return { references: found.references() };
}

/** Returns the same for a tool's settings, in which some fields contain names of packages. */
export function scanSettings(whole: string): FileFacts {
  const text = withoutIgnored(withoutCommentLines(whole));
  const found = new Collector(text);
  addSelections(whole, found);
  addText(withoutSelected(text), found);
  addSettings(text, found);
  if (text.includes("#")) found.addMatches(text, EXPORTED, "name-string");
  return { references: found.references() };
}

/** An export of a package in the settings of GraphQL Code Generator: `User: x/models#User`. */
const EXPORTED =
  /(?<=[:"'][ \t]*)(@?[A-Za-z][\w./-]*)#[A-Za-z_]\w*(?=["']?[ \t]*[,}\n])/g;

/** A file of a package in a template: `<img src="~x/y.png">`. */
const TILDE = /(?<=["'(]~)@?[\w-][\w.-]*(?:\/[\w.@-]+)+(?=["')])/g;

/** A part of a component in a language that is compiled: `<style lang="scss">`. */
const PART = /<(?:style|template)\b[^>]*?\slang=["'](\w+)["']/g;
const ENDINGS_OF: Readonly<Record<string, keyof typeof COMPILERS>> = {
  scss: "sass",
  sass: "sass",
  less: "less",
  styl: "stylus",
  stylus: "stylus",
  pug: "pug",
};

/** Notes the packages that compile the parts of a component. */
function addCompilers(text: string, found: Collector): void {
  for (const { 1: ending = "", index } of text.matchAll(PART)) {
    const language = ENDINGS_OF[ending];
    for (const name of language ? COMPILERS[language] : [])
      found.add(name, "name-string", index);
  }
}

/** A generator of Prisma: a package, or a command. */
const GENERATOR =
  /^[ \t]*generator\s+\w+\s*\{[^}]*?\bprovider\s*=\s*"([^"\n]+)"/gm;

function addGenerators(text: string, found: Collector): void {
  if (!text.includes("provider")) return;
  for (const { 0: whole, 1: provider = "", index } of text.matchAll(
    GENERATOR,
  )) {
    const at = index + whole.length - 1 - provider.length;
    addPrograms(provider, at, found);
    if (/^@?\w[\w./@-]*$/.test(provider))
      found.add(
        provider === "prisma-client-js" ? "@prisma/client" : provider,
        "name-string",
        at,
      );
  }
}

/** A part of a component that is in another file: `<style src="@m/a/x.css">`. */
const PART_ELSEWHERE =
  /<(?:style|template|script)\b[^>]*?\ssrc=["'](@[\w.-]+\/[\w./@-]+)["']/g;

/** Returns the same for a page, which also imports packages. */
export function scanMarkup(text: string): FileFacts {
  const found = new Collector(text);
  if (text.includes("~")) found.addMatches(text, TILDE, "name-string");
  found.addMatches(text, PART_ELSEWHERE, "name-string");
  addCompilers(text, found);
  scanText(text, found);
  addUpwardPaths(text, found);
  addRootGuesses(text, found, { hasProse: true });
  return { references: found.references() };
}

/** The first line of a block of code without other words than the language and those about its look. */
const ONLY_SHOWN =
  /^\s*[`~]{3,}\s*[\w+-]*(?:\s+(?:(?:title|filename|label)=(?:"[^"]*"|'[^']*'|\S+)|\{[\d,\s-]*\}|showLineNumbers))*\s*$/;

/** Returns the same for a page in Markdown with components. The code that it shows is only text. */
export function scanMdx(text: string): FileFacts {
  const shown = text.replace(FENCE, (code) => {
    const [first = ""] = code.split("\n", 1);
    // Any other word may be that of a plug-in that runs the code, or that shows a file.
    return ONLY_SHOWN.test(first) ? blank(code) : code;
  });
  return scanMarkup(shown.replaceAll(PARAGRAPH, withoutInlineCode));
}

/** Lines between blank lines. */
const PARAGRAPH = /(?:^.*\S.*(?:\n|$))+/gm;
/** Modules, and components with code in their attributes or as their content. */
const HAS_CODE = /^(?:import|export)\b|[={(,]\s*`|^[ \t]*</m;
const INLINE_CODE = /`[^`\n]*(?:`|$)/gm;

/** Replaces code in a paragraph by spaces, unless the paragraph is code itself. */
function withoutInlineCode(paragraph: string): string {
  return HAS_CODE.test(paragraph) || /^\s*(?:```|~~~)/m.test(paragraph)
    ? paragraph
    : paragraph.replaceAll(INLINE_CODE, blank);
}

/** Returns the references of a program or settings of unknown kind: imported names, names in quotes, and paths that go up. */
export function scanNameless(whole: string): FileFacts {
  const text = withoutCommentLines(whole);
  const found = new Collector(text);
  scanText(text, found);
  addQuotedNames(text, found);
  found.addMatches(text, EXTENDED, "name-string");
  addUpwardPaths(text, found);
  addWordLists(text, found);
  addLabels(text, found);
  addRootGuesses(text, found, { bare: true });
  addNearGuesses(text, found);
  if (isShellScript(text)) {
    addCallsAbove(withoutHelp(text), found);
    addShell(text, found);
  }
  return { references: found.references() };
}

/** Code that a shell script passes to Node: `node <<EOF`. */
const NODE_INPUT = /\bnode\b[^\n]*<</;

function addShell(whole: string, found: Collector): void {
  const text = withoutHelp(whole);
  addShellPrograms(text, found);
  addVariablePaths(text, found, true);
  if (NODE_INPUT.test(text)) addCode(text, "name-string", 0, found);
}

/** A package without a scope, as a whole string. */
const BARE = new RegExp(`(?<=["'])${BARE_NAME}(?=["'])`, "g");

/** Notes the references of unknown settings: packages in a scope, paths that go up, and paths from the project's root. */
export function addUnknownSettings(text: string, found: Collector): void {
  if (text === "") return;
  addQuotedNames(text, found);
  addCommands(text, found);
  found.addMatches(text, BARE, "name-string");
  addUpwardPaths(text, found);
  addRootGuesses(text, found);
}

/** The words of a command as a list in any language: `["yarn", "workspace", "x", "build"]`. */
const LISTED = /(?<=["'])workspace["']\s*,\s*["'](@?[\w-][\w./-]*)(?=["'])/g;

function addQuotedNames(text: string, found: Collector): void {
  if (text.includes("workspace")) found.addMatches(text, LISTED, "name-string");
  const used = text.includes('"ignore"')
    ? text.replaceAll(EXCEPTIONS, blank)
    : text;
  for (const { 0: name, index } of used.matchAll(QUOTED_NAME))
    if (!found.has(index)) found.add(name, "name-string", index);
}

function addUpwardPaths(text: string, found: Collector): void {
  addFromChangedFolder(text, "path-string", 0, found);
  if (text.includes("..\\/"))
    found.addMatches(text, ESCAPED, "path-string", 0, (path) =>
      path.replaceAll("\\/", "/"),
    );
  const isWindows = text.includes("..\\");
  if (!isWindows && !text.includes("../")) return;
  const valuesOf = openValues(text);
  const written = outputsIn(text);
  const climbing = upwardPathsIn(text, CLIMBING);
  // Rust: the file is in a folder of the crate.
  if (text.includes("CARGO_MANIFEST_DIR"))
    for (const { path, index } of climbing)
      found.add(`../${path}`, "path-string", index);
  for (const { path, index } of [
    ...upwardPathsIn(text),
    ...climbing,
    ...(isWindows ? upwardPathsIn(text, BACKWARD) : []),
  ])
    if (!found.has(index) && !written.has(index)) {
      const end = text[index + path.length] ?? "";
      const isFolder = /^[./\\]+[/\\]$/.test(path);
      if (
        isFolder &&
        (/[${%]/.test(end) || text.startsWith(",$(", index + path.length))
      )
        addVariableFolder(path, text, index, found, valuesOf);
      else {
        if (isFolder && /["']/.test(end)) addJoined(path, text, index, found);
        const isBeginning = text[index + path.length] === "$";
        const beginning = path.replaceAll(/\\+/g, "/");
        const { words, isArgument } = isBeginning
          ? variableAt(text, index + path.length, valuesOf)
          : { words: [], isArgument: false };
        for (const word of words)
          found.add(beginning + word, "path-string", index);
        if (words.length === 0)
          addPath(
            { text: beginning, partial: isBeginning, isArgument },
            index,
            found,
          );
        const whole = quotedPath(text, index, index + path.length);
        if (whole !== undefined) found.add(whole, "path-string", index);
      }
    }
}

/** A path in JSON that a program wrote with escapes: `"..\/b\/x.json"`. */
const ESCAPED =
  /(?<=["'])(?:\.\.\\\/)+[\w@-][\w.@-]*(?:\\\/[\w.@-]+)*(?=["'])/g;

/** A path in quotes that has spaces or parentheses in its names. */
const SPACED = /^[^"'`<>{}|;&$*?\r\n]*\.\w+$/;

/**
 * Returns the whole path in quotes if its end differs from the end of a text of words; undefined if the path ended with its
 * quotes.
 */
function quotedPath(
  text: string,
  start: number,
  end: number,
): string | undefined {
  const quote = text[start - 1] ?? "";
  if (!/["'`]/.test(quote) || text[end] === quote) return undefined;
  const close = text.indexOf(quote, end);
  const whole = close < 0 ? "" : text.slice(start, close);
  return SPACED.test(whole) ? whole : undefined;
}
