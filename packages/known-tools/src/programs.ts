import {
  COMMAND_OPTION,
  OF_COVERAGE,
  PLAIN_PROGRAMS,
  RUN_FILES,
  RUN_MANY,
  RUN_MODULES,
  RUN_NAMED,
  RUN_SCRIPTS,
  WRAPPERS,
} from "./command-words.js";
import { toolCalled } from "./find-tool.js";
import { fileOfNode, runsHarmlessCode, toolOfNode } from "./node-command.js";
import type { Token } from "./token.js";
import type { Tool } from "./tool.js";

/** The programs that one script runs. */
export interface ScriptPrograms {
  /** The programs in the table, by the word in the script. */
  readonly tools: ReadonlyMap<string, Tool>;
  /** The first program that isn't in the table. It may read anything. */
  readonly unknown: string | undefined;
  /** The first of them that isn't one of `files` or `shells`. */
  readonly unknownBesides: string | undefined;
  /** The files in JavaScript or TypeScript that Node runs, from the folder in which the script runs, without options or paths. */
  readonly files: readonly string[];
  /** The shell scripts that a shell or the command itself runs, from the same folder. Other unknown programs aren't among them. */
  readonly shells: readonly string[];
  /** The names of all programs, also of those that read nothing (`rimraf`) or run others (`cross-env`). */
  readonly programs: ReadonlySet<string>;
  /**
   * Words that may be scripts of the package or, if it has none of that name, of the root; `*` stands for anything, as in
   * `run-s build:*`. One that begins with `-T ` may be the root's in any case.
   */
  readonly calls: readonly string[];
  /** Words that may be scripts of another package: `yarn workspace x build`. */
  readonly callsElsewhere: readonly CallElsewhere[];
  /** The words behind such calls, without options. The scripts get them as arguments. */
  readonly passed: readonly string[];
  /** The only unknown program is the last one, and it runs the scripts that it gets as arguments: `cd $INIT_CWD && run-s`. */
  readonly runsPassed: boolean;
  /** Every word of the script: programs and their arguments, without quotes. */
  readonly words: readonly string[];
}

/** A word that may be a script of another package. */
export interface CallElsewhere {
  /** The name of that package. */
  readonly workspace: string;
  readonly script: string;
}

/**
 * Returns whether all programs of a script certainly run in its package's folder, and no argument leads out of it.
 * @param words those of `ScriptPrograms`
 */
export function staysInFolder(words: readonly string[]): boolean {
  return words.every((word) => BIN.test(word) || !LEADS_OUT.test(word));
}

/**
 * Returns whether all programs of a script certainly start in its package's folder. Their arguments may lead out of it.
 * @param words those of `ScriptPrograms`
 */
export function startsInFolder(words: readonly string[]): boolean {
  return words.every((word) => !CHANGES_FOLDER.test(word));
}

const CHANGES_FOLDER =
  /[$%`]|^(?:cd|pushd|-w|--workspace-root|-C)$|^--(?:cwd|prefix|dir)(?:=|$)/;

const LEADS_OUT =
  /\.\.|[$%`]|^(?:~|[^=]*=)?[\\/]|^(?:cd|pushd|-w|--workspace-root|-C)$|^--(?:cwd|prefix|dir)(?:=|$)/;

/** Matches words, quoted strings, and the operators that end a command. */
const TOKEN =
  /"((?:\\.|[^"\\])*)"|'([^']*)'|(\$\([^()]*\)|\$\{[^}]*\}|[^\s"';&|()`]+)|(&&|\|\||[;&|()`\n])/g;
const ASSIGNMENT = /^[A-Za-z_]\w*=/;
/** The value of an assignment that consists of options of Node: `NODE_OPTIONS="$NODE_OPTIONS --no-warnings"`. */
const OPTIONS_OF_NODE =
  /^(?:\s*(?:\$NODE_OPTIONS\b|\$\{NODE_OPTIONS\}|-\S*))*\s*$/;
