import {
  withSuffix,
  type FileFacts,
  type Reference,
} from "../../../reference.js";
import { loadsNames, startsCommands } from "../compared/used-names.js";

/** Libraries that list the packages of a workspace. */
const LIBRARIES =
  /^(?:@manypkg\/get-packages|@npmcli\/map-workspaces|@pnpm\/(?:workspace\.)?find-(?:workspace-)?packages|workspace-tools(?:-[\w-]+)?|@lerna\/project|get-monorepo-packages|find-workspaces|pkg-workspaces)$/;
const FUNCTIONS = String.raw`(?:getPackage(?:s|Infos)|getWorkspace(?:s|Packages|Infos)|mapWorkspaces|find(?:Workspaces|WorkspacePackages)(?:NoCheck)?|getMonorepoPackages)(?:Async|Sync)?`;
/** How a folder begins that certainly belongs to the workspace of the file. */
const HERE = String.raw`(?:process\.cwd\(|__dirname|import\.meta\.|["'\`]\.|(?:path\.|require\([^()]*\)\.)?(?:join|resolve)\()`;
/**
 * A call of one of their functions for the workspace of the file. If the folder is a parameter, it is usually that of another
 * workspace.
 */
const LISTS = new RegExp(
  String.raw`(?:\b${FUNCTIONS}|["'][\w./@-]+["']\))\(\s*(?:\)|${HERE}|\{[^]{0,200}?\bcwd:\s*${HERE})`,
);
/** A call for the root of the workspace in which the file or the process is. */
const FINDS_ROOT = String.raw`(?:[\w.]+\.)?(?:find|get)(?:Git|Project|Package|Workspace|Workspaces|Repo|Monorepo)?(?:Manager)?Root(?:Sync)?\(\s*(?:\)|${HERE})`;
/** A call for a folder that another call finds, or that a constant holds; the constant's name is the first group. */
const LISTS_FOUND = new RegExp(
  String.raw`\b${FUNCTIONS}\(\s*(?:${FINDS_ROOT}|([\w$]+)\s*[,)])`,
  "g",
);
/** Calls whose result is a constant, or of which only the names of packages are used. */
const RESULTS = new RegExp(
  String.raw`\b(?:const|let|var)\s+([\w$]+)\s*(?::[^=\n]*)?=\s*(?:await\s+)?(?:\w+\.)?${FUNCTIONS}\(`,
  "g",
);
const NAMES_OF_RESULT = new RegExp(
  String.raw`\bObject\.keys\(\s*${FUNCTIONS}\(`,
  "g",
);
const CALLS = new RegExp(String.raw`\b${FUNCTIONS}\(`, "g");
/** A line of a comment. */
const COMMENT = /^[ \t]*(?:\*\s|\/\/).*$/gm;
/** The manifest of a folder above the package, and the field of it that lists packages. */
const MANIFEST_ABOVE = /(?:\.\.\/){2,}package\.json$/;
const FIELD = /\bworkspaces\b/;
/** Constraints of Yarn, and functions with which they read files of the workspaces besides the manifests. */
const CONSTRAINTS = /\bYarn\.workspaces?\(/;
const READS = /\b(?:read|exists|access|l?stat\b|open|glob)/i;

/** Returns whether a source contains constraints of Yarn, which list the workspaces. */
export function areConstraints(text: string): boolean {
  return CONSTRAINTS.test(text);
}

/** Returns a reference to all packages if a source lists the packages of the workspace. */
export function scanPackageLists(
  text: string,
  { references, opensKnown = false }: FileFacts,
): readonly Reference[] {
  const lists =
    (areConstraints(text) && mayReadOthers(text, opensKnown)) ||
    references.some(
      ({ specifier }) =>
        (LIBRARIES.test(specifier) && LISTS.test(text)) ||
        (MANIFEST_ABOVE.test(specifier) && FIELD.test(text)),
    );
  if (lists) return [allManifests("root-path")];
  if (!references.some(({ specifier }) => LIBRARIES.test(specifier))) return [];
  const code = text.replaceAll(COMMENT, "");
  const calls = listsFound(code);
  if (calls.length === 0 || usesOnlyNames(code)) return [];
  // A program lists them for its users when it is loaded. In a function, it is one command of many.
  const isOnLoad = calls.some((call) => !isInFunction(code, call));
  return [allManifests(isOnLoad ? "manifest-list" : "manifests")];
}

/** Returns whether constraints may read other files than those that their references show. */
function mayReadOthers(text: string, opensKnown: boolean): boolean {
  return (
    startsCommands(text) ||
    loadsNames(text) ||
    (!opensKnown && READS.test(text))
  );
}

/** The beginning of a block up to its brace: of a function, and of anything else with a parenthesis. */
const OF_FUNCTION = /(?:\)\s*(?::[^;{}=]*)?|=>\s*)$/;
const OF_CONTROL = /^\s*(?:else\s+)?(?:if|for|while|switch|catch|with)\b/;

/** Returns whether a place in a source is in a function, by the braces before it. */
function isInFunction(text: string, place: number): boolean {
  const blocks: boolean[] = [];
  let start = 0;
  for (let at = 0; at < place; at++) {
    const char = text[at];
    if (char === "{") {
      const before = text.slice(start, at);
      blocks.push(OF_FUNCTION.test(before) && !OF_CONTROL.test(before));
    } else if (char === "}") blocks.pop();
    if (char === "{" || char === "}" || char === ";" || char === "\n")
      start = at + 1;
  }
  return blocks.includes(true) || text.slice(start, place).includes("=>");
}

/** Returns the places at which a source lists the packages of a folder that it finds, or that a constant holds. */
function listsFound(text: string): readonly number[] {
  return Array.from(text.matchAll(LISTS_FOUND)).flatMap(({ 1: name, index }) =>
    name === undefined ||
    new RegExp(
      String.raw`\b(?:const|let|var)\s+${name.replaceAll("$", String.raw`\$`)}\b[^=\n]*=\s*(?:await\s+)?(?:${FINDS_ROOT}|${HERE})`,
    ).test(text)
      ? [index]
      : [],
  );
}

/**
 * Returns whether a source uses only the names and the folders of the packages that it lists, and nothing else of their manifests:
 * `for (const { name, packageJsonPath } of Object.values(packages))`.
 */
function usesOnlyNames(text: string): boolean {
  const results = Array.from(text.matchAll(RESULTS), ([, name = ""]) => name);
  const count = (pattern: RegExp) => Array.from(text.matchAll(pattern)).length;
  return (
    count(CALLS) === results.length + count(NAMES_OF_RESULT) &&
    results.every((result) => {
      const name = result.replaceAll("$", String.raw`\$`);
      const rest = text
        .replace(new RegExp(String.raw`\b(?:const|let|var)\s+${name}\b`), "")
        .replaceAll(
          new RegExp(
            String.raw`\bfor\s*\(\s*const\s*\{(?:\s*(?:name|packageJsonPath)\s*,?)+\s*\}\s*of\s+Object\.values\(\s*${name}\s*\)|\bObject\.keys\(\s*${name}\s*\)`,
            "g",
          ),
          "",
        );
      return !new RegExp(String.raw`(?<![\w$])${name}(?![\w$])`).test(rest);
    })
  );
}

function allManifests(
  kind: "root-path" | "manifest-list" | "manifests",
): Reference {
  return {
    specifier: withSuffix("./", "/package.json"),
    kind,
    line: 1,
    column: 1,
    partial: true,
  };
}
