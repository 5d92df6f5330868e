import { dotted, listOf, nameOf, type Node } from "../ast.js";
import { chosen, valueOf, type Following } from "./following.js";

/**
 * Variables that name a folder of the user or of the machine: systems, CI engines and toolchains set them. Others may name a folder
 * of the project.
 */
const VARIABLES = String.raw`(?:HOME|USERPROFILE|HOMEPATH|TMPDIR|TMP|TEMP|APPDATA|LOCALAPPDATA|ProgramData|PROGRAMFILES|XDG_(?:CACHE|CONFIG|DATA|STATE)_HOME|XDG_RUNTIME_DIR|RUNNER_TEMP|RUNNER_TOOL_CACHE|AGENT_TOOLSDIRECTORY|AGENT_TEMPDIRECTORY|ANDROID_HOME|ANDROID_SDK_ROOT|JAVA_HOME|CARGO_HOME)`;
const VARIABLE = new RegExp(String.raw`^process\.env\.${VARIABLES}$`);
/** Functions that return such a folder. */
const FOLDER = /^(?:(?:os\.)?(?:homedir|tmpdir))$/;
/** In files without these words, no path begins outside of the project. */
const MAY_BE_OUTSIDE = new RegExp(
  String.raw`["'](?:node:)?os["']|process\.env\.${VARIABLES}\b`,
);
/** A function of the file that has the name of Node's. */
const OWN_FUNCTION =
  /\bfunction\s+(?:homedir|tmpdir)\b|\b(?:homedir|tmpdir)\s*[=:(][^)]/;
/** Functions whose result begins where their first argument begins. */
const SAME_BEGINNING =
  /^(?:join|resolve|normalize|toNamespacedPath|realpathSync|realpath|mkdtemp|mkdtempSync|dirname|String)$/;

/** Returns whether a program may make paths that begin in a folder of the user or of the machine. */
export function mayBeOutside(text: string): boolean {
  return MAY_BE_OUTSIDE.test(text) && !OWN_FUNCTION.test(text);
}

/**
 * Returns whether a path begins in a folder of the user or of the machine: `homedir()`, `join(tmpdir(), name)`,
 * `process.env.RUNNER_TEMP`. It then leads to no file of the project, however far up it goes.
 */
export function isOutside(value: unknown, following: Following): boolean {
  const node = chosen(value, following);
  if (!node) return false;
  switch (node.type) {
    case "AwaitExpression":
    case "TSAsExpression":
    case "TSNonNullExpression":
      return isOutside(node["argument"] ?? node["expression"], following);
    case "MemberExpression":
      return VARIABLE.test(dotted(node));
    case "Identifier":
      return isName(node, following);
    case "CallExpression": {
      const [first] = listOf(node, "arguments");
      return first === undefined
        ? FOLDER.test(dotted(node["callee"]))
        : SAME_BEGINNING.test(nameOf(node["callee"])) &&
            isOutside(first, following);
    }
    case "TemplateLiteral": {
      const [before] = listOf(node, "quasis");
      const { cooked } = (before?.["value"] ?? {}) as { cooked?: string };
      return (
        cooked === "" && isOutside(listOf(node, "expressions")[0], following)
      );
    }
    case "BinaryExpression":
      return node["operator"] === "+" && isOutside(node["left"], following);
    default:
      return false;
  }
}

/** Returns whether all values of a constant are such paths. */
function isName(name: Node, following: Following): boolean {
  const binding = following.scope?.find(nameOf(name));
  return (
    binding?.isComplete === true &&
    valueOf(binding, following, isOutside) === true
  );
}