const BIN = /(?:^|[\\/])node_modules[\\/]\.bin[\\/]/;
/** Yarn's, npm's and pnpm's own commands that run no script of a package. */
const OWN_COMMANDS = new Set(
  `add audit bin cache ci config constraints create dedupe explain help import info init install link list login
  npm outdated pack patch patch-commit plugin prune publish rebuild remove set stage uninstall unlink unplug up update
  upgrade upgrade-interactive version versions why`.split(/\s+/),
);
/** Words before the name of a script or program of a package. */
export const PACKAGE_MANAGERS: ReadonlySet<string> = new Set([
  "yarn",
  // JupyterLab's copy of Yarn.
  "jlpm",
  "npm",
  "pnpm",
  "run",
]);
/**
 * Finds the programs that a script runs. It parses shell syntax only approximately; a word that it can't interpret becomes an
 * unknown program, so no program is missed.
 * @param text a value of `scripts` in a package.json
 */
export function programsIn(text: string): ScriptPrograms {
  const found = new Found();
  addCommands(text, found);
  found.runsPassed = found.open !== undefined && found.unknown === undefined;
  found.close();
  // Node loads more than the file, or the file is in another folder.
  if (found.words.some((word) => ELSEWHERE.test(word)))
    found.unknownBesides ??= found.unknown;
  return found;
}

const ELSEWHERE = /^(?:NODE_|cd$|pushd$)/;

/** Collects the programs and calls of one script's commands. */
class Found implements ScriptPrograms {
  readonly tools = new Map<string, Tool>();
  readonly programs = new Set<string>();
  readonly calls: string[] = [];
  readonly callsElsewhere: CallElsewhere[] = [];
  readonly words: string[] = [];
  readonly files: string[] = [];
  readonly shells: string[] = [];
  readonly passed: string[] = [];
  runsPassed = false;
  unknown: string | undefined;
  unknownBesides: string | undefined;
  /** A command changed the folder: the following commands run there. */
  isElsewhere = false;
  /** The last command runs scripts, but names none. They may be arguments of the whole script. */
  open: string | undefined;

  /** Notes a word that may be a script. */
  call(word: string, isElsewhere: boolean): void {
    const name = unescaped(word);
    this.calls.push(isElsewhere ? `-T ${name}` : name);
  }

  /** Notes that the last command gets no more arguments. */
  close(): void {
    if (this.open !== undefined) this.addUnknown(this.open);
    this.open = undefined;
  }

  add(program: string): void {
    const tool = toolCalled(program);
    if (tool) this.tools.set(program, tool);
    else if (!PLAIN_PROGRAMS.has(program)) this.addUnknown(program);
  }

  addShell(file: string): void {
    this.unknown ??= file;
    this.shells.push(file);
  }

  addUnknown(program: string): void {
    this.unknown ??= program;
    this.unknownBesides ??= program;
  }
}

/** Returns a word as the shell passes it on: `build:\\*` is a pattern for the program. */
function unescaped(word: string): string {
  return word.replaceAll(/\\(.)/g, "$1");
}

/** Adds the commands in a part of a command. */
function addInnerCommands(text: string, found: Found): void {
  addCommands(text, found);
  found.close();
}

function addCommands(text: string, found: Found): void {
  let command: Token[] = [];
  const finish = () => {
    addCommand(command, found);
    command = [];
  };
  let endOfLast = -1;
  for (const match of text.matchAll(TOKEN)) {
    const [whole, double, single, bare, end] = match;
    const quoted = double ?? single;
    const isJoined = match.index === endOfLast;
    endOfLast = match.index + whole.length;
    if (end !== undefined) finish();
    else if (bare?.startsWith("$(")) {
      addInnerCommands(bare.slice(2, -1), found);
      command.push({ text: bare, isQuoted: true });
    } else
      command.push({
        text: quoted?.replaceAll(/\\(.)/g, "$1") ?? bare ?? "",
        isQuoted: quoted !== undefined,
        isJoined,
      });
  }
  finish();
}

