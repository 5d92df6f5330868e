import type { Collector } from "../positions.js";
import {
  endOf,
  isNode,
  listOf,
  nameOf,
  nameOfKey,
  nodesOf,
  startOfWords,
  type Node,
  textOf,
} from "./ast.js";
import { openBareNames, type BareNames } from "./bare-names.js";
import {
  comparedConstants,
  loadedIfEqual,
  openComparedStrings,
} from "./compared-constants.js";
import { comparedWithCwd } from "./compared-paths.js";
import { openMapKeys, type MapKeys } from "./map-keys.js";
import { addResolvedFolder, rememberRequire, scanCall } from "./calls.js";
import { addCwdPath, addLookup, addUnknownCwd } from "./cwd-paths.js";
import { COMMAND_LINE } from "../commands/commands.js";
import { addMapping } from "./mappings.js";
import { addExporter } from "./exporters.js";
import { addCompat } from "./flat-compat.js";
import { openNames } from "./names.js";
import { openedPaths } from "./opened-paths.js";
import { addSettingNames } from "./setting-names.js";
import { SCOPED_NAME } from "./plain-names.js";
import { openPlaces, type Places } from "./places.js";
import { addPath, endOfPattern, GOES_UP, pathIn } from "../path-strings.js";
import { openOwnGuesses, type OwnGuesses } from "./own-guesses.js";
import {
  addClimb,
  addFolders,
  addInnerPaths,
  addListing,
  addWords,
} from "./open-ends.js";
import { addIgnored, addSelection, skipLabel } from "./selecting.js";
import {
  addClimbs,
  addCommandField,
  addCommandOfFolder,
  addEnteredFolder,
  addRaw,
  addSelected,
  addTagged,
  scanCommand,
  addWorkspace,
  selectsAny,
} from "./code-commands.js";
import { addInert, EXPECTS } from "./inert-strings.js";
import { scanScript } from "../commands/shell-words.js";
import { aboveIn, addBeside, addBesideText } from "./beside.js";
import { addStyleRules } from "../text/style.js";

interface Walk {
  readonly found: Collector;
  /** Strings that were handled. */
  readonly handled: Set<Node>;
  /** Parts of paths that are only compared. */
  readonly compared: Set<Node>;
  /** Strings that nothing here runs: scripts of a manifest that the program writes, values that a test expects. */
  readonly inert: Set<Node>;
  /** Paths that a call opens, and does nothing else with. */
  readonly opened: ReadonlySet<Node>;
  /** Names of functions that are a `require`, and of those that make one. */
  readonly required: Set<string>;
  readonly makers: Set<string>;
  readonly places: Places;
  readonly own: OwnGuesses;
  readonly bare: BareNames;
  readonly keys: MapKeys;
  /** The file contains a tool's settings. */
  readonly isSettings: boolean;
}

/**
 * Walks a program once, and notes everything that names a file or a package.
 * @param isSettings whether the file contains a tool's settings, so that each of their fields counts
 */
export function walkProgram(
  program: unknown,
  found: Collector,
  isSettings = false,
): void {
  if (!isNode(program)) return;
  // If it is only the beginning of the file, the rest may give a name other values and other uses.
  const isWhole = program.end >= found.text.trimEnd().length;
  const places = openPlaces(program, found.text, isWhole);
  const names = openNames(program, found.text);
  const walk = {
    found,
    handled: new Set<Node>(),
    compared: new Set<Node>(),
    opened: openedPaths(program, found.text, names),
    inert: new Set<Node>(),
    required: new Set(["require"]),
    makers: new Set(["createRequire"]),
    places,
    own: openOwnGuesses(places, found),
    bare: openBareNames(found, isSettings),
    keys: openMapKeys(found.text),
    isSettings,
  };
  for (const each of isWhole && names ? comparedConstants(names, found) : [])
    skipAll(each, walk);
  const comparedIn = openComparedStrings(found.text);
  const visit = (node: Node): void => {
    for (const each of comparedIn(node)) walk.handled.add(each);
    const isEntered = places.enter(node);
    scanNode(node, walk);
    for (const child of nodesOf(node)) visit(child);
    if (isEntered) places.leave();
  };
  visit(program);
  walk.bare.finish();
}

type ModuleKind = "import" | "export" | "type" | "dynamic-import";

/** The nodes that name a module, with the field that contains its name. */
const MODULES: ReadonlyMap<string, readonly [field: string, ModuleKind]> =
  new Map([
    ["ImportDeclaration", ["source", "import"]],
    ["ExportAllDeclaration", ["source", "export"]],
    ["ExportNamedDeclaration", ["source", "export"]],
    ["TSExternalModuleReference", ["expression", "import"]],
    ["TSImportType", ["source", "type"]],
    ["TSModuleDeclaration", ["id", "type"]],
    ["ImportExpression", ["source", "dynamic-import"]],
  ]);

type Scan = (node: Node, walk: Walk) => void;

