import { posix } from "node:path";
import {
  dotted,
  endOf,
  listOf,
  nameOf,
  type Node,
  textOf,
  unwrap,
} from "../ast.js";
import {
  chosen,
  cookedIn,
  isWholePart,
  valueOf,
  wordsOf,
  type Following,
} from "./following.js";
import { GOES_UP } from "../../path-strings.js";
import { climbing, lifted, parentOf, type Place } from "./place.js";

/** The file itself, as in `__filename` and `import.meta.url`. */
const SELF = "./.self";
/** Expressions that are the place of the file or of the project, with that place. */
export const HERE: Readonly<Record<string, string>> = {
  __dirname: ".",
  "import.meta.dirname": ".",
  __filename: SELF,
  "import.meta.filename": SELF,
  "import.meta.url": SELF,
  /** Yarn sets it for every script. A path from the project's root begins with a slash here. */
  "process.env.PROJECT_CWD": "/",
};
/** Functions that return the same path in another form. */
const SAME = new Set([
  "fileURLToPath",
  "pathToFileURL",
  "realpathSync",
  "normalize",
  "toNamespacedPath",
  "String",
]);

/** Returns the place of the selected branch of an expression; undefined if it isn't a path. */
export function placeOf(
  value: unknown,
  following: Following,
): Place | undefined {
  const node = chosen(value, following);
  if (!node) return undefined;
  switch (node.type) {
    case "Identifier":
    case "MemberExpression":
      return ofName(node, following);
    case "CallExpression":
      return ofCall(node, following);
    case "NewExpression":
      return ofUrl(node, following);
    case "TemplateLiteral":
      return ofTemplate(node, following);
    case "BinaryExpression":
      return node["operator"] === "+" ? ofSum(node, following) : undefined;
    case "TSAsExpression":
    case "TSSatisfiesExpression":
      return placeOf(node["expression"], following);
    default:
      return undefined;
  }
}

function ofName(node: Node, following: Following): Place | undefined {
  const name = dotted(node);
  const text = Object.hasOwn(HERE, name) ? HERE[name] : undefined;
  const binding = following.scope?.find(name);
  if (text !== undefined) {
    // `const __dirname = path.resolve()` is the current directory.
    const isOwn = binding
      ? valueOf(binding, following, placeOf)?.isOwn
      : text.startsWith(".");
    return { text, partial: false, isOwn };
  }
  if (node.type === "Identifier") return valueOf(binding, following, placeOf);
  return /\.(pathname|href)$/.test(name)
    ? placeOf(node["object"], following)
    : ofField(node["object"], nameOf(node), following);
}

/** Returns the place of `paths.root`, where `paths` is an object that the file makes. */
function ofField(
  object: unknown,
  field: string,
  following: Following,
): Place | undefined {
  const node = unwrap(object);
  if (node?.type !== "Identifier") return undefined;
  const binding = following.scope?.find(String(node["name"]));
  return valueOf(binding, following, (value) => {
    if (value.type !== "ObjectExpression") return undefined;
    const property = listOf(value, "properties").find(
      ({ key }) => nameOf(key) === field,
    );
    return placeOf(property?.["value"], following);
  });
}

function ofCall(call: Node, following: Following): Place | undefined {
  const callee = unwrap(call["callee"]);
  const args = listOf(call, "arguments");
  const name = nameOf(callee);
  switch (name) {
    case "join":
      return joined(partsOf(callee, args[0]) ?? args, following);
    case "resolve": {
      const place = joined(args, following);
      // Without a known beginning, it begins at the current directory.
      const isPath = /^(?:path\.|posix\.|path\.posix\.)?resolve$/.test(
        dotted(callee),
      );
      const up = wordsOf(args[0], following);
      return place && isPath && up && GOES_UP.test(up.text)
        ? { ...place, isCwd: true }
        : place;
    }
    case "dirname": {
      const place = placeOf(args[0], following);
      return place && { ...place, text: parentOf(place.text) };
    }
    case "cwd":
      return dotted(callee) === "process.cwd"
        ? { text: ".", partial: false, isCwd: true }
        : undefined;
    default:
      return SAME.has(name) ? placeOf(args[0], following) : undefined;
  }
}

