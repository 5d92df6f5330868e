import { posix } from "node:path";
import {
  FIELD_OF_OPTION,
  isCheckScript,
  LOADING_OPTIONS,
  namesIn,
  programsIn,
  staysInFolder,
} from "@skein/known-tools";
import type { ReferenceKind } from "../../reference.js";
import type { JsonString } from "../json.js";
import { Collector } from "../positions.js";
import { addVariableFolders } from "../root-guesses.js";
import {
  foldersOfForeach,
  selectedIn,
  type Selected,
} from "./selected-packages.js";
import { loadedByOptions } from "./program-options.js";
import { addContexts } from "../text/docker.js";
import { addFromRoot } from "./root-words.js";
import { addFromChangedFolder } from "./changed-folders.js";
import { addFolderReaders } from "./folder-readers.js";
import { addCallsAbove } from "./calls-above.js";
import { addRecipeFiles } from "./recipe-files.js";
import {
  addCalls,
  addCheckCalls,
  addProgram,
  addPrograms,
} from "./script-calls.js";
import { addListedPackages } from "./shell-lists.js";
import { addTestedFolders } from "./tested-folders.js";
import {
  addFoldersInOptions,
  addReadFolders,
  addWholeFolders,
} from "./whole-folders.js";
import { wildAt, blank } from "../wild.js";
import { writtenIn } from "./written-paths.js";

/** A path in quotes with spaces in its names. */
const QUOTED_PATH = /["'](\.\.?\/[^"'`$;&|<>*?]* [^"'`$;&|<>*?]*\.\w+)["']/g;

/** A path that goes up to a name. */
const CLIMBS = /(?<![\w.])(?:\.\.\/)+[\w@][\w./@-]*/g;

/** An approximation of a shell's words: quotes are removed. */
const WORD = /[^\s"'`;&|()<>=,]+/g;

/** Options with which Node, test runners, ESLint, Prettier and Babel load packages. */
const LOADS = new RegExp(
  String.raw`(?:^|[\s"'=:])(${[...FIELD_OF_OPTION.keys(), ...LOADING_OPTIONS].join("|")})(?:\s+|=)["']?([@\w][\w./@,-]*)`,
  "dg",
);

/**
 * Notes the words of a script that are paths: all with `./` or `../` in them (`-c ../../x`, `--config=../x`), and words that
 * look like a file (`node scripts/build.js`). It also notes those that are packages (`yarn workspace x`, `npx @m/x`), and
 * those that may be scripts of another workspace.
 * @param own names that are scripts of the same manifest, if it is a root's; all of them may be called from elsewhere
 */
export function scanScript(
  name: string,
  { text, offset }: JsonString,
  found: Collector,
  own: ReadonlySet<string> = new Set(),
): void {
  const kind = isCheckScript(name) ? "test-script" : "script";
  const written = writtenIn(text);
  const words = wordsOf(text);
  addFormsOfPrograms(text, kind, offset, found);
  found.addMatches(text, QUOTED_PATH, kind, offset);
  const calls = addCalls(words, own, offset, found);
  // A string in a source that begins like a command may be any text.
  if (name !== "") addPrograms(text, offset, found);
  else addCheckCalls(text, offset, found);
  if (own.size === 0)
    addCallsAbove(text, found, offset, name === "" ? "." : undefined);
  addRecipeFiles(text, kind, offset, found, own.size > 0);
  addContexts(text, kind, offset, found);
  addCode(text, kind, offset, found);
  const runIn = foldersOfForeach(text);
  addPackages(text, kind, offset, found, name === "");
  addTestedFolders(text, kind, offset, found);
  addManifestReaders(text, offset, found);
  if (name !== "") {
    addListedPackages(text, found, offset);
    addFolderReaders(text, own.size > 0, offset, found);
    // Packages call scripts of the root.
    if (own.size > 0) {
      // Yarn sets it to the folder of the package that calls the script, where the path begins.
      if (text.includes("INIT_CWD"))
        found.addMatches(text, CLIMBS, "glob", offset);
      addReadFolders(text, found, offset);
      addFoldersInOptions(text, offset, found);
    }
  }
  addVariableFolders(text, offset, found);
  addFromChangedFolder(text, kind, offset, found);
  addWholeFolders(text, ["glob"], offset, found, own.size > 0, written);
  let isHere: boolean | undefined;
  const staysHere = () =>
    (isHere ??= name !== "" && staysInFolder(programsIn(text).words));
  for (const { word, index } of words) {
    if (written.has(index) || runIn.has(index)) continue;
    if (/[/\\]/.test(word)) {
      const before = text.slice(0, index);
      addFromRoot(word, before, offset + index, kind, found, staysHere);
    }
    if (isPath(word))
      addPath(
        word,
        isOfTypes(text, index) ? "config" : kind,
        offset + index,
        found,
      );
  }
  if (calls || name.includes(":") || own.has(name))
    found.add(name, "script-name", offset);
}