/** Scans the nodes of each type. */
const SCANS: ReadonlyMap<string, Scan> = new Map<string, Scan>([
  ["ExportAllDeclaration", scanExport],
  ["ExportNamedDeclaration", scanExport],
  ["MemberExpression", (node, { own }) => own.addPlace(node)],
  ["Identifier", (node, { own }) => own.addPlace(node)],
  ["ImportExpression", scanImport],
  ["VariableDeclarator", scanVariable],
  ["ImportSpecifier", scanSpecifier],
  ["AssignmentExpression", scanAssignment],
  ["Property", scanProperty],
  ["ObjectExpression", scanObject],
  ["ArrayExpression", scanArray],
  ["TemplateElement", scanTemplatePart],
  ["CallExpression", scanAnyCall],
  ["NewExpression", scanAnyCall],
  ["TemplateLiteral", scanTemplate],
  ["TaggedTemplateExpression", scanTagged],
  ["BinaryExpression", scanBinary],
  ["Literal", string],
]);

function scanNode(node: Node, walk: Walk): void {
  const [field, kind] = MODULES.get(node.type) ?? [];
  if (field !== undefined && kind) take(node[field], kind, walk);
  SCANS.get(node.type)?.(node, walk);
}

function scanExport(node: Node, { own, keys }: Walk): void {
  own.addExport(node);
  keys.addExport(node);
}

function scanImport(node: Node, { own, bare }: Walk): void {
  own.addLoad(node, node["source"]);
  if (!textOf(node["source"])) bare.loadsAny();
}

function scanVariable(node: Node, walk: Walk): void {
  rememberRequire(node, walk);
  addIgnored(nameOf(node["id"]), [node["init"]], walk.found, walk.handled);
  walk.keys.addVariable(node);
  walk.own.keep(node);
}

function scanSpecifier(node: Node, { makers }: Walk): void {
  if (nameOf(node["imported"]) === "createRequire")
    makers.add(nameOf(node["local"]));
}

function scanAssignment(node: Node, { found, inert }: Walk): void {
  if (nameOf(node["left"]) === "scripts")
    addInert(node["right"], found.text, inert);
}

function scanProperty(node: Node, walk: Walk): void {
  const { found, handled, places, isSettings } = walk;
  if (nameOfKey(node) === "scripts")
    addInert(node["value"], found.text, walk.inert);
  addUnknownCwd(node, found);
  if (isSettings) addCommandField(node, found);
  if (
    !addSettingNames(node, found, handled, isSettings) &&
    !addSelection(node, found, handled)
  )
    addMapping(node, { found, places, handled });
}

function scanObject(node: Node, { found, handled, isSettings }: Walk): void {
  if (isSettings) skipLabel(node, found, handled);
}

function scanArray(node: Node, { found, bare }: Walk): void {
  addClimb(listOf(node, "elements"), found);
  if (addWorkspace(listOf(node, "elements"), found)) bare.selectsAny();
}

function scanTemplate(node: Node, walk: Walk): void {
  const { found, handled, bare } = walk;
  string(node, walk);
  addClimbs(node, found);
  addEnteredFolder(node, found);
  addFolders(node, found, handled);
  if (selectsAny(node)) bare.selectsAny();
}

function scanTagged(node: Node, { found, handled }: Walk): void {
  addRaw(node, found, handled);
  addTagged(node, found);
}

function scanBinary(node: Node, walk: Walk): void {
  skipCompared(node, walk);
  if (selectsAny(node)) walk.bare.selectsAny();
  string(node, walk);
}

function scanTemplatePart(node: Node, { found, handled }: Walk): void {
  const { raw = "" } = (node["value"] ?? {}) as { raw?: string };
  const offset = startOfWords(node, found.text);
  if (!handled.has(node)) addInnerPaths(raw, offset, found);
  addSelected(raw, offset, found);
  addStyleRules(raw, offset, found);
}

/** Notes what a call refers to, whether it is known to load modules or not. */
function scanAnyCall(node: Node, walk: Walk): void {
  const { found, handled, places, own, bare } = walk;
  const args = listOf(node, "arguments");
  if (args.length === 0) {
    place(node, walk);
    return;
  }
  bare.addCall(node);
  own.cut(node);
  if (scanCall(node, walk)) {
    if (!textOf(args[0])) bare.loadsAny();
    own.addCall(node);
    return;
  }
  if (EXPECTS.test(nameOf(node["callee"])))
    for (const each of args) addInert(each, found.text, walk.inert);
  addResolvedFolder(node, found);
  if (addCommandOfFolder(node, found)) bare.loadsAny();
  if (!handled.has(node)) addListing(node, places, found);
  addIgnored(nameOf(node["callee"]), args, found, handled);
  addLookup(node, places, found);
  addCompat(node, found);
  if (addCwdPath(node, found, handled) || place(node, walk)) return;
  addWords(args, found, /^(?:join|resolve)$/.test(nameOf(node["callee"])));
  scanCommand(node, found);
}

