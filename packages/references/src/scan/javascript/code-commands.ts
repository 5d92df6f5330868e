import { SHELL_WALKS, TOOLS } from "@skein/known-tools";
import {
  dotted,
  endOf,
  isNode,
  listOf,
  literalText,
  nameOf,
  startOfWords,
  textOf,
  type Node,
  rawOf,
} from "./ast.js";
import { addPath, CLIMBING, upwardPathsIn } from "../path-strings.js";
import { endsOfPattern } from "../patterns.js";
import { addRootGuesses, addVariableFolders } from "../root-guesses.js";
import type { Collector } from "../positions.js";
import { RUNNERS } from "../commands/commands.js";
import { addInnerPaths } from "./open-ends.js";
import { addFilesIn } from "../commands/changed-folders.js";
import { addRuns, NAMES_ROOT, PERHAPS_ROOT } from "../commands/calls-above.js";
import { addProgram } from "../commands/script-calls.js";
import { addCode, scanScript } from "../commands/shell-words.js";
import type { Places } from "./values/places.js";
import { wildAt } from "../wild.js";

/** A longer list isn't a command. */
const MOST_WORDS = 12;

/** The name of a package, with or without a scope. */
const NAME = /^@?[\w-][\w./-]*$/;

/**
 * Notes the package in the arguments of a command that run later: `const args = ["workspace", "b", "build"]`.
 * @returns whether only the program knows which package it is
 */
export function addWorkspace(
  words: readonly Node[],
  found: Collector,
): boolean {
  if (words.length < 2 || words.length > MOST_WORDS) return false;
  const at = words.findIndex((word) => literalText(word) === "workspace");
  const name = at < 0 ? undefined : words[at + 1];
  if (!name) return false;
  const text = literalText(name);
  if (text === undefined) return textOf(name) === undefined;
  if (NAME.test(text)) found.add(text, "name-string", name.start + 1);
  return false;
}

/** The rest of a command after its program: `${yarn} workspace x build`. */
const SELECTED = /^\s+workspace\s+(@?[\w-][\w./-]*)(?=\s)/;

/** Notes the package in a part of a template that goes on with a command. */
export function addSelected(
  raw: string,
  offset: number,
  found: Collector,
): void {
  const [whole = "", name] = SELECTED.exec(raw) ?? [];
  if (name !== undefined)
    found.add(name, "name-string", offset + whole.length - name.length);
}

