import { SHELL_SIGN, type Reference } from "../../reference.js";

/** The first line of a program that a shell runs. */
const OF_SHELL = /^#!\s*(?:\/usr)?\/bin\/(?:env\s+)?(?:ba|da|z|k)?sh\b/;
/** The longest text of commands that is kept. */
const LONGEST = 4000;

/**
 * Returns a mark with the commands of a shell script, in the form of a script in a manifest, or nothing if one of them, or its
 * program, isn't known. It contains all commands: those in functions, in substitutions and behind conditions.
 */
export function scanShellPrograms(text: string): readonly Reference[] {
  if (!OF_SHELL.test(text)) return [];
  const commands = commandsIn(text);
  const specifier = `${SHELL_SIGN}${commands?.join(" ; ") ?? ""}`;
  return !commands || specifier.length > LONGEST
    ? []
    : [{ specifier, kind: "program", line: 1, column: 1 }];
}

/** Returns the commands of a shell script, each as its words; undefined if they aren't known. */
export function commandsIn(text: string): readonly string[] | undefined {
  const reader = new ShellReader(text);
  try {
    reader.read("");
  } catch (error) {
    if (error instanceof Unknown) return undefined;
    throw error;
  }
  const { commands, functions } = reader;
  const found = commands.map((words) => plainCommand(words, functions));
  const known = found.filter((each) => each !== undefined);
  return known.length < found.length
    ? undefined
    : known.filter((each) => each !== "");
}

/** The text can't be read with certainty. */
class Unknown extends Error {}

/** A word whose value isn't known, or not whole. */
const EXPANDED = "$";

