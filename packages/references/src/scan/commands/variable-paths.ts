import { remember } from "@skein/reporting/group-by";
import { endsOfPattern } from "../patterns.js";
import type { Collector } from "../positions.js";

/**
 * A variable in the place of a name, in any language: `$p`, `${p:-x}`, `$(p)`, `$$p`, `$*`, `{{p}}`, `{{.P}}`, `#{p}`, `{p}`.
 */
const VARIABLE = String.raw`(?:\$\$?(?:[({]?(?<plain>\w+)(?<rest>[^)}\s/"']*)[)}]?|[*@(])|\{\{\s*\.?(?<mark>\w+)\s*\}\}|#?\{(?<inner>\w+)\})`;
/** A path below the project with such a variable: `$ROOT/packages/$p/src`, `packages/${1}`. */
const PATH = new RegExp(
  String.raw`(?:(?:\$\{?\w+\}?|[)}])["']?/|(?<=[\s"'=,:(])(?=(?:\./)?[A-Za-z_][\w./-]*/[$#{])(?:\./)?|(?<=[\s"'=,:(])(?=[$#{]))(?<folder>(?:[A-Za-z_][\w.-]*/)*)${VARIABLE}(?<end>(?:/[\w.@-]+)*)(?![\w.@/-]*/[$#{])`,
  "g",
);
/** The same as separate words: `join(ROOT, "packages", name, "x.json")`, `ROOT / "packages" / name`. */
const WORDS =
  /(?<folder>(?:(["'])[\w.-]+\2\s*[,/]\s*)+)(?:(?<argument>(?:\w+\.)?(?:argv|ARGV|Args)\[\d\])|(?<inner>[A-Za-z_]\w*)(?=\s*[,/)\n]))(?<end>(?:\s*[,/]\s*(?<quote>["'])[\w.@-]+\k<quote>)*)/g;

/** The words that a variable may have. */
interface Values {
  readonly words: readonly string[];
  /** It may be an argument of the script, or of a function. */
  readonly isArgument: boolean;
  /** It may have other words. */
  readonly isOpen: boolean;
}

/** The names that a text may assign something to: the beginnings of the forms that `textsOf` reads. */
const ASSIGNED =
  /(\w+)["']?[ \t]*(?:[:?+]?=|:)|\b(?:for|foreach)[ \t]+(?:_,[ \t]*)?(\w+)|\|(\w+)\||"(\w+)"[ \t]*\{/g;

/** Returns the names that a text assigns something to. Most variables of a program get their values elsewhere. */
function assignedIn(text: string): ReadonlySet<string> {
  return new Set(
    Array.from(
      text.matchAll(ASSIGNED),
      ([, name, looped, given, block]) =>
        name ?? looped ?? given ?? block ?? "",
    ),
  );
}

/** Returns the texts that a variable gets: by an assignment, a loop, a default, or a block that is called for each element. */
function textsOf(text: string, name: string): readonly string[] {
  const assigned = new RegExp(
    [
      String.raw`(?<![\w$.-])["']?${name}["']?[ \t]*(?::?=|[?+]=|:)[ \t]*(?:range[ \t]*(?:\[\]\w+)?)?(?<value>\{[^{}\n]*\}|\([^()]*\)|\[[^\]]*\]|[^\n#;]*)`,
      String.raw`\b(?:for|foreach)[ \t]+(?:_,[ \t]*)?${name}(?:[ \t]+in[ \t]+|,)(?<list>\[[^\]]*\]|\([^()]*\)|[^;\n,]*)`,
      String.raw`(?<each>\[[^\]]*\])\.each\w*[ \t]*(?:do|\{)[ \t]*\|${name}\|`,
      String.raw`\bvariable[ \t]+"${name}"[ \t]*\{(?<block>[^}]*)\}`,
    ].join("|"),
    "g",
  );
  return Array.from(text.matchAll(assigned), ({ groups = {} }) => {
    const { value, list, each, block } = groups;
    return value ?? list ?? each ?? block ?? "";
  });
}

const REFERENCE = /(?:\$\$?[({]?|\{\{\s*\.?)(\w+)/g;
/** An argument of the script, in a shell or in Python, Ruby and Go. */
const ARGUMENT = /^\d$|^[@*]$/;
const ARGUMENTS = /\b(?:argv|ARGV|Args)\b/;

/** Returns a function that returns the words that a text assigns to a variable. */
export function openValues(text: string): (variable: string) => Values {
  let assigned: ReadonlySet<string> | undefined;
  return remember((variable) => find(variable, new Set()));

  function find(variable: string, asked: Set<string>): Values {
    if (ARGUMENT.test(variable))
      return { words: [], isArgument: true, isOpen: false };
    if (variable === "") return { words: [], isArgument: false, isOpen: true };
    const values = { words: [] as string[], isArgument: false, isOpen: false };
    const name = variable === "ITEM" ? "for" : variable;
    const isAssigned = (assigned ??= assignedIn(text)).has(name);
    const texts = isAssigned && !asked.has(variable) ? textsOf(text, name) : [];
    asked.add(variable);
    for (const list of texts) {
      for (const [, inner = ""] of list.matchAll(REFERENCE)) {
        const of = find(inner, asked);
        values.words.push(...of.words);
        values.isArgument ||= of.isArgument;
        values.isOpen ||= of.isOpen;
      }
      if (list.trim() === "" || /`|\$\(\w+\s/.test(list)) values.isOpen = true;
      if (ARGUMENTS.test(list)) values.isArgument = true;
      else
        values.words.push(
          ...(list.replaceAll(REFERENCE, " ").match(/[\w@][\w@./-]*/g) ?? []),
        );
    }
    return texts.length === 0 ? { ...values, isOpen: true } : values;
  }
}

/** The folders in which an argument's path may begin: those above a script. */
const ABOVE = ["./", "../", "../../", "../../../"];
/** A longer text isn't a list of folders. */
const MOST_WORDS = 100;
/** Longer texts are data. */
const LONGEST = 200_000;
/** A string of Python with variables in braces. Elsewhere, a word in braces is part of an address or of a pattern. */
const FORMATTED = /\bf["']/;

/**
 * Notes the paths in which a name is the value of a variable.
 * @param isProgram whether the text is a script or a recipe: a variable with an unknown value may then be any name
 */
export function addVariablePaths(
  text: string,
  found: Collector,
  isProgram: boolean,
): void {
  if (text.length > LONGEST) return;
  const valuesOf = openValues(text);
  const added = new Set<string>();
  if (/\/["']?[$#{]|[$#{(]\w+[)}]*\/\w/.test(text))
    for (const { groups = {}, 0: whole, index } of text.matchAll(PATH)) {
      const { folder = "", end = "", plain, rest, mark, inner } = groups;
      if (inner !== undefined && !whole.includes("#") && !FORMATTED.test(text))
        continue;
      const [, word] = /^:?-(\w[\w.-]*)$/.exec(rest ?? "") ?? [];
      if (word !== undefined) addWord(folder + word + end, index);
      addPath(folder, plain ?? mark ?? inner, end, index);
    }
  if (/["']\s*[,/]\s*[A-Za-z_]/.test(text))
    for (const { groups = {}, index } of text.matchAll(WORDS)) {
      const { argument, inner } = groups;
      const all = partsOf(groups["folder"]);
      const below = all.filter((each) => each !== "..");
      const end = partsOf(groups["end"]).map((each) => `/${each}`);
      for (const folder of new Set(
        [all, below].map((parts) => parts.join("/")),
      ))
        if (folder !== "")
          addPath(
            `${folder}/`,
            argument === undefined ? inner : "1",
            end.join(""),
            index,
          );
    }

  function addWord(path: string, offset: number): void {
    if (added.has(path)) return;
    added.add(path);
    found.add(
      path,
      path.startsWith("..") ? "path-string" : "root-guess",
      offset,
    );
  }

  function addPath(
    folder: string,
    variable = "",
    end: string,
    offset: number,
  ): void {
    const { words, isArgument, isOpen } = valuesOf(variable);
    if (words.length <= MOST_WORDS && (folder !== "" || end !== ""))
      for (const word of words) addWord(folder + word + end, offset);
    if (folder === "" || folder.startsWith("..")) return;
    const suffix = endsOfPattern(end);
    if (isOpen && isProgram)
      found.add(folder, "root-guess", offset, true, suffix);
    for (const above of isArgument ? ABOVE : [])
      found.add(above + folder, "argument-path", offset, true, suffix);
  }
}

/** Returns the words in quotes. */
function partsOf(words = ""): readonly string[] {
  return Array.from(
    words.matchAll(/["']([^"']+)["']/g),
    ([, each = ""]) => each,
  );
}

/** A variable in a shell, a Makefile or a Dockerfile; after a comma, one to whose words Make adds the path: `$(addprefix ../,$(p))`. */
const VARIABLE_HERE = /,?\$\$?[({]?(\w+)[)}]?/y;

/** Returns the words of the variable at a place of a text; all of them are known, or they are arguments. */
export function variableAt(
  text: string,
  index: number,
  valuesOf: (variable: string) => Values,
): { readonly words: readonly string[]; readonly isArgument: boolean } {
  VARIABLE_HERE.lastIndex = index;
  const [, name] = VARIABLE_HERE.exec(text) ?? [];
  const { words, isArgument, isOpen } = valuesOf(name ?? "");
  const isKnown = !isOpen && !isArgument && words.length <= MOST_WORDS;
  return {
    words: isKnown ? words : [],
    isArgument: isArgument && !isOpen && words.length === 0,
  };
}

/** The rest of a path after a variable, as in a shell or a template: `/src/x.js` of `../$p/src/x.js`. */
const BEHIND_VARIABLE =
  /(?:\$(?:\w+|\{\w+\}|\(\w+\))|\{\{\s*\.?\w+\s*\}\}|\{\w*(?::[^{}]*)?\}|%)((?:[/\\][\w.@-]+)+\.\w+)(?![\w*?{[/\\$])/y;

/** A command that changes to a folder. */
const ENTERS = /(?:\b(?:cd|pushd)[ \t]+|(?:--cwd|-C)[ =])["']?$/;

/** Notes a path through a folder that is known only at run time: every sibling folder that contains a file with this name. */
export function addVariableFolder(
  folder: string,
  text: string,
  index: number,
  found: Collector,
  valuesOf: (variable: string) => Values,
): void {
  const { words } = variableAt(text, index + folder.length, valuesOf);
  for (const word of words) found.add(folder + word, "path-string", index);
  if (words.length > 0) return;
  BEHIND_VARIABLE.lastIndex = index + folder.length;
  // `cd ../$p`: every sibling folder that is a package.
  const end =
    BEHIND_VARIABLE.exec(text)?.[1]?.replaceAll("\\", "/") ??
    (ENTERS.test(text.slice(Math.max(0, index - 20), index))
      ? "/package.json"
      : undefined);
  found.add(
    folder.replaceAll("\\", "/"),
    end === undefined ? "path-string" : "glob",
    index,
    true,
    end ?? "",
  );
}

/** The same, joined by signs: `"../" + p + "/src/x.js"`, `"../" .. p .. "/x"`. */
const JOINED =
  /["']\s*(?:\+|\.\.?|&|<>)\s*[\w.]+\s*(?:\+|\.\.?|&|<>)\s*["']((?:\/[\w.@-]+)*\.\w+)["']/y;

/** Notes a path that is joined of a folder above, a variable and a file. */
export function addJoined(
  folder: string,
  text: string,
  index: number,
  found: Collector,
): void {
  JOINED.lastIndex = index + folder.length;
  const end = JOINED.exec(text)?.[1];
  if (end !== undefined) found.add(folder, "glob", index, true, end);
}
