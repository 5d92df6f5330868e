import {
  dotted,
  isNode,
  listOf,
  literalText,
  nameOf,
  nameOfKey,
  nodesOf,
  withoutTypes,
  type Node,
} from "../ast.js";
import { cookedIn } from "../values/following.js";
import { COVERAGE_SIGN } from "../../../reference.js";
import { propertiesOf, readJson, type JsonNode } from "../../json.js";
import { addSelectedPath, pathIn } from "../../path-strings.js";
import type { Collector } from "../../positions.js";
import { blank } from "../../wild.js";

/** Fields by which settings choose files or packages: tools judge or skip what matches, and load none of it. */
const SELECTING: ReadonlySet<string> = new Set(
  `allowDefaultProject collectCoverageFrom files include includes only overrides projects sourceType spec test
  testMatch testRegex workspaces`.split(/\s+/),
);

/**
 * `ignore`, `ignorePatterns`, `exclude`, `testPathIgnorePatterns`, …: the program doesn't read files that match. It does read
 * the file that `ignorePath` names. A bundler leaves `external` packages out, or not, if sources import them.
 */
const IGNORES =
  /^(?:ignore(?:s|(?!Path$)[A-Z]\w*)?|exclude\w*|\w+IgnorePatterns|externals?|noExternal)$/;

/** Options of an ESLint rule that compares paths with them. */
const COMPARED = "zones";
/** Fields that a program shows to people or to editors. */
const DESCRIBING = /^(?:\$schema|displayName)$/;
/** Rules of ESLint, oxlint, Biome and TSLint that only compare names or paths with those in their options. */
const COMPARING =
  /(?:^|\/)(?:no-restricted-[\w-]+|noRestricted\w+|no-submodule-imports|no-implicit-dependencies|import-blacklist)$/;
const MAY_RESTRICT =
  /"[\w@/-]*(?:no-?[rR]estricted|no-submodule-imports|no-implicit-dependencies|import-blacklist)/;

/**
 * Notes the patterns of a property that only selects files: strings, lists of strings, and joined paths. Strings that it has
 * handled are added to `handled`.
 * @returns whether the property only selects files
 */
export function addSelection(
  property: Node,
  found: Collector,
  handled: Set<Node>,
): boolean {
  const name = nameOfKey(property);
  if (name === undefined) return false;
  if (ignoresStrings(name)) {
    skipStrings(property["value"], found, handled);
    return true;
  }
  // The keys are names of rules: `"@acme/some-rule": "error"`.
  if (name === "rules" && isNode(property["value"]))
    for (const { key } of listOf(property["value"], "properties"))
      skipStrings(key, found, handled);
  if (name === COVERAGE) addCoverage(property["value"], found, handled);
  if (isMeasuring(name) && !isFalse(property["value"]))
    found.add(COVERAGE_SIGN, "program", property.start);
  if (!isSelecting(name)) return false;
  const purpose = IGNORES.test(name)
    ? "ignores"
    : isCovered(name)
      ? "covers"
      : "selects";
  addSelected(property["value"], purpose, found, handled);
  return true;
}

/** Vitest's settings of coverage. */
const COVERAGE = "coverage";

/** Notes Vitest's settings of coverage: it reads the files that `include` selects only if it measures their coverage. */
function addCoverage(
  value: unknown,
  found: Collector,
  handled: Set<Node>,
): void {
  const settings = withoutTypes(value);
  for (const field of settings ? listOf(settings, "properties") : []) {
    const name = nameOfKey(field);
    if (name === "include")
      addSelected(field["value"], "covers", found, handled);
    if (name === "enabled" && !isFalse(field["value"]))
      found.add(COVERAGE_SIGN, "program", field.start);
  }
}

function isFalse(value: unknown): boolean {
  return isNode(value) && value["value"] === false;
}

/** Returns whether a field selects files that Jest reads only if it measures their coverage, by the field's name. */
export function isCovered(field: string): boolean {
  return field === "collectCoverageFrom";
}

/** Returns whether a field tells Jest to measure coverage, unless it is false. */
export function isMeasuring(field: string): boolean {
  return field === "collectCoverage";
}

/** Notes that no string of a value refers to anything: an ESLint rule compares paths with the patterns in its `zones`. */
function skipStrings(
  value: unknown,
  found: Collector,
  handled: Set<Node>,
): void {
  if (!isNode(value)) return;
  handled.add(value);
  if (literalText(value) !== undefined) found.skip(value.start + 1);
  for (const child of nodesOf(value)) skipStrings(child, found, handled);
}