/** Reads the commands of a shell script, with those in substitutions. It throws `Unknown` at everything that it doesn't know. */
class ShellReader {
  readonly commands: string[][] = [];
  readonly functions = new Set<string>();
  readonly #text: string;
  #at = 0;
  /** The word that ends each heredoc whose body begins at the next line. */
  readonly #heredocs: string[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads commands up to the end, or behind this bracket. */
  read(end: "" | ")"): void {
    let words: string[] = [];
    const finish = () => {
      if (words.length > 0) this.commands.push(words);
      words = [];
    };
    for (;;) {
      this.#skip(/(?:[ \t]|\\\n|#.*)+/y);
      const char = this.#text[this.#at];
      if (char === undefined) {
        if (end !== "") throw new Unknown();
        finish();
        return;
      }
      if (char === "\n") {
        finish();
        this.#at++;
        this.#skipHeredocs();
      } else if (this.#skip(/;;&?|;&/y)) {
        finish();
        this.#skipPattern();
      } else if (this.#skip(/[;&|]+/y)) finish();
      else if (char === "(") {
        this.#at++;
        const [name = "", ...others] = words;
        if (this.#skip(/[ \t]*\)/y)) {
          if (others.length > 0 || name === "") throw new Unknown();
          this.functions.add(name);
          words = [];
        } else if (words.length > 0 || this.#text[this.#at] === "(")
          throw new Unknown();
        else this.read(")");
      } else if (char === ")") {
        if (end === "") throw new Unknown();
        finish();
        this.#at++;
        return;
      } else if (this.#skip(/\d*(?:<<-?(?!<))[ \t]*/y)) {
        const [, name] = this.#match(/['"]?(\w+)['"]?/y);
        this.#heredocs.push(name ?? "");
      } else if (this.#skip(/\d*[<>]{1,3}&?\d?-?|&>>?/y)) {
        if (this.#text[this.#at] === "(") throw new Unknown();
        // The file behind a redirection is no program.
        if (!/[\d-]/.test(this.#text[this.#at - 1] ?? "")) {
          this.#skip(/[ \t]+/y);
          this.#word();
        }
      } else if (words.length === 0 && this.#skip(/\[\[\s/y))
        this.#skipCondition();
      else {
        const word = this.#word();
        words.push(word);
        if (word === "in" && words[0] === "case") {
          words = [];
          this.#skipPattern();
        } else if (words.length === 1 && BEFORE.has(word)) words = [];
        else if (words.length === 2 && words[0] === "function") {
          this.functions.add(word);
          words = [];
        }
      }
    }
  }

  #skip(form: RegExp): boolean {
    form.lastIndex = this.#at;
    const match = form.exec(this.#text);
    if (match) this.#at = form.lastIndex;
    return match !== null;
  }

  #match(form: RegExp): RegExpExecArray {
    form.lastIndex = this.#at;
    const match = form.exec(this.#text);
    if (!match) throw new Unknown();
    this.#at = form.lastIndex;
    return match;
  }

  /** Skips the texts of heredocs. The shell runs substitutions in them. */
  #skipHeredocs(): void {
    for (const name of this.#heredocs.splice(0)) {
      const form = new RegExp(String.raw`([^]*?)^[\t]*${name}$`, "my");
      const [, body = ""] = this.#match(form);
      if (/\$\(|`/.test(body)) throw new Unknown();
    }
  }

  /** Skips a condition, which runs only what is in its substitutions. */
  #skipCondition(): void {
    const [body] = this.#match(/[^]*?\s\]\]/y);
    if (/\$\(|`|[<>]\(/.test(body)) throw new Unknown();
  }

  /** Skips the pattern of the next branch of `case`, or its end. */
  #skipPattern(): void {
    this.#skip(/(?:\s|#.*\n)+/y);
    if (this.#skip(/esac\b/y)) return;
    const [body] = this.#match(/[^)]*\)/y);
    if (/\$\(|`/.test(body)) throw new Unknown();
  }

  /** Returns the next word, `$` for one that isn't known whole, or its last part if that names an installed program. */
  #word(): string {
    let word = "";
    let isExpanded = false;
    const start = this.#at;
    for (;;) {
      if (this.#skipExpansion()) isExpanded = true;
      else if (this.#skip(/\$'(?:[^'\\]|\\[^])*'/y)) isExpanded = true;
      else if (this.#skip(/\$(?:\w+|[@*#?!$-])?/y)) isExpanded = true;
      else if (this.#text[this.#at] === "'")
        word += this.#match(/'([^']*)'/y)[1] ?? "";
      else if (this.#skip(/"/y)) {
        const { text, isPlain } = this.#quoted();
        word += text;
        isExpanded ||= !isPlain;
      } else if (/^\w+\+?=$/.test(word) && this.#skip(/\(/y)) {
        this.#skipArray();
        return word;
      } else if (this.#skip(/\\\n/y)) continue;
      else if (this.#skip(/\\[^]/y)) word += this.#text[this.#at - 1] ?? "";
      else {
        const form = /[^\s'"\\$`;&|()<>]+/y;
        form.lastIndex = this.#at;
        const plain = form.exec(this.#text)?.[0];
        if (plain === undefined) break;
        this.#at = form.lastIndex;
        word += plain;
      }
    }
    if (this.#at === start) throw new Unknown();
    if (!isExpanded) return word;
    const [, name] = BIN.exec(word) ?? [];
    const [assigned] = /^\w+\+?=/.exec(word) ?? [];
    return name !== undefined
      ? `node_modules/.bin/${name}`
      : assigned !== undefined
        ? `${assigned}${EXPANDED}`
        : EXPANDED;
  }

  /** Reads the commands in `$(…)`, or skips `${…}`. @returns whether there is one of them */
  #skipExpansion(): boolean {
    if (this.#skip(/\$\(\(/y)) throw new Unknown();
    if (this.#skip(/\$\(/y)) {
      this.read(")");
      return true;
    }
    if (!this.#skip(/\$\{/y)) return false;
    const [body] = this.#match(/[^{}]*\}/y);
    if (/\$\(|`/.test(body)) throw new Unknown();
    return true;
  }

  /** Reads the rest of a text in double quotes. */
  #quoted(): { readonly text: string; readonly isPlain: boolean } {
    let text = "";
    let isPlain = true;
    for (;;) {
      if (this.#skip(/"/y)) return { text, isPlain };
      if (this.#skipExpansion() || this.#skip(/\$/y)) isPlain = false;
      else text += this.#match(/\\[^]|[^"\\$`]+/y)[0];
    }
  }

  /** Skips the members of an array. */
  #skipArray(): void {
    for (;;) {
      this.#skip(/(?:\s|#.*\n)+/y);
      if (this.#skip(/\)/y)) return;
      this.#word();
    }
  }
}

/** An installed program at the end of a path whose beginning isn't known. */
const BIN = /\/node_modules\/\.bin\/([\w.-]+)$/;

/** Words that precede a command. */
const BEFORE: ReadonlySet<string> = new Set(
  "if then elif else do while until ! { } fi done esac".split(" "),
);
/** Commands of the shell that run nothing, and of which no argument is code. */
const BUILTINS: ReadonlySet<string> = new Set(
  "local declare typeset readonly export shift break continue getopts set unset return exit read shopt for select".split(
    " ",
  ),
);
/** Commands that run what is in their arguments, in the variables or in other files. */
const RUNS_ARGUMENTS =
  /^(?:eval|trap|source|\.|xargs|parallel|alias|bind|complete|coproc|hash|enable|builtin)$/;
/** Variables that influence what programs load, or which programs run. */
const LOADS = /^(?:NODE_\w+|PATH|BASH_ENV|ENV|INIT_CWD)\+?=/;
/** An assignment of several words. */
const COMMAND = /^\w+\+?=.*\s/;
/** Options of programs of the shell with which they run others. */
const RUNS_OPTION = /^-(?:exec|ok)(?:dir)?$/;

/**
 * Returns the text of a command as it would be in a manifest, empty for one that runs nothing, or undefined if it isn't known what
 * it runs.
 */
function plainCommand(
  words: readonly string[],
  functions: ReadonlySet<string>,
): string | undefined {
  const at = words.findIndex((word) => !/^\w+\+?=/.test(word));
  const isAlone = at < 0 || BUILTINS.has(words[at] ?? "");
  // A later command gets them, or a program may run a value that is a command.
  if (words.some((word) => (isAlone ? LOADS : COMMAND).test(word)))
    return undefined;
  const [program = "", ...args] = at < 0 ? [] : words.slice(at);
  if (isAlone || functions.has(program)) return "";
  if (RUNS_ARGUMENTS.test(program) || /^-|\$/.test(program)) return undefined;
  if (args.some((word) => RUNS_OPTION.test(word))) return undefined;
  const isKnown = (word: string) => !word.includes("'");
  return words.every(isKnown) ? words.map(quoted).join(" ") : undefined;
}

/** Returns a word as the shell reads it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./*-]+$/.test(word) ? word : `'${word}'`;
}
