import {
  dotted,
  endOf,
  isNode,
  listOf,
  literalText,
  nameOf,
  textOf,
  type Node,
  rawOf,
  startOfWords,
} from "./ast.js";
import { addPath, GOES_UP, upwardPathsIn } from "../path-strings.js";
import { endsOfPattern, matchedBy, matchedIn } from "../patterns.js";
import { FROM_PACKAGE } from "../../reference.js";
import type { Places } from "./values/places.js";
import type { Certainty, Collector } from "../positions.js";
import { surelyWildAt } from "../wild.js";

/** Functions that list a folder, or search it by patterns: Node's, and those of well-known packages. */
const LISTING =
  /^(?:readdir(?:Sync)?|opendir(?:Sync)?|glob(?:Sync)?|globby(?:Sync)?|globSync|fg|fastGlob|tinyglobby|walk(?:Sync)?|walkdir|klaw(?:Sync)?|find(?:Files|Up)?Sync|readdirp|recursiveReaddir|expandGlob(?:Sync)?|fdir|crawl|withPromise|scan(?:dir)?(?:Sync)?)$/;

/**
 * Notes the folder that a call lists, since everything in it may be read; also a folder that options name as `cwd`, if the
 * call searches for patterns.
 */
export function addListing(call: Node, places: Places, found: Collector): void {
  const callee = call["callee"];
  const args = listOf(call, "arguments");
  const [first] = args;
  const mayHaveOptions = args.some(({ type }) => type === "ObjectExpression");
  const isEntered = entersListed(callee, found.text);
  const isList = isListing(callee) || isEntered;
  if (!first || (!mayHaveOptions && !isList)) return;
  const options = args.flatMap((argument) =>
    listOf(argument, "properties").flatMap((property) =>
      nameOf(property["key"]) === "cwd" && isNode(property["value"])
        ? [property["value"]]
        : [],
    ),
  );
  const patterns = [first, ...listOf(first, "elements")];
  const words = [first, ...(args[1] ? listOf(args[1], "elements") : [])];
  const listsFiles = LISTS_FILES.test(words.map(literalText).join(" "));
  // Any function counts that gets a pattern and a `cwd`, because programs wrap `glob` under other names.
  const looksIn =
    options.length > 0 &&
    (listsFiles ||
      patterns.some((each) => surelyWildAt(literalText(each) ?? "") >= 0));
  if (!looksIn && !isList) return;
  const folders = options.length > 0 ? options : [first];
  for (const folder of folders)
    addOwnFolder(literalText(folder) ?? "", folder.start + 1, found);
  // readdir and the like are noted by their own names.
  for (const option of options) {
    const path = literalText(option) ?? "";
    if (GOES_UP.test(path))
      found.add(
        path.replace(/\/?$/, "/"),
        "cwd-path",
        option.start + 1,
        true,
        patterns.length === 1 ? endsOfPattern(literalText(first) ?? "") : "",
      );
  }
  const isElsewhere = options.some((option) => places.all(option).length === 0);
  for (const pattern of patterns) {
    const text = literalText(pattern);
    if (text !== undefined)
      addFromElsewhere(text, pattern.start + 1, isElsewhere, found);
  }
  const [last] = listOf(first, "arguments").slice(-1);
  const name = places.all(first).length === 0 ? literalText(last) : undefined;
  if (last && name !== undefined && /^[\w@-][\w.@-]*$/.test(name))
    found.add(`${name}/`, "root-guess", last.start + 1, true);
  for (const option of options) addUnknownFolder(option, patterns, found);
  if (listsFiles || isEntered)
    for (const folder of folders)
      if (isTop(nameOf(folder), found.text))
        found.add("./", "root-path", folder.start, true);
  // A function with another name may use the folder for more than the patterns.
  const searched =
    first.type === "ArrayExpression" ? patterns.slice(1) : [first];
  const known = isListing(callee) ? searched.map(literalText) : [];
  for (const folder of [first, ...options])
    addListedFolder(folder, {
      found,
      isOption: folder !== first,
      places,
      words: known,
    });
}

interface Listing {
  readonly found: Collector;
  /** Whether the folder is an option: `{ cwd: folder }`. */
  readonly isOption: boolean;
  readonly places: Places;
  /** The patterns that the call searches for; undefined for one that isn't known. Empty if it lists everything. */
  readonly words: readonly (string | undefined)[];
}

