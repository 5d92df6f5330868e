import { posix } from "node:path";
import {
  dotted,
  isNode,
  listOf,
  nameOf,
  textOf,
  unwrap,
  type BeginningText,
  type Node,
} from "./ast.js";

/** A path from the folder of the file that makes it, and where its words stand. */
export interface Place extends BeginningText {
  /** The first string in it, if there is one. */
  readonly words?: Node | undefined;
}

/** What the paths of one file's expressions come to, by the names that it gives them. */
export interface Places {
  /** Keeps what a variable is set to. The last of one name counts. */
  remember(declarator: Node): void;
  /** @returns undefined for what is no path, or begins nobody knows where */
  of(node: unknown): Place | undefined;
}

/** The file itself: what `__filename` and `import.meta.url` are. */
const SELF = "./.self";
const HERE: Readonly<Record<string, string>> = {
  __dirname: ".",
  "import.meta.dirname": ".",
  __filename: SELF,
  "import.meta.filename": SELF,
  "import.meta.url": SELF,
  /** Yarn sets it for every script. A path from the project's root begins with a slash here. */
  "process.env.PROJECT_CWD": "/",
};
/** Functions that say the same path in another form. */
const SAME = new Set([
  "fileURLToPath",
  "pathToFileURL",
  "realpathSync",
  "normalize",
  "toNamespacedPath",
  "String",
]);

/**
 * Follows a file's own folder through `path.join`, `dirname`, `new URL`, templates, sums and variables. Where a path begins
 * with something else and climbs (`join(root, "../x")`, `root + "/../x"`), that is taken for the file's folder.
 */
export function openPlaces(): Places {
  const names = new Map<string, Place>();
  return {
    remember(declarator) {
      const { id, init } = declarator as Node & { id?: unknown };
      if (!isNode(id) || id.type !== "Identifier") return;
      const place = of(init);
      if (place) names.set(String(id["name"]), place);
    },
    of,
  };

  function of(value: unknown): Place | undefined {
    const node = unwrap(value);
    if (!node) return undefined;
    switch (node.type) {
      case "Identifier":
      case "MemberExpression":
        return ofName(node);
      case "CallExpression":
        return ofCall(node);
      case "NewExpression":
        return ofUrl(node);
      case "TemplateLiteral":
        return ofTemplate(node);
      case "BinaryExpression":
        return node["operator"] === "+" ? ofSum(node) : undefined;
      case "TSAsExpression":
      case "TSSatisfiesExpression":
        return of(node["expression"]);
      default:
        return undefined;
    }
  }

  function ofName(node: Node): Place | undefined {
    const name = dotted(node);
    const text = Object.hasOwn(HERE, name) ? HERE[name] : undefined;
    if (text !== undefined) return { text, partial: false };
    if (node.type === "Identifier") return names.get(name);
    return /\.(pathname|href)$/.test(name) ? of(node["object"]) : undefined;
  }

  function ofCall(call: Node): Place | undefined {
    const callee = unwrap(call["callee"]);
    const args = listOf(call, "arguments");
    const name = nameOf(callee);
    switch (name) {
      case "join":
      case "resolve":
        return joined(partsOf(callee, args[0]) ?? args);
      case "dirname": {
        const place = of(args[0]);
        return place && { ...place, text: parentOf(place.text) };
      }
      case "cwd":
        return dotted(callee) === "process.cwd"
          ? { text: ".", partial: false }
          : undefined;
      default:
        return SAME.has(name) ? of(args[0]) : undefined;
    }
  }

  /** `["..", "b"].join("/")`, which is no call of Node's. */
  function partsOf(
    callee: Node | undefined,
    separator: Node | undefined,
  ): readonly Node[] | undefined {
    const array = unwrap(callee?.["object"]);
    if (array?.type !== "ArrayExpression") return undefined;
    const isPath =
      nameOf(separator) === "sep" || textOf(separator)?.text === "/";
    return isPath ? listOf(array, "elements") : [];
  }

  function joined(args: readonly Node[]): Place | undefined {
    const start = of(args[0]);
    const isUnknown = !start && !textOf(args[0]);
    const parts = start ? [start.text] : [];
    let partial = start?.partial ?? false;
    let words = start?.words;
    const rest = args.slice(start || isUnknown ? 1 : 0);
    const unknown = rest.findIndex((arg) => !textOf(arg));
    const goesOn =
      unknown >= 0 && rest.slice(unknown + 1).some((arg) => textOf(arg));
    for (const arg of rest) {
      const text = partial ? undefined : textOf(arg);
      partial ||= text?.partial ?? true;
      parts.push(text?.text ?? "");
      if (!text) break;
      words ??= arg;
    }
    const place = climbing(parts.join("/"), partial, words);
    return place && { ...place, goesOn };
  }

  function ofUrl(node: Node): Place | undefined {
    const [first, second] = listOf(node, "arguments");
    const base = nameOf(node["callee"]) === "URL" ? of(second) : undefined;
    const text = textOf(first);
    if (!base || base.partial || !text) return undefined;
    const folder = base.text.endsWith("/")
      ? base.text
      : posix.dirname(base.text);
    const isFolder = /(^|\/)\.{0,2}$/.test(text.text);
    const path = `${folder}/${text.text}${isFolder ? "/" : ""}`;
    return climbing(path, text.partial, first);
  }

  function ofTemplate(node: Node): Place | undefined {
    const [before, after, end = ""] = listOf(node, "quasis").map(
      ({ value }) => (value as { cooked?: string | null }).cooked ?? "",
    );
    const [first, second] = listOf(node, "expressions");
    if (before !== "" || after === undefined) return undefined;
    const place = continued(of(first), after, second !== undefined, node);
    return place && { ...place, goesOn: /^[/\\]./.test(end) };
  }

  function ofSum(node: Node): Place | undefined {
    const right = textOf(node["right"]);
    const left = of(node["left"]);
    if (left && !right) return { ...left, partial: true };
    return right && textOf(node["left"]) === undefined
      ? continued(left, right.text, right.partial, node["right"] as Node)
      : undefined;
  }

  function continued(
    start: Place | undefined,
    text: string,
    partial: boolean,
    words: Node,
  ): Place | undefined {
    if (start?.partial) return start;
    if (!start && !/^[/\\]\.\.([/\\]|$)/.test(text)) return undefined;
    return climbing(`${start?.text ?? "."}${text}`, partial, words);
  }
}

/** The folder above a path; that of `.` is `..`. */
function parentOf(path: string): string {
  return /(^|\/)\.{1,2}\/?$/.test(path)
    ? posix.join(path, "..")
    : posix.dirname(path);
}

function climbing(
  path: string,
  partial: boolean,
  words: Node | undefined,
): Place | undefined {
  const text = path.replaceAll("\\", "/");
  const isFromRoot = text.startsWith("/");
  if (!isFromRoot && !/^\.\.?(\/|$)/.test(text)) return undefined;
  const plain = posix.normalize(text);
  return {
    text: isFromRoot || /^\.\.?(\/|$)/.test(plain) ? plain : `./${plain}`,
    partial,
    words,
  };
}