/** The words after a name that is known only at run time: `join(dir, `../${name}/src`)`. */
const GOES_ON = /^[/\\]./;

/** Returns the parts of `["..", "b"].join("/")`, which doesn't call Node's function. */
function partsOf(
  callee: Node | undefined,
  separator: Node | undefined,
): readonly Node[] | undefined {
  const array = unwrap(callee?.["object"]);
  if (array?.type !== "ArrayExpression") return undefined;
  const isPath = nameOf(separator) === "sep" || textOf(separator)?.text === "/";
  return isPath ? listOf(array, "elements") : [];
}

function joined(
  args: readonly Node[],
  following: Following,
): Place | undefined {
  const start = placeOf(args[0], following);
  const isUnknown = !start && !wordsOf(args[0], following);
  const parts = start ? [start.text] : [];
  let partial = start?.partial ?? false;
  let words = start?.words;
  const rest = args.slice(start || isUnknown ? 1 : 0);
  const unknown = rest.findIndex((arg) => !wordsOf(arg, following));
  let goesOn =
    (partial || unknown >= 0) &&
    rest
      .slice(partial ? 0 : unknown + 1)
      .some((arg) => wordsOf(arg, following));
  let isOfArgument = start?.isArgument === true;
  let next = 0;
  for (const arg of rest) {
    const text = partial ? undefined : wordsOf(arg, following);
    if (!partial) {
      parts.push(text?.text ?? "");
      next++;
      isOfArgument = text
        ? text.isArgument === true
        : following.isArgument(arg, following);
    }
    if (text?.partial) goesOn ||= GOES_ON.test(endOf(arg));
    partial ||= text?.partial ?? true;
    if (!text) break;
    words ??= arg;
  }
  if (goesOn)
    words ??= rest.slice(unknown + 1).find((arg) => wordsOf(arg, following));
  const place = climbing(parts.join("/"), partial, words);
  if (!place) return undefined;
  const made = {
    ...place,
    goesOn,
    last: goesOn ? endOfParts(args, following) : undefined,
    isCwd: start?.isCwd,
    isOwn: start?.isOwn,
    // A later part may go up again.
    isArgument:
      isOfArgument && !rest.slice(next).some((arg) => climbs(arg, following)),
  };
  return lifted(made, afterUnknown(rest, next, following));
}

/** Returns the known end of a path whose parts aren't all known: `/android/build.gradle` of `join(root, name, "android", "build.gradle")`. */
function endOfParts(
  parts: readonly Node[],
  following: Following,
): string | undefined {
  let end = "";
  for (const part of parts.toReversed()) {
    const words = wordsOf(part, following);
    if (!words || words.partial || /(?:^|\/)\.{0,2}(?:\/|$)/.test(words.text))
      break;
    end = `/${words.text}${end}`;
  }
  return end === "" ? undefined : end;
}

function climbs(part: Node, following: Following): boolean {
  return textOfParts([part], following).includes("..");
}

/** Returns the known texts of parts of a path. */
function textOfParts(parts: readonly Node[], following: Following): string {
  return parts
    .flatMap((part) => {
      const words = wordsOf(part, following);
      const rest = words?.partial === false ? [] : cookedIn(part).slice(1);
      return [words?.text ?? "", ...rest];
    })
    .join("/");
}

/**
 * Returns the known texts after the first unknown one.
 * @param next the number of parts up to the one that contains it
 */
function afterUnknown(
  parts: readonly Node[],
  next: number,
  following: Following,
): string {
  const own = parts[next - 1];
  const rest = own ? cookedIn(own).slice(1) : [];
  return `${rest.join("/")}/${textOfParts(parts.slice(next), following)}`;
}