const SELECTS =
  /\b(?:yarn|jlpm|npm|pnpm)\b.*\b(?:workspace[ =]|filter[ =])["']?$/s;

/** Notes the folders of a template's command that are named at run time: `cd ../${name} && yarn build`. */
export function addEnteredFolder(template: Node, found: Collector): void {
  const [, folder = ""] = ENTERS.exec(textOf(template)?.text ?? "") ?? [];
  if (folder !== "")
    found.add(folder, "cwd-path", template.start + 1, true, "/package.json");
}

/** Notes the scope of packages that a command selects: `yarn workspace @acme/${name} build`, `"--filter=@acme/" + name`. */
export function addSelectedScope(command: Node, found: Collector): void {
  for (const text of textsBeforeNames(command)) {
    const [, scope = ""] = SELECTS_IN_SCOPE.exec(text) ?? [];
    found.add(scope, "name-string", command.start + 1, true);
  }
}

/** Returns the texts of a template or a sum that precede something that isn't known. */
function textsBeforeNames(command: Node): readonly string[] {
  if (command.type !== "BinaryExpression")
    return listOf(command, "quasis").slice(0, -1).map(rawOf);
  return command["operator"] === "+" &&
    literalText(command["right"]) === undefined
    ? [endOf(command["left"])]
    : [];
}

const SELECTS_IN_SCOPE =
  /\b(?:workspace|filter|scope|include|from|projects?)[ =]["']?(@[\w.-]+\/[\w.-]*)$/;

const ENTERS =
  /(?:\bcd|\s(?:--cwd|--prefix|--dir|-C))[\s=]+["']?((?:\.\.\/)+)$/;

/**
 * Returns whether a template or a sum is a command for a package whose name it substitutes: `yarn workspace ${n} build`,
 * `"yarn workspace " + n`.
 */
export function selectsAny(command: Node): boolean {
  return textsBeforeNames(command).some((text) => SELECTS.test(text));
}

const RUNS =
  /^(?:exec(?:Sync|a(?:Sync)?|aCommand(?:Sync)?|File(?:Sync)?)?|spawn(?:Sync)?)$/;
/** Functions that run a command in any project, and variables and fields that contain one. */
const TAKES_COMMAND =
  /^(?:exec|spawn|run|shell|sh|cmd|command)(?:[A-Z]\w*)?$|(?:cmd|command)s?$/i;
const PROGRAM = /^[a-z][\w.-]*(?=\s|$)/;
const MAKES_CODE = /^(?:Function|eval)$/;
const WORD = /(?<![^\s"'=])(?:\.\.\/)+[^\s"'`;&|()<>=,]*/g;

/** Names of functions that run a template as a command, as in zx and execa. */
const SHELLS = /^(?:\$|\$sync|sh|execa|execaCommand|execaSync)$/;

/** Notes a path of Windows, whose backslashes would have another meaning in other strings. */
export function addRaw(
  tagged: Node,
  found: Collector,
  handled: Set<Node>,
): void {
  if (dotted(tagged["tag"]) !== "String.raw" || !isNode(tagged["quasi"]))
    return;
  const [part, ...others] = listOf(tagged["quasi"], "quasis");
  const raw = rawOf(part);
  if (!part || others.length > 0 || !/^\.\.?\\/.test(raw)) return;
  handled.add(tagged["quasi"]);
  addPath(
    { text: raw.replaceAll("\\", "/"), partial: false },
    tagged["quasi"].start + 1,
    found,
  );
}

/** Notes the program that a template starts: `await $`x build``. */
export function addTagged(tagged: Node, found: Collector): void {
  const tag = tagged["tag"];
  const name = isNode(tag)
    ? nameOf(tag.type === "CallExpression" ? tag["callee"] : tag)
    : "";
  const [first] = isNode(tagged["quasi"])
    ? listOf(tagged["quasi"], "quasis")
    : [];
  const raw = rawOf(first);
  const [program] = PROGRAM.exec(raw) ?? [];
  if (!first || !SHELLS.test(name)) return;
  if (program !== undefined) addProgram(program, first.start + 1, found);
  addPathsOfCommand("sh", tagged["quasi"], found);
}

/** Notes the program that settings start, and scripts of the root: `webServer: { command: "x serve", cwd: "../.." }`. */
export function addCommandFields(
  settings: Node,
  places: Pick<Places, "all" | "words">,
  found: Collector,
): void {
  for (const { key, value } of listOf(settings, "properties")) {
    if (!isNode(value) || !/^(?:command|cmd)$/.test(nameOf(key))) continue;
    const [program] = PROGRAM.exec(textOf(value)?.text ?? "") ?? [];
    if (program !== undefined) addProgram(program, value.start + 1, found);
    addCommandAbove(settings, value, undefined, places, found);
  }
}

/** Returns whether a call may be that of a regular expression: `/x/.exec(text)`. */
function isMatch({ callee }: Node): boolean {
  return (
    isNode(callee) &&
    nameOf(callee) === "exec" &&
    callee.type === "MemberExpression" &&
    !/^(?:cp|child_?process|shell|shelljs)$/i.test(nameOf(callee["object"]))
  );
}

/** Words before the program that a command starts. */
const BEFORE =
  /^(?:npx|bunx|yarn|jlpm|pnpm|npm|run|exec|dlx|cross-env|env|-.*|\w+=.*)$/;

/** Notes the package that contains the program which a command starts: `execSync("npx prisma migrate deploy")`. */
function addStarted(args: readonly Node[], found: Collector): void {
  const [first, list] = args;
  if (!first) return;
  const words = [first, ...(list ? listOf(list, "elements") : [])].flatMap(
    (node) => (literalText(node) ?? "").split(/\s+/),
  );
  const program = words.find((word) => !BEFORE.test(word));
  if (program === undefined || !PACKAGE.test(program)) return;
  const tool = TOOLS.find(({ programs }) => programs.includes(program));
  for (const name of [program, ...(tool?.packages ?? [])])
    found.add(name, "name-string", first.start + 1);
}

const PACKAGE = /^[a-z][\w.-]*$/;

/**
 * Notes the patterns of a command from the folder in which it runs (`execSync("cat ../x*")`), and the modules
 * that code in a string loads.
 * @returns whether such code loads any module
 */
export function addCommandOfFolder(call: Node, found: Collector): boolean {
  const name = nameOf(call["callee"]);
  const args = listOf(call, "arguments");
  if (MAKES_CODE.test(name))
    return args.some((arg) => {
      const text = literalText(arg) ?? "";
      addCode(text, "name-string", arg.start + 1, found);
      return /\b(?:import|require)\s*\(\s*\w/.test(text);
    });
  const [first] = args;
  if (!first || !RUNS.test(name)) return false;
  const text = literalText(first) ?? "";
  if (!isMatch(call)) addStarted(args, found);
  // A workspace may provide the program.
  const [program] = PROGRAM.exec(textOf(first)?.text ?? "") ?? [];
  if (program !== undefined && !isMatch(call))
    addProgram(program, first.start + 1, found);
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const wild = wildAt(word);
    if (wild > 0)
      found.add(
        word.slice(0, wild),
        "cwd-path",
        first.start + 1 + index,
        true,
        endsOfPattern(word.slice(wild)),
      );
  }
  return false;
}

/**
 * Notes the paths in a command, which may begin in any folder: `execSync("tsc -p packages/b")`,
 * `run("cp $DIR/../b/x .")`.
 * @param name of the function, the variable or the field that gets the command
 */
export function addPathsOfCommand(
  name: string,
  command: unknown,
  found: Collector,
): void {
  if (!isNode(command) || !TAKES_COMMAND.test(name)) return;
  for (const [text, offset] of textsOf(command, found.text)) {
    addRootGuesses(text, found, { bare: true, from: offset });
    addVariableFolders(text, offset, found);
    if (READS_FOLDERS.test(text))
      for (const { 0: folder, index } of text.matchAll(FOLDER_ABOVE))
        found.add(`${folder}/`, "cwd-path", offset + index, true);
    for (const { path, index } of upwardPathsIn(text, CLIMBING))
      addPath({ text: path, partial: false }, offset + index, found);
  }
}

/** Programs of the shell that read all files of the folders in their arguments. */
const READS_FOLDERS = new RegExp(
  String.raw`\b(?:${[...SHELL_WALKS.keys()].join("|")})\s`,
);
const FOLDER_ABOVE = /(?<![^\s"'=])(?:\.\.\/)*\.\.(?=[\s"']|$)/g;

/** Returns the texts of a string, or of the parts of a template or a sum, with their places. */
function textsOf(
  command: Node,
  file: string,
): readonly (readonly [text: string, offset: number])[] {
  const text = literalText(command);
  if (text !== undefined) return [[text, command.start + 1]];
  if (command.type === "BinaryExpression")
    return [command["left"], command["right"]].flatMap((part) =>
      isNode(part) ? textsOf(part, file) : [],
    );
  return listOf(command, "quasis").map((part) => [
    rawOf(part),
    startOfWords(part, file),
  ]);
}

const RUNNER = new RegExp(`^(?:${RUNNERS})$`);

/** Reads `execa("yarn", ["workspace", "b", "build"])`: the words of a command as separate strings. */
export function scanCommand(call: Node, found: Collector): void {
  const [program, words] = listOf(call, "arguments");
  if (!program || words?.type !== "ArrayExpression") return;
  if (!RUNNER.test(textOf(program)?.text ?? "")) return;
  // The offsets stay the same.
  const text = found.text
    .slice(program.start, words.end)
    .replaceAll(/["'`,[\]\n\r]/g, " ");
  scanScript("", { text, offset: program.start }, found);
}

/**
 * Notes the scripts of the root that a command runs, and files in a folder above: `execSync("yarn x", { cwd: "../.." })`, `` $({ cwd: root })`yarn x` ``,
 * `webServer: { command: "yarn x", cwd: "../.." }`.
 * @param options the object with the folder
 * @param list the words of the command, if they are separate
 */
export function addCommandAbove(
  options: unknown,
  command: unknown,
  list: Node | undefined,
  places: Pick<Places, "all" | "words">,
  found: Collector,
): void {
  if (!isNode(options) || options.type !== "ObjectExpression") return;
  if (!isNode(command)) return;
  const { start } = command;
  const words = list?.type === "ArrayExpression" ? list : command;
  const text = found.text.slice(start, words.end);
  const commands = text.replaceAll(/["'`,[\]\n\r]/g, " ");
  const runs = /^["'`](?:yarn|jlpm|npm|pnpm)\b/.test(text);
  for (const { value, key } of listOf(options, "properties"))
    for (const folder of nameOf(key) === "cwd"
      ? foldersAbove(value, places)
      : []) {
      if (runs) addRuns(commands, folder, start, found);
      else if (folder !== PERHAPS_ROOT)
        addFilesIn(folder, commands, "path-string", start, found);
    }
}

/** Returns the folders that a path means, if it only goes up, or a sign if it may be the root's by its name. */
function foldersAbove(
  path: unknown,
  places: Pick<Places, "all" | "words">,
): readonly string[] {
  const known = [...places.words(path), ...places.all(path)];
  if (known.length === 0)
    return NAMES_ROOT.test(nameOf(path)) ? [PERHAPS_ROOT] : [];
  return known.flatMap(({ text, partial }) => {
    if (/^\/\.?$/.test(text)) return [PERHAPS_ROOT];
    const [, folder] = /^((?:\.\.\/)*\.\.)\/?$/.exec(text) ?? [];
    return folder === undefined || partial ? [] : [folder];
  });
}

/** Adds the paths in a command that climb from an expression, in most cases the file's folder: `node ${here}/../x.js`. */
export function addClimbs(template: Node, found: Collector): void {
  const [first, ...rest] = listOf(template, "quasis");
  if (rawOf(first) === "") return;
  for (const quasi of rest)
    if (rawOf(quasi).startsWith("/../"))
      addInnerPaths(rawOf(quasi).slice(1), quasi.start + 2, found);
}
