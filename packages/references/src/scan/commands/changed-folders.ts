import { posix } from "node:path";
import type { ReferenceKind } from "../../reference.js";
import type { Collector } from "../positions.js";

/** `cd x`, `cd ../..`, `cd "$(dirname "$0")/.."`: the known part of the folder that a command changes to. */
const CHANGE =
  /\b(?:cd|pushd)[ \t]+(?:["']?(?:\.\/)?([A-Za-z_][\w.-]*(?:\/[\w.@-]+)*)(?=["'\s;&|)])|[^\n;&|]*?(?<![\w.@-])(\.\.(?:\/[\w.@-]+)*))/g;
/** Two names or more, or one after dots. */
const PATH =
  /(?<=[\s"'`=(;&|](?:\.\/)?)(?:(?:\.\.\/)+[A-Za-z_][\w.@-]*|[A-Za-z_][\w.@-]*(?=\/))(?:\/[\w.@-]+)*(?![\w.@/-]*:)/g;

/** A name with an ending as a word: a file, also as the value of an option. */
const FILE =
  /(?<=[\s"'`=(](?:\.\/)?)[A-Za-z_][\w-]*(?:\.[\w-]+)*\.[A-Za-z]\w*(?=["'`\s;&|)]|$)/g;
/** A command, unless a package manager runs it: its words are names of scripts. */
const COMMAND =
  /(?<![^;&|(\n])(?!\s*(?:\w+=\S*\s+)*(?:yarn|jlpm|npm|pnpm|npx|run-[sp])\s)[^;&|(\n]+/g;
/** An argument that is a name. */
const ARGUMENT = /(?<=\S[ \t]+["']?)[A-Za-z_][\w-]*(?=["'\s;&|)]|$)/g;

/**
 * Notes the files in a folder above that a command which runs there names without a folder.
 * @param folder where the command runs: `../..`
 * @param offset where the command begins
 */
export function addFilesIn(
  folder: string,
  command: string,
  kind: ReferenceKind,
  offset: number,
  found: Collector,
): void {
  for (const { 0: file, index } of command.matchAll(FILE))
    found.add(`${folder}/${file}`, kind, offset + index);
}

/** Notes the paths that commands name after a change of folder, relative to the new folder. */
export function addFromChangedFolder(
  text: string,
  kind: ReferenceKind,
  offset: number,
  found: Collector,
): void {
  if (!/\b(?:cd|pushd)[ \t]/.test(text)) return;
  const changes = [...text.matchAll(CHANGE)];
  addSteps(text, offset, found);
  changes.forEach(({ 0: change, 1: below, 2: above = "", index }, i) => {
    const folder = below === undefined ? above : `./${below}`;
    const start = index + change.length;
    const commands = text.slice(start, changes[i + 1]?.index);
    // A variable may follow: `cd ../$p`.
    const isKnown = text[start] !== "/";
    if (above !== "" && isKnown)
      addFilesIn(above, commands, kind, offset + start, found);
    // The folder beside the package may be another one.
    for (const { 0: command, index: begin } of above === ".." && isKnown
      ? commands.matchAll(COMMAND)
      : [])
      for (const { 0: name, index: at } of command.matchAll(ARGUMENT))
        found.add(`../${name}/`, "path-string", offset + start + begin + at);
    for (const { 0: path, index: at } of commands.matchAll(PATH)) {
      const isPattern = commands.startsWith("/*", at + path.length);
      found.add(
        `${folder}/${path}${isPattern ? "/" : ""}`,
        isPattern ? "glob" : kind,
        offset + start + at,
        isPattern,
      );
    }
  });
}

/** `cd x` as a command of its own, whose folder the next commands have. */
const STEP =
  /(?<=^|&&|;)[ \t]*cd[ \t]+["']?((?:\.\.?|[\w@-][\w.@-]*)(?:\/[\w.@-]+)*)\/?["']?(?=[ \t]*(?:;|&&|\r?$))/gm;

/** Notes the folders that a script reaches in several steps: `cd ..`, and `cd b` in another line. */
function addSteps(text: string, offset: number, found: Collector): void {
  let folder = ".";
  let steps = 0;
  for (const { 1: step = "", 0: whole, index } of text.matchAll(STEP)) {
    folder = posix.join(folder, step);
    if (++steps > 1 && /^(?:\.\.\/)+[^.]/.test(folder))
      found.add(
        `${folder}/`,
        "path-string",
        offset + index + whole.indexOf("cd"),
      );
  }
}