function addCommand(command: readonly Token[], found: Found): void {
  if (command.length > 0) found.close();
  for (const { text } of command) found.words.push(text);
  let manager: string | undefined;
  let isWrapped = false;
  let isMeasured = false;
  let { isElsewhere } = found;
  for (let at = 0; at < command.length; at++) {
    const word = nameOf(command[at]?.text ?? "");
    if (word === "--") continue;
    if (ASSIGNMENT.test(word)) {
      const value = command[at + 1];
      if (!word.endsWith("=") || !value?.isQuoted || !value.isJoined) continue;
      at++;
      // A program may run a command that it gets: `POST_PROCESS="prettier --write" generate`.
      if (/\s/.test(value.text) && !OPTIONS_OF_NODE.test(value.text))
        addInnerCommands(value.text, found);
      continue;
    }
    if (word.startsWith("-")) {
      const isFolder = FOLDER.test(word);
      isElsewhere ||= isFolder || TOP.test(word);
      if (isFolder && !word.includes("=")) at++;
      if (isWrapped || at > 0) continue;
      break;
    }
    if (WRAPPERS.has(word)) {
      isWrapped = true;
      if (PACKAGE_MANAGERS.has(word)) manager = word;
      else found.programs.add(word);
      const tool = toolCalled(word);
      if (tool) {
        found.tools.set(word, tool);
        isMeasured = true;
        at = programAfter(command, at) - 1;
      }
      // In `dotenv -e .env -- jest`, the program is after the dashes.
      const dashes = command.findIndex(
        ({ text }, index) => index > at && text === "--",
      );
      if (dashes > 0 && !PACKAGE_MANAGERS.has(word)) at = dashes;
      continue;
    }
    if (isMeasured && OF_COVERAGE.has(word)) return;
    if (manager !== undefined) {
      if (OWN_COMMANDS.has(word)) return;
      const elsewhere = callElsewhere(command.slice(at));
      if (elsewhere) {
        found.callsElsewhere.push(elsewhere);
        return;
      }
      found.call(word, isElsewhere);
      for (const { text } of command.slice(at + 1))
        if (!text.startsWith("-")) found.passed.push(unescaped(text));
      // The scripts of other packages run there, with any name.
      if (/^(?:workspaces?|foreach|-r|recursive)$/.test(word))
        found.addUnknown(word);
    }
    const rest = command.slice(at + 1);
    if (word === "node" && !isWrapped && runsHarmlessCode(rest, found.words)) {
      found.programs.add(word);
      return;
    }
    const file =
      RUN_MODULES.has(word) && !isWrapped ? fileOfNode(rest) : undefined;
    if (file !== undefined) {
      found.programs.add(word);
      found.unknown ??= word;
      found.files.push(file);
      return;
    }
    addProgram(word, rest, manager !== undefined, found);
    // In a folder below, a package of its own has its own scripts.
    found.isElsewhere ||=
      /^(?:cd|pushd)$/.test(word) && !BELOW.test(rest[0]?.text ?? "");
    return;
  }
}

/**
 * Returns the place of the program that a wrapper runs which is a tool itself: `nyc --reporter lcov mocha`. Its options may have
 * values, so that a known program counts before any other word.
 */
function programAfter(command: readonly Token[], wrapper: number): number {
  const isKnown = ({ text }: Token) =>
    text === "node" || WRAPPERS.has(text) || toolCalled(text) !== undefined;
  const known = command.findIndex(
    (token, at) => at > wrapper && isKnown(token),
  );
  return known < 0 ? wrapper + 1 : known;
}

/** Finds the script that a command of Yarn runs in another package; undefined if a word isn't plain. */
function callElsewhere([command, name, ...rest]: readonly Token[]):
  | CallElsewhere
  | undefined {
  const script = rest.find(({ text }) => text !== "run")?.text ?? "";
  return command?.text === "workspace" &&
    NAME_OF_PACKAGE.test(name?.text ?? "") &&
    NAME_OF_SCRIPT.test(script)
    ? { workspace: name?.text ?? "", script }
    : undefined;
}