/** Excludes a string that is only compared, or the folder of a list that is. */
function skipAll(node: Node, walk: Walk): void {
  const { found, handled, compared } = walk;
  handled.add(node);
  compared.add(node);
  if (node.type === "Literal") found.skip(node.start + 1);
  if (node.type === "TemplateElement")
    found.skip(startOfWords(node, found.text));
  for (const part of nodesOf(node)) skipAll(part, walk);
}

/** Excludes a path that is only compared with the current directory. */
function skipCompared(
  node: Node,
  { found, handled, compared, own }: Walk,
): void {
  const [path, ...parts] = comparedWithCwd(node, found);
  if (!path) return;
  for (const part of [path, ...parts]) {
    handled.add(part);
    compared.add(part);
  }
  own.settle(path);
}

/** Notes the module that a node names. */
function take(source: unknown, kind: ModuleKind, walk: Walk): void {
  if (!isNode(source)) return;
  for (const { text, partial, isArgument } of walk.places.texts(source)) {
    walk.handled.add(source);
    const suffix = partial ? endOfPattern(endOf(source)) : "";
    const meant = isArgument === true ? "argument-path" : kind;
    walk.found.add(text, meant, source.start + 1, partial, suffix);
  }
}

/**
 * Notes a path that begins at the file's own folder, for any expression.
 * @returns whether the expression is such a path
 */
function place(expression: Node, walk: Walk): boolean {
  const { found, handled, compared, places, own, isSettings } = walk;
  if (compared.has(expression)) return true;
  const isOutside = places.isOutside(expression);
  const made = isOutside ? [] : places.all(expression);
  if (!isOutside && !made.some(({ words }) => words)) {
    own.addPlace(expression);
    return false;
  }
  for (const each of made) {
    if (!each.words) continue;
    const { text, partial, isCwd } = each;
    const offset = each.words.start + 1;
    // The manifest of the package whose script runs the program.
    if (isCwd && !partial && text === "./package.json") continue;
    if (isCwd && partial && GOES_UP.test(text))
      found.add(
        text,
        "cwd-path",
        offset,
        true,
        endOfPattern(endOf(expression)),
      );
    else
      addPath(
        { ...each, end: endIn(expression, walk, each.last) },
        offset,
        found,
      );
    addBeside(each, expression, offset, isSettings, found);
  }
  for (const part of nodesOf(expression)) handled.add(part);
  own.settle(expression);
  return true;
}

/** A string of unknown purpose counts if it can only be a path, or a package's name. */
function string(literal: Node, walk: Walk): void {
  const { found, handled, own, bare, keys } = walk;
  const text = textOf(literal);
  const path = text && (pathIn(text.text) ?? aboveIn(text));
  const isTaken = handled.has(literal) || (!text && place(literal, walk));
  if (!isTaken && text && path === undefined) {
    if (!text.partial && SCOPED.test(text.text) && !keys.has(literal))
      found.add(text.text, "name-string", literal.start + 1);
    if (text.partial && text.text.startsWith("@"))
      for (const each of walk.places.texts(literal))
        if (!each.partial && SCOPED.test(each.text))
          found.add(each.text, "name-string", literal.start + 1);
    own.addName(literal, text);
    if (!text.partial) bare.see(literal, text.text);
    addExporter(text.text, literal.start + 1, found);
    // The command may run in the package's folder, as any path in a string may begin there.
    if (COMMAND_LINE.test(text.text)) {
      addInnerPaths(text.text, literal.start + 1, found);
      if (walk.inert.has(literal)) return;
      scanScript("", { text: text.text, offset: literal.start + 1 }, found);
    } else if (literal.type === "Literal") {
      addInnerPaths(text.text, literal.start + 1, found);
      addStyleRules(text.text, literal.start + 1, found);
    }
    return;
  }
  if (!isTaken && !text) addFolders(literal, found, handled);
  const loaded = loadedIfEqual(literal, found.text);
  for (const part of nodesOf(literal)) if (part !== loaded) handled.add(part);
  if (isTaken || !text || path === undefined) return;
  for (const each of walk.places.texts(literal)) {
    // In settings, a template is a pattern or a path that the program opens.
    const goesOn =
      walk.isSettings && each.partial && /^[/\\]./.test(endOf(literal));
    if (!goesOn && addBesideText(each, literal, found)) continue;
    const end = goesOn ? endOf(literal) : endIn(literal, walk);
    const meant = { ...each, text: pathIn(each.text) ?? path, goesOn, end };
    addPath(meant, literal.start + 1, found);
  }
}

/**
 * How a path ends that is opened as it is.
 * @param last the last part of it, if it isn't a string at this place
 */
function endIn(
  expression: Node,
  { opened }: Walk,
  last = endOf(expression),
): string {
  // `.github` may be a folder, of which the program only wants to know whether it exists.
  return opened.has(expression) && !/\/\.\w+$/.test(last) ? last : "";
}

/** The name of a package in a scope, or of a file in it, alone in its string. */
const SCOPED = new RegExp(`^${SCOPED_NAME}$`);
