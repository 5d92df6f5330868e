import { listOf, literalText, nameOf, type Node } from "../ast.js";
import { addEslintName, NAMING_FIELDS } from "../../settings/eslint-names.js";
import { addSetting } from "../../add-setting.js";
import type { Collector } from "../../positions.js";

const NAME = /^(?:plugin:)?@?[\w-][\w./-]*$/;

/** Notes the shared settings that ESLint's FlatCompat loads by the names of the old settings: `compat.extends("x")`. */
export function addCompat(
  call: Node,
  found: Collector,
  handled: Set<Node>,
): void {
  const method = NAMING_FIELDS.find((name) => name === nameOf(call["callee"]));
  if (!method || !found.text.includes("FlatCompat")) return;
  for (const arg of listOf(call, "arguments")) {
    const text = literalText(arg);
    if (text === undefined || !NAME.test(text)) continue;
    const string = { text, offset: arg.start + 1 };
    if (addEslintName(method, string, found)) handled.add(arg);
    else addSetting(method, string, found);
  }
}
