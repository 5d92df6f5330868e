import { addSetting } from "../../add-setting.js";
import { listOf, literalText, nameOf, type Node } from "../ast.js";
import type { Collector } from "../../positions.js";

const METHODS = /^(?:extends|plugins)$/;
const NAME = /^(?:plugin:)?@?[\w-][\w./-]*$/;

/** Notes the shared settings that ESLint's FlatCompat loads by the names of the old settings: `compat.extends("x")`. */
export function addCompat(call: Node, found: Collector): void {
  const method = nameOf(call["callee"]);
  if (!METHODS.test(method) || !found.text.includes("FlatCompat")) return;
  for (const arg of listOf(call, "arguments")) {
    const text = literalText(arg);
    if (text !== undefined && NAME.test(text))
      addSetting(method, { text, offset: arg.start + 1 }, found);
  }
}
