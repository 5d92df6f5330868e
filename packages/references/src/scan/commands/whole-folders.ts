import { COPIERS, COPIES, SHELL_WALKS } from "@skein/known-tools";
import type { ReferenceKind } from "../../reference.js";
import type { Collector } from "../positions.js";

/** Commands that run or list scripts of all packages, unless an option names some. */
const EVERY =
  /\byarn\s+(?:-\S+\s+)*workspaces\s+(?:list|info|run)\b|\byarn\s+(?:-\S+\s+)*workspaces\s+foreach\b(?=[^;&|\n"'`]*\s(?:--all|--since|-(?!-)\w*A\w*)(?![\w-]))(?![^;&|\n]*\s--include\b)(?!(?![^;&|\n]*\s--since\b)[^;&|\n]*\s--from[\s=]+["']?[@\w{])|\blerna\s+(?:run|exec|ls|list|test)\b(?![^;&|\n]*\s--scope\b)|\bnx\s+(?:run-many|affected)\b(?![^;&|\n]*\s(?:-p|--projects?)\b)|(?<![\w./-])(?:npm|pnpm)(?=\s)[^;&|\n"'`\\]*\s(?:--workspaces|--recursive|-ws|-r)(?![\w-]|=false)/g;

/** The same for commands that do so only in the project's folder. In a package, they concern this package alone. */
const EVERY_IN_ROOT =
  /\byarn\s+(?:-\S+\s+)*workspaces\s+foreach\b(?![^;&|\n]*\s(?:--include|--from|--recursive|-(?!-)\w*R\w*)\b)|(?<![\w./@-])turbo\s+(?!(?:login|link|prune|gen|ls|query|daemon)\b)\w(?![^;&|\n]*\s(?:--filter|-F|--scope|--cwd)\b)|(?<![\w./@-])lage\s+\w(?![^;&|\n]*\s(?:--to|--scope)\b)|(?<![\w./@-])moon\s+(?:run\s+:|ci\b|check\s+--all\b)/g;

/** The same for the packages in the folder of the package that runs the command. */
const EVERY_BELOW =
  /\byarn\s+(?:-\S+\s+)*workspaces\s+foreach\b(?=[^;&|\n"'`]*\s(?:--worktree|-(?!-)\w*W\w*)(?![\w-]))(?![^;&|\n]*\s(?:--all|--include)\b)/g;

const RUNS = /yarn|lerna|nx|npm/;
const RUNS_IN_ROOT = /yarn|turbo|lage|moon/;