/** Notes that the name of a part of ESLint's settings is only shown to people: `{ name: "website/pages", rules: {} }`. */
export function skipLabel(
  object: Node,
  found: Collector,
  handled: Set<Node>,
): void {
  const fields = listOf(object, "properties");
  if (fields.some((field) => nameOfKey(field) === "rules"))
    for (const field of fields)
      if (nameOfKey(field) === "name")
        skipStrings(field["value"], found, handled);
}

/** Notes files that Storybook searches in another folder: `{ directory: "../b", files: "*.mdx" }`. */
export function addStories(
  object: Node,
  found: Collector,
  handled: Set<Node>,
): void {
  const [directory, files] = ["directory", "files"].map((name) =>
    listOf(object, "properties").find((field) => nameOfKey(field) === name),
  );
  const folder = literalText(directory?.["value"]);
  const pattern = files?.["value"];
  const text = literalText(pattern);
  if (!isNode(pattern) || folder === undefined || text === undefined) return;
  const path = pathIn(`${folder.replace(/\/$/, "")}/${text}`);
  if (path === undefined) return;
  handled.add(pattern);
  addSelectedPath(path, pattern.start + 1, found);
}

/** Returns whether a field's strings are only shown, or compared with others, by the field's name. */
export function ignoresStrings(field: string): boolean {
  return field === COMPARED || COMPARING.test(field) || DESCRIBING.test(field);
}

/** Returns whether nothing in a field of settings refers to anything, by the field's name. */
export function ignoresAll(field: string): boolean {
  return ignoresStrings(field) || IGNORES.test(field);
}

/** Returns whether a field of settings only selects files, by its name. */
export function isSelecting(field: string): boolean {
  return SELECTING.has(field) || IGNORES.test(field);
}

/**
 * Functions that take such patterns, and variables that contain some, or names of packages: ESLint's `globalIgnores`,
 * `ignoredPaths`, `packagesToIgnore`, `EXCLUDED_PACKAGES`.
 */
const IGNORING =
  /^(?:globalIgnores|(?:ignored?|excluded?|\w+(?:Ignored?|Excluded?))[A-Z]\w*|\w+To(?:Ignore|Exclude)|(?:\w+_)?(?:IGNORED?|EXCLUDED?)_\w+)$/;

/** Does the same for a call, or for a variable's first value, whose name shows that what it lists is excluded. */
export function addIgnored(
  name: string,
  values: readonly unknown[],
  found: Collector,
  handled: Set<Node>,
): void {
  if (!IGNORING.test(name)) return;
  for (const value of values) {
    let list = withoutTypes(value);
    // `new Set([…])`
    if (list?.type === "NewExpression")
      list = withoutTypes(listOf(list, "arguments")[0]);
    if (list?.type === "ArrayExpression")
      addSelected(list, "ignores", found, handled);
    if (list?.type === "ObjectExpression")
      for (const property of listOf(list, "properties"))
        for (const part of [property["key"], property["value"]])
          addSelected(part, "ignores", found, handled);
  }
}