const NAME_OF_PACKAGE = /^@?\w[\w./-]*$/;
const NAME_OF_SCRIPT = /^\w[\w:.-]*$/;

/** Options with which the command runs in the root, or in another folder that follows. */
const TOP = /^(?:-T|--top-level|-w|--workspace-root)$/;
const BELOW = /^(?:\.\/)?\w[\w.@-]*(?:\/(?!\.\.)[\w.@-]+)*\/?$/;
const FOLDER = /^(?:--cwd|--prefix|--dir|-C)(?:=|$)/;

/** @param isCall whether the word may be a script instead of a program; the caller knows the scripts */
function addProgram(
  word: string,
  rest: readonly Token[],
  isCall: boolean,
  found: Found,
): void {
  found.programs.add(word);
  const [first] = rest;
  if (SHELLS.has(word) && first && !first.isQuoted && SHELL.test(first.text)) {
    found.addShell(first.text);
    return;
  }
  if (!isCall && SHELL.test(word) && word.includes("/")) {
    found.addShell(word);
    return;
  }
  if (RUN_SCRIPTS.has(word)) {
    const names = rest.filter(({ text }) => !text.startsWith("-"));
    for (const { text } of names) found.call(text, found.isElsewhere);
    if (names.length === 0) found.call("*", found.isElsewhere);
    return;
  }
  if (!RUN_MANY.has(word)) {
    const tool = word === "node" ? toolOfNode(rest) : toolCalled(word);
    if (RUN_FILES.has(word) || startsInContainer(word, rest))
      found.addUnknown(word);
    for (const [at, { text }] of rest.entries())
      if (COMMAND_OPTION.test(text))
        addInnerCommands(rest[at + 1]?.text ?? "", found);
    if (tool)
      found.tools.set(
        word === "node" ? (tool.programs[0] ?? word) : word,
        tool,
      );
    // A script's own programs are found in its text.
    else if (!isCall) found.add(word);
    return;
  }
  let runs = false;
  for (const { text, isQuoted } of rest) {
    if (text.startsWith("-")) continue;
    runs = true;
    if (/\s/.test(text)) addInnerCommands(text, found);
    else found.call(text.replace(/^(?:npm|yarn|pnpm):/, ""), found.isElsewhere);
    // `sh build.sh`, `nodemon server.js`: it isn't known what that file runs.
    if (!isQuoted && /[./]/.test(text)) found.addUnknown(text);
  }
  if (runs) return;
  if (RUN_NAMED.has(word)) found.open = word;
  else found.addUnknown(word);
}

/** Returns whether a command runs any program in a container, which may contain the project, and waits for it. */
function startsInContainer(word: string, rest: readonly Token[]): boolean {
  return (
    /^(?:docker(?:-compose)?|podman)$/.test(word) &&
    rest.some(({ text }) => text === "run" || text === "exec") &&
    !rest.some(({ text }) => text === "-d" || text === "--detach")
  );
}

/** A shell script of the project. */
const SHELL = /^(?!.*node_modules)[\w@./-]+\.(?:ba)?sh$/;
const SHELLS: ReadonlySet<string> = new Set(["sh", "bash"]);

/** Gradle's wrapper, which projects contain. */
const GRADLE = /^(?:\.{0,2}\/)?(?:[\w.-]+\/)*gradlew(?:\.bat)?$/;

/** Returns a program's name without its folder, if that is a folder of installed programs, or the program is Gradle's wrapper. */
function nameOf(word: string): string {
  if (GRADLE.test(word)) return "gradlew";
  return BIN.test(word)
    ? word.slice(word.search(/[^\\/]*$/)).replace(/\.cmd$/, "")
    : word;
}
