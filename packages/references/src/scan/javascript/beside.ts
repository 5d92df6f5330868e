import { BESIDE } from "../../reference.js";
import { endOf, listOf, type BeginningText, type Node } from "./ast.js";
import type { Place } from "./values/place.js";
import type { Collector } from "../positions.js";

const SIBLING = /^(?:\.\.\/)+$/;

/** Returns the folder above, if a string begins with it and nothing more of it is known: `../${name}`. */
export function aboveIn({ text, partial }: BeginningText): string | undefined {
  return partial && text === "../" ? text : undefined;
}

/**
 * Notes that a path may lead to a package beside this one, if only a folder above is known of it: `join(__dirname, "..", name)`.
 * In settings, it usually does. In other files, it counts if the file doesn't compute the name.
 */
export function addBeside(
  { text, partial, isOwn }: Place,
  expression: Node,
  offset: number,
  isSettings: boolean,
  found: Collector,
): void {
  if (!partial || !SIBLING.test(text)) return;
  const isNamed = listOf(expression, "arguments").at(-1)?.type === "Identifier";
  if (isSettings) found.add(text, "glob", offset, true, "/package.json");
  else if (isOwn === true && isNamed)
    found.add(text, "glob", offset, true, BESIDE, { fromFile: true });
}

/**
 * Notes the same of a template that goes on after the name: `` `../../${name}/x.js` ``.
 * @returns whether it gives no other clue: the folder above is where the package's own folders are
 */
export function addBesideText(
  text: BeginningText,
  literal: Node,
  found: Collector,
): boolean {
  if (text.partial && SIBLING.test(text.text) && /^[/\\]./.test(endOf(literal)))
    found.add(text.text, "glob", literal.start + 1, true, BESIDE);
  return aboveIn(text) !== undefined;
}