function addSelected(
  value: unknown,
  purpose: "selects" | "covers" | "ignores",
  found: Collector,
  handled: Set<Node>,
): void {
  const ignores = purpose === "ignores";
  for (const string of stringsIn(value)) {
    if (handled.has(string)) continue;
    const text = literalText(string);
    if (text === undefined) {
      if (ignores) skipParts(string, found, handled);
      else if (isBelowCwd(string)) takeAll(string, handled);
      continue;
    }
    for (const part of [string, ...nodesOf(string)]) handled.add(part);
    const path =
      pathIn(text) ?? (/^[\w@*][^\s:]*\//.test(text) ? `./${text}` : undefined);
    if (ignores) found.skip(string.start + 1);
    else if (path !== undefined)
      addSelectedPath(path, string.start + 1, found, purpose === "covers");
  }
}

const PART_OF_PATTERN =
  /^(?:Literal|TemplateLiteral|BinaryExpression|ConditionalExpression|ArrayExpression|MemberExpression|ParenthesizedExpression)$/;

/** Notes that no string in a computed pattern refers to anything: `"/node_modules/(?!" + ["@m/a"].join("|") + ")"`. */
function skipParts(pattern: Node, found: Collector, handled: Set<Node>): void {
  const isPart =
    pattern.type === "CallExpression"
      ? nameOf(pattern["callee"]) === "join"
      : PART_OF_PATTERN.test(pattern.type);
  if (!isPart) return;
  handled.add(pattern);
  if (literalText(pattern) !== undefined) found.skip(pattern.start + 1);
  for (const part of nodesOf(pattern)) skipParts(part, found, handled);
}

/**
 * Returns whether a pattern begins at the current directory, which is the folder of the package that uses the settings:
 * `` `${process.cwd()}/.+\\.spec\\.ts` ``.
 */
function isBelowCwd(pattern: Node): boolean {
  const [before, ...after] = cookedIn(pattern);
  const [first] = listOf(pattern, "expressions");
  return (
    before === "" &&
    dotted(first?.["callee"]) === "process.cwd" &&
    !after.some((text) => text.includes("../"))
  );
}

function takeAll(node: Node, handled: Set<Node>): void {
  handled.add(node);
  for (const part of nodesOf(node)) takeAll(part, handled);
}

/** Methods that make a list from another one. */
const MAKE_LISTS = /^(?:map|filter|concat|flat|flatMap|sort)$/;

/** Returns the strings of a value, also of `["x", y ? "z" : null].filter(Boolean).map(normalize)`. */
function stringsIn(value: unknown): readonly Node[] {
  if (!isNode(value)) return [];
  switch (value.type) {
    case "ArrayExpression":
      return listOf(value, "elements").flatMap(stringsIn);
    case "ConditionalExpression":
      return [value["consequent"], value["alternate"]].flatMap(stringsIn);
    case "ParenthesizedExpression":
    case "TSAsExpression":
    case "TSSatisfiesExpression":
      return stringsIn(value["expression"]);
    case "CallExpression": {
      const { callee } = value;
      if (nameOf(callee) === "join") return [value];
      return isNode(callee) && MAKE_LISTS.test(nameOf(callee))
        ? stringsIn(callee["object"])
        : [];
    }
    default:
      return [value];
  }
}

/**
 * Replaces lists of files that a program tests or checks by spaces: `files:` in `.taprc`, which is YAML. Paths that go up stay,
 * because the program reads these files. In JSON, only lists of files that the program doesn't read are replaced.
 */
export function withoutSelected(text: string): string {
  return withoutIgnored(text).replaceAll(
    /^([\w-]+):[ \t]*\n(?:[ \t]*-(?!.*\.\.\/).*(?:\n|$))+/gm,
    (list, field: string) => (isSelecting(field) ? blank(list) : list),
  );
}

/** Fields whose value is a list of strings in JSON. */
const JSON_LIST = /"([\w-]+)"\s*:\s*\[(?:"(?:[^"\\\n]|\\.)*"|[\s,])*\]/g;

/**
 * Replaces lists of files that no program reads by spaces: `"ignorePatterns": ["packages/b/**"]` in JSON; and options of rules that
 * only compare names, and comments.
 */
export function withoutIgnored(whole: string): string {
  const text = withoutRestricted(withoutComments(whole));
  return /"(?:ignore|exclude|\w+IgnorePatterns)/.test(text)
    ? text.replaceAll(JSON_LIST, (list, field: string) =>
        IGNORES.test(field) ? blank(list) : list,
      )
    : text;
}

/** Replaces options in JSON of rules that only compare names with them by spaces. */
function withoutRestricted(text: string): string {
  if (!MAY_RESTRICT.test(text)) return text;
  let rest = text;
  const visit = (node: JsonNode | undefined): void => {
    if (node?.type === "array")
      for (const each of node.children ?? []) visit(each);
    for (const { key, value } of propertiesOf(node))
      if (COMPARING.test(key)) {
        const end = value.offset + value.length;
        const options = blank(text.slice(value.offset, end));
        rest = rest.slice(0, value.offset) + options + rest.slice(end);
      } else visit(value);
  };
  visit(readJson(text));
  return rest;
}

const STRING_OR_COMMENT = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[^]*?\*\//g;

/** The beginning of a comment, or of a pattern; an address has a protocol before it. */
const MAY_COMMENT = /(?<![A-Za-z]:)\/[/*]/;

/** Replaces comments in JSON by spaces. */
function withoutComments(text: string): string {
  if (!/^\s*[{[/]/.test(text) || !MAY_COMMENT.test(text)) return text;
  const plain = text.replaceAll(STRING_OR_COMMENT, (part) =>
    part.startsWith('"') ? part : blank(part),
  );
  return /^\s*(?:\{\s*["}]|\[\s*["{])/.test(plain) ? plain : text;
}
