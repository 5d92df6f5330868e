import type { Collector } from "../../positions.js";
import { isNode, listOf, literalText, nameOf, type Node } from "../ast.js";

/** Fields of plug-ins with options of Babel: `react({ babel: { … } })`. */
const OPTIONS = /^babel(?:Options|Config)?$/;
/** Options that let Babel look for its settings elsewhere than in the current directory. */
const ELSEWHERE = /^(?:rootMode|root|cwd|configFile)$/;

/**
 * Notes that options let Babel look for its settings in another folder, as a use of Babel itself: some plug-ins that call Babel
 * look for none unless an option tells them to.
 */
export function addBabelRoot(property: Node, found: Collector): void {
  const { value } = property as Node & Record<"value", unknown>;
  if (!isNode(value)) return;
  const name = nameOf(property["key"]);
  const isMeant =
    (name === "rootMode" &&
      literalText(value)?.startsWith("upward") === true) ||
    (OPTIONS.test(name) &&
      listOf(value, "properties").some(
        ({ key, value: option }) =>
          ELSEWHERE.test(nameOf(key)) &&
          isNode(option) &&
          option["value"] !== false,
      ));
  if (isMeant) found.add("@babel/core", "name-string", property.start);
}
