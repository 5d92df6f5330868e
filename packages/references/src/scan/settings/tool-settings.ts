import { COVERAGE_SIGN, type FileFacts } from "../../reference.js";
import { PACKAGE } from "../javascript/settings/bare-names.js";
import { type JsonNode, type JsonString, propertiesOf } from "../json.js";
import { addPath, pathIn, addSelectedPath } from "../path-strings.js";
import { Collector } from "../positions.js";
import {
  ignoresAll,
  isCovered,
  isMeasuring,
  isSelecting,
  withoutSelected,
} from "../javascript/settings/selecting.js";
import { eslintProjectsIn } from "./eslint-projects.js";
import { addFromBase } from "./settings-base.js";
import { addProgramsInSettings } from "../commands/started-programs.js";
import { addText, addUses } from "../text/text.js";
import {
  addToolConfig,
  addYamlConfig,
  hasAliases,
  readSettings,
} from "./tool-config.js";

/**
 * Returns the references of the settings of Jest, Babel, ESLint or Prettier: JSON, or the YAML that some of them accept under
 * the same name. As in settings that are programs, any string may be a path or a package's name.
 * @param isOfEslint whether they are ESLint's older settings
 */
export function scanToolConfig(text: string, isOfEslint = false): FileFacts {
  const found = new Collector(text);
  const root = readSettings(text);
  if (root) {
    addToolConfig(root, found, isOfEslint);
    const { used, selected } = stringsIn(root);
    for (const string of used)
      addString(string, found, "path-string", "name-string");
    addText(onlyStrings(used, text), found);
    addProgramsInSettings(text, found);
    addSelected(selected, found);
    addMeasured(root, found);
    addFromBase(found);
    for (const offset of eslintProjectsIn(root)) found.open(offset);
  } else {
    addYamlConfig(text, found);
    addText(withoutSelected(text), found);
  }
  return { references: found.references() };
}

/**
 * Notes the references of a tool's settings in a manifest.
 * @param field the field that contains them
 * @param isRoot whether the manifest is the project's: packages that use its settings only use what is noted as `config`
 */
export function addToolField(
  root: JsonNode | undefined,
  field: string,
  isRoot: boolean,
  manifest: Collector,
): void {
  if (!root) return;
  const found = new Collector(manifest.text);
  addToolConfig(root, found, field === "eslintConfig");
  const { used, selected } = stringsIn(root);
  for (const string of used)
    if (!isRoot) addString(string, found, "path-string", "name-string");
    else {
      const text = BARE_PATH.test(string.text)
        ? `./${string.text}`
        : string.text;
      addString({ ...string, text }, found, "config", "config");
    }
  addUses(onlyStrings(used, found.text), found);
  addSelected(selected, found);
  addMeasured(root, found);
  const end = root.offset + root.length;
  addFromBase(found, found.text.slice(root.offset, end));
  manifest.addPart(found, 0);
}

function addSelected(strings: readonly QuotedString[], found: Collector): void {
  for (const { text, offset, field = "" } of strings) {
    const path = pathIn(text);
    if (path !== undefined)
      addSelectedPath(path, offset, found, isCovered(field));
  }
}

/** Notes that settings tell the test runner to measure coverage. */
function addMeasured(root: JsonNode, found: Collector): void {
  for (const { key, keyNode, value } of propertiesOf(root))
    if (isMeasuring(key) && value.value !== false)
      found.add(COVERAGE_SIGN, "program", keyNode.offset);
}

/** A string in JSON with its quotes. */
interface QuotedString extends JsonString {
  readonly end: number;
  /** The field that contains it. */
  readonly field?: string;
}

/** Fields whose keys are names of rules, environments and variables, patterns of files, or names that stand for others. */
const HAS_OTHER_KEYS =
  /^(?:rules|env|globals|coverageThreshold|transform|alias|paths)$/;
/** A path without a dot, and nothing else. */
const BARE_PATH = /^\w[\w.-]*(?:\/[\w.@-]+)+$/;
/** A path with a dot, and without a pattern. */
const PATH = /^\.\.?\/[^*]+$/;

/** The strings of settings. */
interface Strings {
  /** Those that may refer to something, with keys, in the order of the text. */
  readonly used: readonly QuotedString[];
  /** Those that only select files. */
  readonly selected: readonly QuotedString[];
}

function stringsIn(root: JsonNode): Strings {
  const used: QuotedString[] = [];
  const selected: QuotedString[] = [];
  const add = (
    to: QuotedString[],
    { value, offset, length }: JsonNode,
    field = "",
  ) =>
    to.push({
      text: String(value),
      offset: offset + 1,
      end: offset + length,
      field,
    });
  const visit = (node: JsonNode, field: string): void => {
    if (node.type === "string")
      add(isSelecting(field) ? selected : used, node, field);
    if (node.type === "array")
      for (const child of node.children ?? []) visit(child, field);
    for (const { key, keyNode, value } of propertiesOf(node)) {
      if (ignoresAll(key)) continue;
      // The first keys are fields, or lint-staged's patterns of files.
      const isName =
        node !== root && !HAS_OTHER_KEYS.test(field) && !hasAliases(field);
      if (isName && (PACKAGE.test(key) || PATH.test(key))) add(used, keyNode);
      visit(value, key);
    }
  };
  visit(root, "");
  used.sort((a, b) => a.offset - b.offset);
  return { used, selected };
}

/** Notes a string that is a path or a package's name. */
function addString(
  { text, offset }: JsonString,
  found: Collector,
  path: "path-string" | "config",
  name: "name-string" | "config",
): void {
  if (found.has(offset)) return;
  const whole = pathIn(text);
  if (whole !== undefined)
    addPath({ text: whole, partial: false }, offset, found, path);
  else if (PACKAGE.test(text)) found.add(text, name, offset);
}

/** Returns a text with only these strings, each in a line and at its place. */
function onlyStrings(strings: readonly QuotedString[], text: string): string {
  let kept = "";
  for (const { text: string, offset, end } of strings) {
    // Noted as a path from the settings' folder; the text alone doesn't show that.
    if (string.startsWith("<rootDir>/..")) continue;
    const start = offset - 1;
    kept =
      (kept === "" ? "" : `${kept}\n`).padEnd(start) + text.slice(start, end);
  }
  return kept;
}
