import { posix } from "node:path";
import type { ReferenceKind } from "../../reference.js";
import type { Collector } from "../positions.js";
import { isPruned } from "./pruned-images.js";

/** The folder of an image in which commands run: `WORKDIR /app/packages/b`. */
const WORKS_IN = /^[ \t]*WORKDIR[ \t]+\/([\w@./-]+)/gm;

/** Notes the folders of the project that such a folder may be a copy of. */
function addWorkFolders(text: string, found: Collector): void {
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
function addCopied(text: string, found: Collector): void {
  if (!/^[ \t]*(?:COPY|ADD)[ \t]/m.test(text)) return;
  if (isInProject(text)) addCopiedContext(text, found);
  for (const { 0: whole, 1: words = "", index } of text.matchAll(COPIES)) {
    const start = index + whole.length - words.length;
    for (const { 1: name = "", index: at } of words.matchAll(
      /(?<!\S)([A-Za-z_][\w-]*)\/?(?=\s+\S)/g,
    )) {
      found.add(`./${name}/`, "root-guess", start + at, true);
      found.add(`./${name}/package.json`, "root-guess", start + at);
    }
  }
}

/** Returns whether a Dockerfile shows that the context is the project's folder. */
function isInProject(text: string): boolean {
  return IN_PROJECT.test(text.replaceAll(WORKS_IN, ""));
}

/** Notes that an image copies the whole project, if it copies its context. */
function addCopiedContext(text: string, found: Collector): void {
  for (const { 0: whole, 1: words = "", index } of text.matchAll(COPIES)) {
    const offset = index + whole.length - words.length;
    if (!COPIES_ALL.test(words)) continue;
    // The needs of a task in the result are edges of its package, and the names of other tasks mean nothing there.
    const searched = { searched: true };
    if (isPruned(text, index))
      found.add("./turbo.json", "root-path", offset, false, "", searched);
    else found.add("./", "root-path", offset, true);
  }
}

/** Does the same for an image that is described outside of packages: its context is usually the project's folder. */
export function addContextOfRoot(text: string, found: Collector): void {
  if (!isInProject(text)) addCopiedContext(text, found);
}

/** A folder above from which an image is built, in settings of Docker. */
const CONTEXT =
  /^[ \t-]*["']?(?:build|context)["']?[ \t]*[:=][ \t]*["']?((?:\.\.\/)*\.\.)\/?["']?[ \t]*$(?:\n[ \t]+dockerfile[ \t]*[:=][ \t]*["']?([\w./-]+))?/gm;
/** The same in a command that doesn't name the Dockerfile. */
const BUILDS =
  /\b(?:docker|podman)\s+(?:buildx\s+)?build\b(?![^;&|\n]*\s(?:-f|--file))[^;&|\n]*?\s["']?((?:\.\.\/)*\.\.)\/?["']?(?=\s|$)/g;

/** Notes the Dockerfiles of folders above from which images are built: `build: ../..`. */
export function addContexts(
  text: string,
  kind: ReferenceKind,
  offset: number,
  found: Collector,
): void {
  if (!text.includes("..") || !/\b(?:build|context)\b/.test(text)) return;
  for (const { 1: folder = "", 2: file = "Dockerfile", index } of [
    ...text.matchAll(CONTEXT),
    ...text.matchAll(BUILDS),
  ])
    found.add(posix.join(folder, file), kind, offset + index);
}

/** A target of another folder's Earthfile: `../b+build`. */
const EARTHLY = /(?<![\w./-])((?:\.\.\/)+[\w./-]*\w)\+[A-Za-z][\w.-]*/g;

function addEarthTargets(text: string, found: Collector): void {
  if (text.includes("+") && text.includes("../"))
    for (const { 1: folder = "", index } of text.matchAll(EARTHLY))
      found.add(`${folder}/Earthfile`, "path-string", index);
}

/** Notes the references of descriptions of images. */
export function addImages(text: string, found: Collector): void {
  addWorkFolders(text, found);
  addCopied(text, found);
  addContexts(text, "path-string", 0, found);
  addEarthTargets(text, found);
}