/** Programs that read everything in a folder, and the rest of the command. */
const LISTS = new RegExp(
  String.raw`(?:^|[;&|(\`\n]|\$\(|\bxargs\s|\bthen\s|\bdo\s)\s*(${[...SHELL_WALKS.keys(), ...COPIES, ...COPIERS].join("|")})\s((?:\$\([^()\n]*\)|[^;&|)\`\n])*)`,
  "dg",
);
/** Programs whose first word is what they look for. */
const SEARCHES = /^(?:grep|rg|ag)$/;
const FOLDER_ABOVE =
  /(?<![\w./\\$}@!*-])(?:\.\.\/)*\.\.(?:\/[\w@-][\w.@-]*)*\/?(?![\w./*{])/g;

/** A folder with a name. What precedes it is a variable or an output, usually the project's root or a folder below it. */
const FOLDER =
  /(?<![^\s"'])(?<begins>\.\/|["']?\$(?:[{\w]\w*\}?|\([^()]*\))["']?\/)?(?<above>(?:\.\.\/)*)(?<name>[A-Za-z_][\w.-]*(?:\/[\w.@-]+)*)(?:\/\*[^\s"']*)?\/?(?=["']?(?:\s|$))/g;
/** The end of the names of files that matter to the program: `find … -name "*.x"`, `grep --include=*.x`. */
const CHOSEN = /-(?:i?name|-include)[ \t=]["']?\*(\.\w+)/;

/** Calls of other languages than JavaScript that list a folder, with their arguments. */
const CALLS =
  /\b(?:os\.(?:walk|listdir|scandir|ReadDir)|Dir\.(?:children|entries|each_child)|filepath\.Walk(?:Dir)?|read_dir|WalkDir::new|opendir)\s*\(([^\n]*)/dg;
const QUOTED = /["']\/?([A-Za-z_][\w.-]*(?:\/[\w.@-]+)*)\/?["']/g;

/** Commands of git that list the files of a folder: `git -C ../.. ls-files "*.js"`. */
const GIT_LISTS =
  /\bgit\s+(?:-C\s+["']?((?:\.\.\/)*\.\.)\/?["']?\s+)?(?:ls-files|grep|archive|ls-tree)\b([^;&|\n`)]*)/g;
/** A change to a folder above. */
const GOES_ABOVE = /\bcd\s+["']?((?:\.\.\/)*\.\.)\/?["']?(?=\s*(?:&&|;|\n))/g;

/** Returns the folder above to which a script changes before a command. */
function folderBefore(text: string, index: number): string | undefined {
  return [...text.slice(0, index).matchAll(GOES_ABOVE)].at(-1)?.[1];
}

/** Notes the folders whose files git lists. */
function addGitLists(
  text: string,
  kinds: readonly ReferenceKind[],
  offset: number,
  found: Collector,
): void {
  if (!text.includes("git ")) return;
  for (const { 1: option, 2: words = "", index } of text.matchAll(GIT_LISTS)) {
    const folder = option ?? folderBefore(text, index);
    if (folder === undefined) continue;
    const [, end = ""] = /\*(\.\w+)["']?\s*$/.exec(words) ?? [];
    for (const kind of kinds)
      found.add(`${folder}/`, kind, offset + index, true, end);
  }
}

/**
 * Notes that a command reads all packages: it runs scripts in each of them, or lists a folder above that may contain them.
 * @param isRoot whether the command runs in the project's folder
 * @param written the positions of paths to which the command only writes
 */
export function addWholeFolders(
  text: string,
  kinds: readonly ReferenceKind[],
  offset: number,
  found: Collector,
  isRoot = false,
  written: ReadonlySet<number> = new Set(),
): void {
  // Of files that no package owns, only manifests are among them.
  const addAll = (index: number) => {
    found.add("./", "root-path", offset + index, true, "/package.json");
  };
  if (RUNS.test(text)) {
    for (const { index } of text.matchAll(EVERY)) addAll(index);
    for (const { index } of text.matchAll(EVERY_BELOW))
      found.add("./", "glob", offset + index, true, "/package.json");
  }
  if (RUNS_IN_ROOT.test(text) && (isRoot || text.includes("..")))
    for (const { index } of text.matchAll(EVERY_IN_ROOT))
      if (isRoot || folderBefore(text, index) !== undefined) addAll(index);
  if (!text.includes("..")) return;
  addGitLists(text, kinds, offset, found);
  for (const { 2: words = "", indices } of text.matchAll(LISTS)) {
    const [start = 0] = indices?.[2] ?? [];
    for (const { 0: folder, index } of words.matchAll(FOLDER_ABOVE))
      for (const kind of written.has(start + index) ? [] : kinds)
        found.add(
          folder.endsWith("/") ? folder : `${folder}/`,
          kind,
          offset + start + index,
          true,
        );
  }
}

/** A folder of the root that an option names: `--input data`, `--input=data/x`. */
const IN_OPTION =
  /\s--?[\w-]+[ =]["']?(?:\.\/)?([A-Za-z_][\w.-]*(?:\/[\w.@-]+)*)\/?["']?(?=\s|$)/dg;

/** Notes the folders that options of the root's scripts name. */
export function addFoldersInOptions(
  text: string,
  offset: number,
  found: Collector,
): void {
  for (const { 1: name = "", indices } of text.matchAll(IN_OPTION))
    found.add(
      `./${name}/`,
      "root-guess",
      offset + (indices?.[1]?.[0] ?? 0),
      true,
    );
}

/**
 * Notes the folders with a name that commands and programs read, which may begin at the project's root: `find packages`,
 * `tar c "$ROOT/packages"`, `os.walk(os.path.join(ROOT, "packages"))`.
 */
export function addReadFolders(
  text: string,
  found: Collector,
  offset = 0,
): void {
  for (const { 1: args = "", indices } of text.matchAll(CALLS))
    for (const { 1: name = "", index } of args.matchAll(QUOTED))
      found.add(
        `${name}/`,
        "root-guess",
        offset + (indices?.[1]?.[0] ?? 0) + index + 1,
        true,
      );
  for (const { 1: program = "", 2: words = "", indices } of text.matchAll(
    LISTS,
  )) {
    const start = offset + (indices?.[2]?.[0] ?? 0);
    const [, end = ""] = CHOSEN.exec(words) ?? [];
    const folders = [...words.matchAll(FOLDER)].slice(
      SEARCHES.test(program) ? 1 : 0,
    );
    for (const { groups = {}, index, 0: word } of folders) {
      const { begins, above = "", name = "" } = groups;
      const isAbove = above !== "";
      // Without a variable, it usually begins at the file's folder, so that the root counts only if nothing is there.
      const beginning = isAbove ? above : begins?.includes("$") ? "" : "./";
      found.add(
        `${beginning}${name}/`,
        isAbove ? "glob" : "root-guess",
        start + index + word.indexOf(above + name),
        true,
        end,
      );
    }
  }
}
