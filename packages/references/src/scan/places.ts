import { posix } from "node:path";
import {
  dotted,
  listOf,
  nameOf,
  textOf,
  unwrap,
  type BeginningText,
  type Node,
} from "./ast.js";
import { climbing, parentOf, type Place } from "./place.js";
import { readScopes, type Binding, type Scope } from "./scopes.js";
import { openTurns } from "./turns.js";

/** What the paths of one file's expressions come to, by the names that it gives them. */
export interface Places {
  /** Enters a node that the walk comes to, so that names mean what they mean in there. @returns whether it is to be left */
  enter(node: Node): boolean;
  leave(): void;
  /**
   * All that an expression may come to: one place for each branch of `a ? b : c` and `a ?? b`, and for each value of a
   * variable. None for what is no path, or begins nobody knows where.
   */
  all(node: unknown): readonly Place[];
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

/** In other files no name stands for a place. */
const MAKES_PLACES =
  /__dirname|__filename|import\.meta|process\.cwd|PROJECT_CWD|\b(?:join|resolve)\(|["'`}]\/\.\./;
/** Combinations of branches that are looked at. Of an expression with more, no branch is known. */
const MOST_TURNS = 32;

/**
 * Follows a file's own folder through `path.join`, `dirname`, `new URL`, templates, sums and variables. Where a path begins
 * with something else and climbs (`join(root, "../x")`, `root + "/../x"`), that is taken for the file's folder.
 * @param text the whole file
 */
export function openPlaces(program: Node, text: string): Places {
  const scopes = MAKES_PLACES.test(text)
    ? readScopes(program)
    : new Map<Node, Scope>();
  const entered: Scope[] = [];
  let scope = scopes.get(program);
  /** Names that are being looked up: one that is made of itself says no more than its first value. */
  const asked = new Set<Binding>();
  const turns = openTurns(MOST_TURNS);
  return {
    enter(node) {
      const inner = scopes.get(node);
      if (!inner || !scope) return false;
      entered.push(scope);
      scope = inner;
      return true;
    },
    leave() {
      scope = entered.pop();
    },
    all: (node) => turns.all(() => of(node)),
  };

  function of(value: unknown): Place | undefined {
    const node = chosen(value);
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

  /** The branch of an expression that is looked at. */
  function chosen(value: unknown): Node | undefined {
    const node = unwrap(value);
    const branches =
      node?.type === "ConditionalExpression"
        ? [node["consequent"], node["alternate"]]
        : node?.type === "LogicalExpression"
          ? [node["left"], node["right"]]
          : undefined;
    if (!node || !branches) return node;
    const turn = turns.at(node, branches.length);
    return turn === undefined ? undefined : chosen(branches[turn]);
  }

  /** The words of a string, also of one that a constant holds. */
  function wordsOf(value: unknown): BeginningText | undefined {
    const node = chosen(value);
    if (node?.type === "TemplateLiteral") return wordsOfTemplate(node);
    if (node?.type !== "Identifier") return textOf(node);
    const binding = scope?.find(String(node["name"]));
    return binding?.isComplete ? valueOf(binding, wordsOf) : undefined;
  }

  function wordsOfTemplate(template: Node): BeginningText | undefined {
    const expressions = listOf(template, "expressions");
    let text = "";
    for (const [index, quasi] of listOf(template, "quasis").entries()) {
      text += (quasi["value"] as { cooked?: string | null }).cooked ?? "";
      const expression = expressions[index];
      if (!expression) break;
      const words = wordsOf(expression);
      text += words?.text ?? "";
      if (!words || words.partial)
        return text === "" ? undefined : { text, partial: true };
    }
    return { text, partial: false };
  }

  /** Asks about the value of a name, where it is set. */
  function valueOf<Answer>(
    binding: Binding | undefined,
    ask: (node: Node) => Answer | undefined,
  ): Answer | undefined {
    if (!binding || asked.has(binding)) return undefined;
    const { values } = binding;
    const turn = values.length > 1 ? turns.at(binding, values.length) : 0;
    const value = turn === undefined ? undefined : values[turn];
    if (!value) return undefined;
    asked.add(binding);
    const outer = scope;
    ({ scope } = value);
    const answer = ask(value.node);
    scope = outer;
    asked.delete(binding);
    return answer;
  }

  function ofName(node: Node): Place | undefined {
    const name = dotted(node);
    const text = Object.hasOwn(HERE, name) ? HERE[name] : undefined;
    if (text !== undefined) return { text, partial: false };
    if (node.type === "Identifier") return valueOf(scope?.find(name), of);
    return /\.(pathname|href)$/.test(name)
      ? of(node["object"])
      : ofField(node["object"], nameOf(node));
  }

  /** `paths.root`, where `paths` is an object that the file makes. */
  function ofField(object: unknown, field: string): Place | undefined {
    const node = unwrap(object);
    if (node?.type !== "Identifier") return undefined;
    const [value] = scope?.find(String(node["name"]))?.values ?? [];
    if (value?.node.type !== "ObjectExpression") return undefined;
    const property = listOf(value.node, "properties").find(
      ({ key }) => nameOf(key) === field,
    );
    return of(property?.["value"]);
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
    const isUnknown = !start && !wordsOf(args[0]);
    const parts = start ? [start.text] : [];
    let partial = start?.partial ?? false;
    let words = start?.words;
    const rest = args.slice(start || isUnknown ? 1 : 0);
    const unknown = rest.findIndex((arg) => !wordsOf(arg));
    const goesOn =
      unknown >= 0 && rest.slice(unknown + 1).some((arg) => wordsOf(arg));
    for (const arg of rest) {
      const text = partial ? undefined : wordsOf(arg);
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
    const text = wordsOf(first);
    if (!first || !base || base.partial) return undefined;
    const folder = base.text.endsWith("/")
      ? base.text
      : posix.dirname(base.text);
    if (!text) return climbing(`${folder}/`, true, base.words);
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
    const right = wordsOf(node["right"]);
    const left = of(node["left"]);
    // `root + path.sep` is the folder itself.
    if (left && nameOf(node["right"]) === "sep") return left;
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