/** Notes what a call lists in a folder whose place is known. */
function addListedFolder(
  folder: Node,
  { found, isOption, places, words }: Listing,
): void {
  for (const { text, partial, isCwd, isOwn } of places.all(folder)) {
    if (partial || /[*?{[]/.test(text)) continue;
    const path = text.endsWith("/") ? text : `${text}/`;
    const narrow = isOption ? matchedIn(path, words) : undefined;
    for (const { beginning, ends } of narrow ?? [{ beginning: path, ends: "" }])
      if (beginning.startsWith("/"))
        found.add(beginning.slice(1), "root-path", folder.start, true, ends);
      else {
        if (!(isCwd && isOption))
          found.add(beginning, "glob", folder.start, true, ends, {
            fromFile: isOwn,
          });
        else if (!GOES_UP.test(beginning))
          addOwn(beginning, folder.start, ends, found);
        if (isCwd && (isOption || GOES_UP.test(beginning)))
          found.add(beginning, "cwd-path", folder.start, true, ends);
      }
  }
}

/** Notes a folder that begins at the current directory, which is the package's folder as a rule, or the file's. */
function addOwn(
  beginning: string,
  offset: number,
  ends: string | readonly string[],
  found: Collector,
): void {
  const path = FROM_PACKAGE + beginning.replace(/^\.\//, "");
  found.add(path, "own-guess", offset, true, ends);
}

/** A folder without a dot, which begins at the current directory: usually that of the package. */
const OWN_FOLDER = /^[\w@-][\w.@-]*(?:\/[\w.@-]+)*\/?$/;

/** Notes a folder of the package that a program lists, or below which it opens files. */
function addOwnFolder(path: string, offset: number, found: Collector): void {
  const folder = path.replace(/\/$/, "");
  if (OWN_FOLDER.test(path) && !found.has(offset))
    found.add(`${FROM_PACKAGE}${folder}/`, "own-guess", offset, true);
}

/** Notes the folder of the package below which a program opens files: `` readFileSync(`docs/${name}`) ``. */
export function addOpenedFolder(path: Node, found: Collector): void {
  const [first, second] = listOf(path, "arguments");
  const isJoined = /^(?:join|resolve)$/.test(nameOf(path["callee"]));
  const text = second && isJoined ? textOf(first) : textOf(path);
  if (!text || !(text.partial || second)) return;
  const folder = second ? text.text : text.text.replace(/[^/]*$/, "");
  addOwnFolder(folder, path.start + 1, found);
}

/** A command that lists the files of the folder in which it runs. */
const LISTS_FILES = /^(?:git\s+(?:ls-files|grep|ls-tree)\b|(?:ls|find)\s)/;

/** A variable that gets the project's folder from git. */
const TOP = /([\w$]+)\s*=[^;=\n]*--show-toplevel/g;

/** Returns whether git names the folder in a variable: the project's. */
function isTop(variable: string, text: string): boolean {
  return (
    text.includes("--show-toplevel") &&
    Array.from(text.matchAll(TOP)).some(([, name]) => name === variable)
  );
}

/** Returns whether a call changes to a folder in a program that lists the files of the current directory. */
function entersListed(callee: unknown, text: string): boolean {
  return (
    nameOf(callee) === "chdir" &&
    dotted(callee) === "process.chdir" &&
    text.includes("ls-files")
  );
}

/** Notes a folder that begins above the current directory and isn't known completely: `{ cwd: `../${name}` }`. */
function addUnknownFolder(
  option: Node,
  patterns: readonly Node[],
  found: Collector,
): void {
  const text = textOf(option);
  if (!text?.partial || !GOES_UP.test(text.text)) return;
  for (const pattern of patterns) {
    const whole = literalText(pattern);
    if (whole !== undefined)
      found.add(
        text.text,
        "cwd-path",
        option.start + 1,
        true,
        endsOfPattern(whole),
      );
  }
}

/** Notes a folder or a pattern that a call lists from the current directory, or from an unknown folder. */
function addFromElsewhere(
  text: string,
  offset: number,
  isElsewhere: boolean,
  found: Collector,
): void {
  const wild = surelyWildAt(text);
  const all = [{ beginning: text.replace(/\/?$/, "/"), ends: "" }];
  for (const { beginning, ends } of wild < 0 ? all : matchedBy(text))
    if (GOES_UP.test(beginning))
      found.add(beginning, "cwd-path", offset, true, ends);
    else if (isElsewhere && wild >= 0 && /^[\w@]/.test(beginning))
      found.add(beginning, "root-guess", offset, true, ends);
}

/** Returns whether a function lists files: `fs.readdirSync`, `glob`, `fg.sync`. */
function isListing(callee: unknown): boolean {
  const name = nameOf(callee);
  if (LISTING.test(name)) return true;
  if (!/^(?:sync|stream|async)$/.test(name)) return false;
  const object = dotted(callee).split(".").at(-2) ?? "";
  if (LISTING.test(object)) return true;
  // `require("glob").sync("x")`.
  const maker = isNode(callee) ? callee["object"] : undefined;
  const [module] = isNode(maker) ? listOf(maker, "arguments") : [];
  return /^(?:(?:fast-|tiny)?glob|globby)$/.test(literalText(module) ?? "");
}

/** Notes a list of strings that may be the parts of a path: `["..", "..", "b"]`, which a call receives later. */
export function addClimb(parts: readonly Node[], found: Collector): void {
  if (literalText(parts[0]) === "..") addWords(parts, found);
}

/**
 * Notes a path whose parts are separate strings: `join(root, "packages", "b", "x.js")`. A path that goes up begins at the
 * file's folder; any other may begin at the project's root.
 * @param isJoined whether a function for paths joins them
 * @param certain what is certain of the path
 * @param namesOf returns all names that a part may be; none if they aren't known
 */
export function addWords(
  parts: readonly Node[],
  found: Collector,
  isJoined = false,
  certain: Certainty = {},
  namesOf: (part: Node) => readonly string[] = () => [],
): void {
  const first = parts.findIndex((part) => WORD.test(literalText(part) ?? ""));
  if (first < 0) return;
  const words: string[] = [];
  for (const part of parts.slice(first)) {
    const text = literalText(part);
    if (text === undefined || !WORD.test(text)) break;
    words.push(text);
  }
  const start = parts[first]?.start;
  if (start === undefined) return;
  // `join(root, "packages", name, "package.json")`: any folder below, or those that a constant names.
  const next = parts[first + words.length];
  if (isJoined && first > 0 && next && words[0] !== "..") {
    const names = namesOf(next);
    const isLast = first + words.length + 1 === parts.length;
    for (const name of names.length > 0 ? names : [""])
      found.add(
        [
          ...words,
          ...(name === "" ? [] : [name]),
          ...(name !== "" && isLast ? [] : [""]),
        ].join("/"),
        "root-guess",
        start + 1,
        name === "" || !isLast,
        endsOfPattern(endOf(parts.at(-1))),
      );
  }
  if (words.length < 2) return;
  const path = words.join("/");
  if (words[0] === "..")
    addPath({ text: path, partial: false }, start + 1, found);
  else if (!path.includes(".."))
    found.add(
      path,
      "root-guess",
      start + 1,
      false,
      "",
      first + words.length === parts.length ? certain : {},
    );
}

const WORD =
  /^(?:\.\.|@?[\w\u0080-\uffff-][\w.@\u0080-\uffff-]*(?:\/[\w.@\u0080-\uffff-]+)*)$/;

/** Notes the paths inside a string that go up: `src/../../b`, `--config=../b/x`. */
export function addInnerPaths(
  text: string,
  offset: number,
  found: Collector,
): void {
  const plain = text.includes("..\\") ? text.replaceAll("\\", "/") : text;
  if (!plain.includes("../")) return;
  for (const { path, index } of upwardPathsIn(plain))
    if (!found.has(offset + index))
      addPath({ text: path, partial: false }, offset + index, found);
}

/** Notes that a call gets an address of its own server, in which no folder is one of the project: `` fetch(`/x/${id}/docs/${page}`) ``. */
export function skipAddress(
  call: Node,
  found: Collector,
  handled: Set<Node>,
): void {
  const [address] = listOf(call, "arguments");
  if (nameOf(call["callee"]) !== "fetch" || !address) return;
  if (!textOf(address)?.text.startsWith("/")) return;
  for (const quasi of listOf(address, "quasis")) {
    handled.add(quasi);
    found.skip(startOfWords(quasi, found.text));
  }
}

/** Adds the folders between two substitutions of a template, below an unknown root: `${root}/packages/${name}/x.js`. */
export function addFolders(
  template: Node,
  found: Collector,
  handled: ReadonlySet<Node>,
): void {
  // An address: `https://x.org/${a}/packages/${b}`, `/${owner}/packages/${id}`.
  if (/^(?:\/|(?!file:)\w+:\/\/.*)$/.test(textOf(template)?.text ?? "")) return;
  for (const quasi of listOf(template, "quasis").slice(1, -1)) {
    const raw = rawOf(quasi);
    if (!handled.has(quasi) && /^\/(?:[\w@-][\w.@-]*\/)+$/.test(raw))
      found.add(
        raw.slice(1),
        "root-guess",
        quasi.start + 2,
        true,
        endsOfPattern(endOf(template)),
      );
  }
}
