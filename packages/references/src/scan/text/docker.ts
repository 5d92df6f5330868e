import type { Collector } from "../positions.js";

/** The folder of an image in which commands run: `WORKDIR /app/packages/b`. */
const WORKS_IN = /^[ \t]*WORKDIR[ \t]+\/([\w@./-]+)/gm;

/** Notes the folders of the project that such a folder may be a copy of. */
export function addWorkFolders(text: string, found: Collector): void {
  if (!text.includes("WORKDIR")) return;
  for (const { 0: whole, 1: path = "", index } of text.matchAll(WORKS_IN)) {
    const names = path.replace(/\/$/, "").split("/");
    for (let i = 1; i < names.length - 1; i++)
      found.add(
        `${names.slice(i).join("/")}/`,
        "root-guess",
        index + whole.length - path.length,
        true,
      );
  }
}

/** The instructions that copy files into an image: `COPY tools ./tools`. The context is the package's folder, or one above it. */
const COPIES = /^[ \t]*(?:COPY|ADD)[ \t]+(?!--from)((?:[^\n\\]|\\\n)*)/gm;

/** A copy of the whole context. */
const COPIES_ALL = /^(?:--\S+\s+)*["'[]*\.\/?["']?[\s,]/;
/** Words that show that the context is the project's folder: only it has a lockfile, a folder of packages, or workspaces. */
const IN_PROJECT =
  /\byarn\.lock\b|\.yarn(?:rc\.yml|\/|\b)|--(?:immutable|frozen-lockfile)\b|\b(?:packages|apps|services|libs)\/|\bworkspaces?\b|\b(?:turbo|lerna|nx)\s/;

/**
 * Notes the folders with a single name that an image copies. They may be the root's, if the package has none of this name. If
 * it copies everything, it copies all packages, or only its own.
 */
export function addCopied(text: string, found: Collector): void {
  if (!/^[ \t]*(?:COPY|ADD)[ \t]/m.test(text)) return;
  for (const { 0: whole, 1: words = "", index } of text.matchAll(COPIES)) {
    const start = index + whole.length - words.length;
    if (COPIES_ALL.test(words) && IN_PROJECT.test(text))
      found.add("./", "root-path", start, true);
    for (const { 1: name = "", index: at } of words.matchAll(
      /(?<!\S)([A-Za-z_][\w-]*)\/?(?=\s+\S)/g,
    )) {
      found.add(`./${name}/`, "root-guess", start + at, true);
      found.add(`./${name}/package.json`, "root-guess", start + at);
    }
  }
}