/** Returns the words of a script, without options that a path follows directly. */
function wordsOf(
  text: string,
): readonly { readonly word: string; readonly index: number }[] {
  return [...text.matchAll(WORD)].flatMap(listed).map(([whole, index]) => {
    // `protoc -I../b`, `esbuild --inject:../b/x.js`, `cl /I..\\b`, `gcc @../b/flags`.
    const option =
      /^(?:-[A-Za-z]\w*|--[\w-]+:|\/[A-Za-z]\w*:?|@)(?=\.\.?[\\/])/.exec(
        whole,
      )?.[0] ?? "";
    const word = whole.slice(option.length);
    return {
      word: /^\.\.?\\/.test(word) ? word.replaceAll("\\", "/") : word,
      index: index + option.length,
    };
  });
}

/** Returns whether a word is a path: with `./` or `../`, or with the ending of a source or of data. */
function isPath(word: string): boolean {
  if (word === ".") return false;
  return (
    /^\.\.?(\/|$)|^[\w@][\w./@-]*\/\.\.\//.test(word) ||
    (/\/|^[^-]/.test(word) &&
      /^[\w@][^:*]*\.([cm]?[jt]sx?|json|sh|ya?ml|mdx?)$/.test(word))
  );
}

function addPath(
  word: string,
  kind: ReferenceKind,
  offset: number,
  found: Collector,
): void {
  // The text after a colon is another name for the path: `docker run -v ../b:/b`.
  const own = word.replace(/(?<=^\.\.?\/[^:]*):.*/, "");
  const wild = wildAt(own);
  const path = wild < 0 ? own : own.slice(0, wild);
  found.add(
    /^\.\.?(\/|$)/.test(path) ? path : `./${path}`,
    wild >= 0 ? "glob" : kind,
    offset,
    wild >= 0,
  );
}

/** Notes what arguments of particular programs refer to in their own form: those of git, protoc, Python, moon, `ln`, Jest, … */
function addFormsOfPrograms(
  text: string,
  kind: ReferenceKind,
  offset: number,
  found: Collector,
): void {
  if (text.includes("git "))
    found.addMatches(text, OF_COMMIT, "root-guess", offset);
  if (text.includes("NODE_PATH"))
    for (const { 1: folders = "", index } of text.matchAll(NODE_PATH))
      for (const folder of folders.split(":"))
        if (/^\.\.?(\/|$)/.test(folder))
          found.add(
            `*=${folder.replace(/\/$/, "")}/*`,
            "tsconfig-paths",
            offset + index,
          );
  for (const { 1: plugin = "", index } of text.includes("_out")
    ? text.matchAll(PROTOC)
    : [])
    addProgram(`protoc-gen-${plugin}`, offset + index, found);
  if (text.includes("-m "))
    found.addMatches(text, PYTHON_MODULE, "root-guess", offset, (module) =>
      module.replaceAll(".", "/"),
    );
  if (text.includes("moon"))
    for (const { 1: tasks = "", index } of text.matchAll(MOON))
      for (const [, folder = ""] of tasks.matchAll(/([\w-]+):/g))
        found.add(`../${folder}/`, "glob", offset + index, true);
  for (const { 1: target = "", 2: link = "", index } of text.matchAll(LINKS))
    found.add(posix.join(posix.dirname(link), target), kind, offset + index);
  // Settings of Jest as an option: `--config '{"roots":["<rootDir>/../b"]}'`.
  found.addMatches(text, ROOT_DIR, kind, offset, (path) => `.${path}`);
  found.addMatches(text, STORYBOOK, kind, offset, (dir) => `${dir}/main`);
}