function ofUrl(node: Node, following: Following): Place | undefined {
  const [first, second] = listOf(node, "arguments");
  const base =
    nameOf(node["callee"]) === "URL" ? placeOf(second, following) : undefined;
  const text = wordsOf(first, following);
  if (!first || !base || base.partial) return undefined;
  const folder = base.text.endsWith("/") ? base.text : posix.dirname(base.text);
  const { isOwn } = base;
  if (!text) {
    const place = climbing(`${folder}/`, true, base.words);
    return place && { ...place, isOwn };
  }
  const isFolder = /(^|\/)\.{0,2}$/.test(text.text);
  const path = `${folder}/${text.text}${isFolder ? "/" : ""}`;
  const place = climbing(path, text.partial, first);
  const goesOn = text.partial && /^[/\\]./.test(endOf(first));
  const { isArgument } = text;
  return (
    place && {
      ...lifted(place, cookedIn(first).slice(1).join("/")),
      ...{ goesOn, isArgument, isOwn },
    }
  );
}

function ofTemplate(node: Node, following: Following): Place | undefined {
  const quasis = cookedIn(node);
  const [before, after, end = ""] = quasis;
  const [first, second] = listOf(node, "expressions");
  if (before !== "" || after === undefined) return undefined;
  const start = placeOf(first, following);
  const place = continued(start, after, second !== undefined, node);
  if (!place) return undefined;
  const isWhole = isWholePart(after, quasis.slice(2));
  const isOfArgument = place.isArgument
    ? isWholePart("/", quasis.slice(1))
    : isWhole && following.isArgument(second, following);
  const made = {
    ...place,
    goesOn: /^[/\\]./.test(start?.partial ? after : end),
    last: place.partial ? tailOf(node, following) : undefined,
    isArgument: isOfArgument,
  };
  return lifted(made, quasis.slice(2).join("/"));
}

/** Returns the known end of a template that begins with a path: `/src/*.mdx` of `` `${dir}/src/${PAGES}` ``. */
function tailOf(template: Node, following: Following): string {
  const expressions = listOf(template, "expressions");
  let tail = "";
  for (const [index, text] of cookedIn(template).toReversed().entries()) {
    tail = text + tail;
    const words = wordsOf(expressions.at(-1 - index), following);
    if (!words || words.partial) break;
    tail = words.text + tail;
  }
  return tail;
}

function ofSum(node: Node, following: Following): Place | undefined {
  const right = wordsOf(node["right"], following);
  const left = placeOf(node["left"], following);
  // `root + path.sep` is the folder itself.
  if (left && nameOf(node["right"]) === "sep") return left;
  if (left && !right)
    return {
      ...left,
      partial: true,
      isArgument:
        !left.partial &&
        left.text.endsWith("/") &&
        following.isArgument(node["right"], following),
    };
  if (!right || textOf(node["left"]) !== undefined) return undefined;
  const last = node["right"] as Node;
  const after = [right.text, ...cookedIn(last).slice(1)];
  const made = left?.partial
    ? left
    : continued(left, right.text, right.partial, last);
  const place = made && climbingAgain(made, after.slice(left?.partial ? 0 : 1));
  return (
    place && {
      ...place,
      isArgument: left?.isArgument
        ? isWholePart("/", [right.text])
        : right.isArgument,
    }
  );
}

/** Returns a place as it is, or where the parts after the first unknown one lead if they go up: `__dirname + `/${x}/../../y.js``. */
function climbingAgain(place: Place, after: readonly string[]): Place {
  const end = after.join("/");
  return /(?:^|[/\\])\.\.(?:[/\\]|$)/.test(end)
    ? lifted({ ...place, goesOn: true, last: end }, end)
    : place;
}

function continued(
  start: Place | undefined,
  text: string,
  partial: boolean,
  words: Node,
): Place | undefined {
  if (start?.partial) return lifted(start, text);
  if (!start && !/^[/\\]\.\.([/\\]|$)/.test(text)) return undefined;
  const place = climbing(`${start?.text ?? "."}${text}`, partial, words);
  return place && { ...place, isCwd: start?.isCwd, isOwn: start?.isOwn };
}
