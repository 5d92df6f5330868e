import { posix } from "node:path";
import { SHELL_WALKS, toolCalled } from "@skein/known-tools";
import type { Collector } from "../positions.js";

const COMMAND = /[^;&|\n]+/g;
/** Programs that start another one, and variables before it. */
const BEFORE =
  /^(?:(?:[A-Z_]\w*=\S*|cross-env|env|npx|xargs|time|(?:yarn|pnpm|jlpm)(?:\s+(?:run|exec|dlx))?(?:\s+(?:-T|--top-level))?)\s+)+/;
/** Options with which a program runs in another folder, or reads one. */
const IN_FOLDER =
  /(?:^|\s)(?:-C|--cwd|--rootDir|--root|--dir|--directory|--project-dir)(?:\s+|=)["']?([^\s"']+)/;
/** Options that choose some of the files. */
const CHOOSES =
  /\s--?(?:testPathPatterns?|selectProjects|projects|runTestsByPath|findRelatedTests|roots|filter|staged|cached|changed|related|project)\b/;
/** Options whose value isn't a file that the program reads. */
const WITH_VALUE =
  /(?<=\s)--?(?:c|config|f|format|formatter|t|testNamePattern|ignore-path|ext|env|reporters?|maxWorkers|w|max-warnings|o|output-file|plugin|rulesdir|parser|name|type|exec|path)(?:\s+|=)(?:"[^"]*"|'[^']*'|\S+)/g;
/** Words that are commands of a program. */
const VERBS = /^(?:run|check|lint|ci|format|fmt|watch|related|dev|bench)$/;

/**
 * Notes the folders above that a script's programs read: `cd ../.. && eslint .`, `jest --rootDir ../..`.
 * @param isRoot whether the script is one of the root, which packages may call
 */
export function addFolderReaders(
  text: string,
  isRoot: boolean,
  offset: number,
  found: Collector,
): void {
  if (!isRoot && !text.includes("..")) return;
  let here = ".";
  for (const { 0: whole, index } of text.matchAll(COMMAND)) {
    const command = whole.trim();
    const [, step] = /^(?:cd|pushd)\b\s*(.*)$/.exec(command) ?? [];
    if (step !== undefined) {
      const [, path] = /^["']?([\w.@/-]+)["']?$/.exec(step) ?? [];
      // `cd $INIT_CWD`: the folder isn't known; usually it is the package that calls the script.
      if (path === undefined) return;
      here = posix.join(here, path);
    } else
      for (const { folder, end } of foldersReadBy(command, here, isRoot))
        if (/^(?:\.\.(?:\/|$))+$/.test(folder) || (isRoot && folder === "."))
          found.add(posix.join(folder, "/"), "glob", offset + index, true, end);
  }
}

/**
 * Returns the folders that a command reads completely, from the folder of the script.
 * @param takesMore whether packages may call the script with paths: then a program without a path reads those
 */
function foldersReadBy(
  command: string,
  here: string,
  takesMore: boolean,
): readonly { readonly folder: string; readonly end: string }[] {
  const words = command.replace(BEFORE, "").replace(/^\.?[\w./]*\.bin\//, "");
  const [program = ""] = /^(?:git\s+)?[\w-]+(?=\s|$)/.exec(words) ?? [];
  const ofShell = SHELL_WALKS.get(program.replace(/\s+/, " "));
  const walks = ofShell ?? toolCalled(program)?.walks;
  if (!walks) return [];
  const rest = words.slice(program.length);
  // `addWholeFolders` reads these arguments of the shell's programs.
  if (CHOOSES.test(rest) || (ofShell && rest.includes(".."))) return [];
  const [, in_ = "."] = IN_FOLDER.exec(words) ?? [];
  const folder = posix.join(here, in_);
  const named = rest
    .replace(IN_FOLDER, " ")
    .replaceAll(WITH_VALUE, " ")
    .split(/[\s"']+/)
    .filter(
      (word) => word !== "" && !word.startsWith("-") && !VERBS.test(word),
    );
  if (named.length === 0)
    return walks.here && (!takesMore || program.startsWith("git"))
      ? [{ folder, end: walks.end }]
      : [];
  return named.flatMap((word) => {
    const [, start = ""] = /^((?:\.\.?\/?)*)(?:$|[*{])/.exec(word) ?? [];
    const isWhole = start !== "" || /^[*{]/.test(word);
    const [, end = walks.end] = /\*(\.\w+)$/.exec(word) ?? [];
    return isWhole ? [{ folder: posix.join(folder, start), end }] : [];
  });
}
