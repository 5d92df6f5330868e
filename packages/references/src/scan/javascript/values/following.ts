import {
  listOf,
  textOf,
  unwrap,
  type BeginningText,
  type Node,
} from "../ast.js";
import type { Binding, Scope } from "./scopes.js";
import type { BranchChoices } from "./branch-choices.js";

/** The state of following one file's expressions: where names are looked up, and which branches are looked at. */
export interface Following {
  /** The scopes of the file by the nodes that open them; empty if no name of the file can hold a path. */
  readonly scopes: ReadonlyMap<Node, Scope>;
  /** The scopes around the present one, outermost first. */
  readonly outer: Scope[];
  /** The scope in which names are looked up. */
  scope: Scope | undefined;
  /** Returns whether an expression is one argument of the process, as it was given. */
  readonly isArgument: (node: unknown, following: Following) => boolean;
  /** Names that are being looked up. A name whose value uses the name itself gets no second value. */
  readonly asked: Set<Binding>;
  readonly choices: BranchChoices;
}

/** Returns the branch of an expression that is looked at; the expression itself if it has no branches. */
export function chosen(value: unknown, following: Following): Node | undefined {
  const node = unwrap(value);
  const branches =
    node?.type === "ConditionalExpression"
      ? [node["consequent"], node["alternate"]]
      : node?.type === "LogicalExpression"
        ? [node["left"], node["right"]]
        : undefined;
  if (!node || !branches) return node;
  const choice = following.choices.at(node, branches.length);
  return choice === undefined ? undefined : chosen(branches[choice], following);
}

/** Asks a question about the value of a name, in the scope where the name is set. */
export function valueOf<Answer>(
  binding: Binding | undefined,
  following: Following,
  ask: (node: Node, following: Following) => Answer | undefined,
): Answer | undefined {
  const { asked, choices, scope } = following;
  if (!binding || asked.has(binding)) return undefined;
  const { values } = binding;
  // All parameters of a function have the values of the same call.
  const place = binding.callee ?? binding;
  const choice = values.length > 1 ? choices.at(place, values.length) : 0;
  const value = choice === undefined ? undefined : values[choice];
  if (!value) return undefined;
  asked.add(binding);
  following.scope = value.scope;
  const answer = ask(value.node, following);
  following.scope = scope;
  asked.delete(binding);
  return answer;
}

/** Returns the text of a string, also of a string that a constant holds. */
export function wordsOf(
  value: unknown,
  following: Following,
): BeginningText | undefined {
  const node = chosen(value, following);
  if (node?.type === "TemplateLiteral") return wordsOfTemplate(node, following);
  if (node?.type === "BinaryExpression") return wordsOfSum(node, following);
  if (node?.type !== "Identifier") return textOf(node);
  const binding = following.scope?.find(String(node["name"]));
  return binding?.isComplete ? valueOf(binding, following, wordsOf) : undefined;
}

function wordsOfSum(
  sum: Node,
  following: Following,
): BeginningText | undefined {
  const left =
    sum["operator"] === "+" ? wordsOf(sum["left"], following) : undefined;
  if (!left || left.partial) return left;
  const right = wordsOf(sum["right"], following);
  return right
    ? { text: left.text + right.text, partial: right.partial }
    : { text: left.text, partial: true };
}

/** Returns the texts between the substitutions of a template. */
export function cookedIn(template: Node): readonly string[] {
  return listOf(template, "quasis").map(
    ({ value }) => (value as { cooked?: string | null }).cooked ?? "",
  );
}

/**
 * Returns whether a substitution is a whole part of a path that then goes no higher.
 * @param after the texts after it
 */
export function isWholePart(
  before: string,
  [next = "", ...after]: readonly string[],
): boolean {
  return (
    /(?:^|[/\\])$/.test(before) &&
    /^(?:[/\\]|$)/.test(next) &&
    ![next, ...after].some((text) => text.includes(".."))
  );
}

function wordsOfTemplate(
  template: Node,
  following: Following,
): BeginningText | undefined {
  const expressions = listOf(template, "expressions");
  const quasis = cookedIn(template);
  let text = "";
  for (const [index, quasi] of quasis.entries()) {
    text += quasi;
    const expression = expressions[index];
    if (!expression) break;
    const words = wordsOf(expression, following);
    text += words?.text ?? "";
    if (words && !words.partial) continue;
    const isArgument =
      !words &&
      isWholePart(text, quasis.slice(index + 1)) &&
      following.isArgument(expression, following);
    return text === "" ? undefined : { text, partial: true, isArgument };
  }
  return { text, partial: false };
}