/** A linter's option that only determines where types come from. The linter reads the files that it checks, and what they import. */
const TYPES_OF_LINTER = /\boxlint\b[^;&|]*\s--tsconfig[\s=]["']?$/;

/** Returns whether a word of a command is a tsconfig whose files the command doesn't compile. */
function isOfTypes(text: string, index: number): boolean {
  return text.includes("oxlint") && TYPES_OF_LINTER.test(text.slice(0, index));
}

/** Returns the references of a script of a package that isn't a root, at offsets in the script. */
export type ScanOwnScript = (name: string, text: string) => Collector;

const MOST_REMEMBERED = 1000;

/** Opens a scanner that scans equal scripts once: most packages of a project have the same scripts. */
export function openOwnScripts(): ScanOwnScript {
  const scanned = new Map<string, Collector>();
  return (name, text) => {
    const key = `${name}\n${text}`;
    let part = scanned.get(key);
    if (!part) {
      part = new Collector(text);
      scanScript(name, { text, offset: 0 }, part);
      if (scanned.size < MOST_REMEMBERED) scanned.set(key, part);
    }
    return part;
  };
}

/** A path in a commit or from the root, as git has it: `git show HEAD:packages/b/x.js`, `git grep x -- :/packages/b`. */
const OF_COMMIT =
  /(?<=[\s"'](?:[\w@~^./-]+:|:\/))[\w@][\w.@-]*(?:\/[\w.@-]+)+/g;

/** A plug-in of protoc, which is a program: `--x_out=gen`. */
const PROTOC = /--([\w-]+)_out[=\s]/g;

/** A module of Python that runs as a program: `python -m tools.gen`. */
const PYTHON_MODULE = /\bpython3?\s+-m\s+(\w+(?:\.\w+)+)/g;

/** Tasks of moon; a project has the name of its folder unless it sets another one. */
const MOON = /\bmoon\s+(?:(?:run|ci|check|exec)\s+)?((?:[\w-]+:[\w-]+\s*)+)/g;

const ROOT_DIR = /<rootDir>(\/\.\.\/[^"'\s\\]+)/g;

/** The rest of a list of folders: `protoc -Ia:../b`. */
const LISTED = /(?<=:)\.\.\/[^:]+/g;

/** Returns a word, and the other folders if it is a list. */
function listed({
  0: word,
  index,
}: RegExpExecArray): (readonly [word: string, index: number])[] {
  const others = word.includes(":../") ? [...word.matchAll(LISTED)] : [];
  return [
    [word, index],
    ...others.map((part) => [part[0], index + part.index] as const),
  ];
}

/** Code in a script that loads a module: `node -e "require('x')"`. The shell's quotes may need a backslash. */
const CODE =
  /\b(?:require|import|from|resolve)\s*\(?\s*\\?(["'`])(?<name>[@\w.][^"'`\\\s]*)\\?\1/dg;

/** `ln -s ../../b/src src/b`: the target begins at the folder of the link. */
const LINKS =
  /\bln[ \t]+-\w*s\w*[ \t]+(\.\.\/[\w./@-]+)[ \t]+(\w[\w./@-]*\/[\w.@-]+)/g;

/** Notes the modules that code in a command loads. */
export function addCode(
  text: string,
  kind: ReferenceKind,
  offset: number,
  found: Collector,
): void {
  for (const { groups = {}, indices } of text.matchAll(CODE)) {
    const { name = "" } = groups;
    // A package, not a file.
    if (kind !== "name-string" || !name.startsWith("."))
      found.add(name, kind, offset + (indices?.groups?.["name"]?.[0] ?? 0));
  }
}

/** Commands that read all manifests, and those that read the lockfile. */
const READS_MANIFESTS =
  /\b(?:yarn|jlpm)\s+constraints\b|\bmanypkg\s+check\b|\bsyncpack\s+(?:lint|list|fix|format)|\bsherif\b/;
const READS_LOCK = /\b(?:yarn|jlpm)\s+dedupe\b|\byarn-deduplicate\b/;

function addManifestReaders(
  text: string,
  offset: number,
  found: Collector,
): void {
  const at = text.search(READS_MANIFESTS);
  if (at >= 0) {
    if (/^(?:yarn|jlpm)/.test(text.slice(at)))
      for (const file of ["yarn.config.cjs", "constraints.pro"])
        found.add(file, "root-path", offset + at);
    found.add("./", "manifests", offset + at, true, "/package.json");
  }
  const lock = text.search(READS_LOCK);
  if (lock >= 0) found.add("./yarn.lock", "root-path", offset + lock);
}

/** The folder of Storybook's settings as an option. */
const STORYBOOK =
  /(?<=\s(?:-c|--config-dir)[\s=]["']?)(\.\.?\/[^\s"']*?storybook[\w-]*)(?=\/?["']?(?:\s|$))/g;

/** Folders in which Node also searches for packages. */
const NODE_PATH = /\bNODE_PATH=["']?([^\s"';&|]+)/g;

/** A package's name in a scope, at the beginning of a word. */
const SCOPED = /(?<![^\s"'`;&|()<>=,:])@[\w-][\w.-]*\/[\w-]+(?:[\w.-]*[\w-])?/g;

/**
 * A question to the registry about packages, which reads nothing of the workspace: `npm view @m/a version`, `yarn up '@m/a@next'`.
 */
const ASKED =
  /(?<![\w./@-])(?:(?:p?npm|yarn\s+npm)\s+(?:view|show|info)|yarn\s+(?:up|remove))(?:\s+(?:--?[\w-]+(?:=\S+)?|["']?@[\w.-]+\/[\w.*-]+(?:@[^\s"'`]*)?["']?)(?=[\s"'`]|$))+/g;

/**
 * The name of a package without a scope, or of a file in it, as the value of any program's option, with a hyphen so that it isn't
 * just any word: `--test-reporter b-lib`, `--alias:x=b-lib`, `--config '{"x":"b-lib/x"}'`. In `run-s x:b-lib`, it is a part of a
 * script's name.
 */
const VALUES =
  /(?<=(?:=|(?<!\S)-(?:\S*|[A-Za-z-][\w.-]*\s+[^\s"']*):)\\?["']?|\s--?[A-Za-z][\w.-]*\s+["']?|[\s[{,:]\\?["'])[a-z][a-z\d.]*(?:-[a-z\d.]+)+(?:\/[\w.@-]+)*(?=$|[\s"'`\\,;&|)\]}?])/g;

/** A program to which a pattern of names may be given. */
const MANAGER =
  /(?<![\w./@-])(?:npm|npx|yarn|jlpm|pnpm|bunx?|lerna|nx|turbo|lage|moon|wsrun)(?=\s)/;

/** A pattern of names in a scope: `yarn workspaces foreach --include '@m/{a,b}'`. */
const PATTERN = /(?<![^\s"'`;&|()<>=,])@[\w-][\w.-]*\/[\w.-]*(?=[*{?$])/g;

/**
 * Notes the words of a command that are packages: those in a scope, and any that an option names.
 * @param offset where the command begins
 * @param isString whether it is a string of a source
 */
export function addPackages(
  command: string,
  kind: ReferenceKind,
  offset: number,
  found: Collector,
  isString = false,
): void {
  if (command.includes("@")) {
    const used = command.replaceAll(ASKED, blank);
    found.addMatches(used, SCOPED, kind, offset);
    // A string of a source may be a sentence with a command in it, whose arguments follow its program.
    const program = isString ? command.search(MANAGER) : 0;
    for (const { 0: start, index } of command.matchAll(PATTERN))
      if (index >= program)
        found.add(start, "name-string", offset + index, true);
  }
  for (const { name, index } of loadedByOptions(command))
    found.add(name, kind, offset + index);
  if (/[-=:"]/.test(command)) found.addMatches(command, VALUES, kind, offset);
  for (const [index, folder] of foldersOfForeach(command))
    found.add(
      `./${folder}`,
      "root-path",
      offset + index,
      true,
      "/package.json",
    );
  for (const { name, kind: what, index } of selectedIn(command))
    addSelected(name, what, kind, offset + index, found);
  if (!command.includes("-")) return;
  for (const match of command.matchAll(LOADS)) {
    const [, option = "", list = ""] = match;
    const field = FIELD_OF_OPTION.get(option);
    let at = offset + (match.indices?.[2]?.[0] ?? 0);
    for (const word of list.split(",")) {
      if (field !== undefined || !word.startsWith("@"))
        for (const name of namesIn(field ?? "", word))
          found.add(name, kind, at);
      at += word.length + 1;
    }
  }
}

function addSelected(
  name: string,
  what: Selected["kind"],
  kind: ReferenceKind,
  offset: number,
  found: Collector,
): void {
  if (what === "folder") {
    // In a package with such a folder of its own, it is that one.
    found.add(`./${name}`, "root-guess", offset, name.endsWith("/"));
  } else if (what === "package") {
    found.add(name, kind, offset);
    if (!name.startsWith("@")) found.add(`nx ${name}`, "script-call", offset);
  } else if (name !== "") found.add(name, "name-string", offset, true);
  // Of files that no package owns, only manifests are among them.
  else found.add("./", "root-path", offset, true, "/package.json");
}
