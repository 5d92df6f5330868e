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
  rawOf,
} from "./ast.js";
import { callsBundler, openBareNames } from "./settings/bare-names.js";
import {
  comparedConstants,
  openComparedStrings,
} from "./compared/compared-constants.js";
import { comparedWithCwd } from "./compared/compared-paths.js";
import { leftOutConstants } from "./compared/left-out.js";
import {
  addKnownNames,
  addResolvedFolder,
  rememberRequire,
  scanCall,
} from "./calls.js";
import { addCwdPath, addLookup, addUnknownCwd } from "./cwd-paths.js";
import { addComputedAlias } from "./settings/computed-aliases.js";
import { addEslintProgram } from "./settings/eslint-program.js";
import { addAliasVariable, addMapping } from "./settings/mappings.js";
import { addCompat } from "./settings/flat-compat.js";
import { openNames } from "./values/names.js";
import { eslintProjects, NAMES_PROJECT } from "../settings/eslint-projects.js";
import {
  folderPaths,
  openedPaths,
  opensOnly,
} from "./compared/opened-paths.js";
import { areConstraints } from "./settings/package-lists.js";
import {
  addFieldNames,
  addSettingNames,
  assignedFields,
} from "./settings/setting-names.js";
import { openPlaces } from "./values/places.js";
import { endsOfPattern } from "../patterns.js";
import { openOwnGuesses } from "./own-guesses.js";
import {
  addClimb,
  addFolders,
  addInnerPaths,
  addListing,
  addOpenedFolder,
  addWords,
  skipAddress,
} from "./open-ends.js";
import {
  addIgnored,
  addSelection,
  addStories,
  skipLabel,
} from "./settings/selecting.js";
import { addBabelRoot } from "./settings/babel-root.js";
import {
  addClimbs,
  addCommandAbove,
  addCommandFields,
  addCommandOfFolder,
  addEnteredFolder,
  addPathsOfCommand,
  addRaw,
  addSelected,
  addSelectedScope,
  addTagged,
  scanCommand,
  addWorkspace,
  selectsAny,
} from "./code-commands.js";
import { addPlace, addString } from "./strings.js";
import { addStyleRules } from "../text/style.js";
import type { Walk } from "./walk.js";

/** A field of settings with names or patterns that a program leaves out. */
const LEAVES_OUT = /\b(?:external|noExternal|exclude|ignore)/;

/** The tool whose settings a program contains, if its names have a meaning of their own. */
export type SettingsKind = "eslintrc" | "any";

/**
 * Walks a program once, and notes everything that names a file or a package.
 * @param settings the kind of the tool's settings that the file contains, so that each of their fields counts
 * @param isDeclaration whether the file only declares types: `x.d.ts`
 * @returns whether constraints of Yarn open only files whose paths, or their ends, were noted; false for any other program
 */
export function walkProgram(
  program: unknown,
  found: Collector,
  settings?: SettingsKind,
  isDeclaration = false,
): boolean {
  if (!isNode(program)) return false;
  const isSettings = settings !== undefined;
  // If it is only the beginning of the file, the rest may give a name other values and other uses.
  const isWhole = program.end >= found.text.trimEnd().length;
  const places = openPlaces(program, found.text, isWhole);
  const names = openNames(program, found.text);
  const { folders, messages } = folderPaths(
    found.text,
    isWhole ? names : undefined,
  );
  const projects =
    names && NAMES_PROJECT.test(found.text) ? eslintProjects(names()) : [];
  const walk = {
    found,
    handled: new Set<Node>(),
    compared: new Set<Node>(messages),
    opened: new Set([...openedPaths(found.text, names), ...projects]),
    folders,
    noted: areConstraints(found.text) ? new Set<Node>() : undefined,
    required: new Set(["require"]),
    makers: new Set(["createRequire"]),
    places,
    own: openOwnGuesses(places, found),
    bare: openBareNames(found, isSettings),
    isAmbient: isDeclaration && isWhole && !isModule(program),
    isSettings,
    hasSettings: isSettings || callsBundler(found.text),
    names,
    named:
      settings === "eslintrc" && names
        ? addEslintProgram(program, names, found)
        : new Set<Node>(),
  };
  for (const each of walk.named) walk.handled.add(each);
  for (const { start } of projects) found.open(start + 1);
  for (const each of isWhole && names ? comparedConstants(names, found) : [])
    skipAll(each, walk);
  if (isWhole && names && walk.hasSettings && LEAVES_OUT.test(found.text))
    for (const each of leftOutConstants(names())) skipAll(each, walk);
  const comparedIn = openComparedStrings(found.text);
  const visit = (node: Node): void => {
    for (const each of comparedIn(node)) walk.handled.add(each);
    const isEntered = places.enter(node);
    addComputedAlias(node, walk);
    scanNode(node, walk);
    for (const child of nodesOf(node)) visit(child);
    if (isEntered) places.leave();
  };
  visit(program);
  walk.bare.finish();
  return !!walk.noted && !!names && opensOnly(walk.noted, names());
}

/** The nodes in the body of a program that make it a module. */
const IN_MODULES =
  /^(?:Import|ExportNamed|ExportAll|ExportDefault)Declaration$|^TS(?:ExportAssignment|ImportEqualsDeclaration|NamespaceExportDeclaration)$/;

/** Returns whether a program imports or exports something. */
function isModule(program: Node): boolean {
  return listOf(program, "body").some(({ type }) => IN_MODULES.test(type));
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
  ["ExportAllDeclaration", (node, { own }) => own.addExport(node)],
  ["ExportNamedDeclaration", (node, { own }) => own.addExport(node)],
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
  ["Literal", addString],
  ["TSLiteralType", skipType],
  ["TSPropertySignature", skipType],
]);

function scanNode(node: Node, walk: Walk): void {
  const [field, kind] = MODULES.get(node.type) ?? [];
  if (node.type === "TSModuleDeclaration" && walk.isAmbient) {
    if (isNode(node["id"])) walk.handled.add(node["id"]);
  } else if (field !== undefined && kind) take(node[field], kind, walk);
  SCANS.get(node.type)?.(node, walk);
}

function scanImport(node: Node, { own, bare, places, found }: Walk): void {
  own.addLoad(node, node["source"]);
  if (isNode(node["source"])) addKnownNames(node["source"], places, found);
  if (!textOf(node["source"])) bare.loadsAny();
}

function scanVariable(node: Node, walk: Walk): void {
  rememberRequire(node, walk);
  addPathsOfCommand(nameOf(node["id"]), node["init"], walk.found);
  addIgnored(nameOf(node["id"]), [node["init"]], walk.found, walk.handled);
  if (walk.hasSettings && walk.names && isNode(node["init"]))
    addAliasVariable(node, walk.names(), walk);
  walk.own.keep(node);
}

function scanSpecifier(node: Node, { makers }: Walk): void {
  if (nameOf(node["imported"]) === "createRequire")
    makers.add(nameOf(node["local"]));
}

function scanAssignment(node: Node, walk: Walk): void {
  const { left, right: value } = node as Node &
    Record<"left" | "right", unknown>;
  if (!walk.hasSettings || !isNode(value)) return;
  for (const property of assignedFields(left, value))
    scanProperty(property, walk);
}

/** Notes that a string in a type, which a compiler removes, is no path: `interface Paths { "/packages/b": … }`. */
function skipType(node: Node, { found }: Walk): void {
  const text = node["literal"] ?? node["key"];
  if (isNode(text) && text.type === "Literal") found.skip(text.start + 1);
}

function scanProperty(node: Node, walk: Walk): void {
  const { found, handled, places } = walk;
  skipOutput(node, walk);
  addUnknownCwd(node, found);
  addBabelRoot(node, found);
  addPathsOfCommand(nameOf(node["key"]), node["value"], found);
  if (!addSettingNames(node, walk) && !addSelection(node, found, handled))
    addMapping(node, { found, places, handled });
}

function scanObject(node: Node, walk: Walk): void {
  const { found, handled, isSettings, places } = walk;
  if (!isSettings) return;
  skipLabel(node, found, handled);
  addStories(node, found, handled);
  addCommandFields(node, places, found);
}

function scanArray(node: Node, { found, bare }: Walk): void {
  addClimb(listOf(node, "elements"), found);
  if (addWorkspace(listOf(node, "elements"), found)) bare.selectsAny();
}

function scanTemplate(node: Node, walk: Walk): void {
  const { found, handled, bare } = walk;
  addString(node, walk);
  addClimbs(node, found);
  addEnteredFolder(node, found);
  addSelectedScope(node, found);
  addFolders(node, found, handled);
  if (selectsAny(node)) bare.selectsAny();
}

function scanTagged(node: Node, { found, handled, places }: Walk): void {
  const tag = node["tag"];
  const options = isNode(tag) ? listOf(tag, "arguments").at(-1) : undefined;
  addCommandAbove(options, node["quasi"], undefined, places, found);
  addRaw(node, found, handled);
  addTagged(node, found);
}

function scanBinary(node: Node, walk: Walk): void {
  skipCompared(node, walk);
  if (selectsAny(node)) walk.bare.selectsAny();
  addSelectedScope(node, walk.found);
  addString(node, walk);
}

function scanTemplatePart(node: Node, { found, handled }: Walk): void {
  const raw = rawOf(node);
  const offset = startOfWords(node, found.text);
  if (!handled.has(node)) addInnerPaths(raw, offset, found);
  addSelected(raw, offset, found);
  addStyleRules(raw, offset, found);
}

/** Notes packages in an argument of a class of plug-ins, or of a call that adds them to a field: `config.plugins.push("x")`. */
function addArgumentNames(
  { type, callee }: Node,
  args: readonly Node[],
  walk: Walk,
): void {
  if (type === "NewExpression") addFieldNames(nameOf(callee), args[0], walk);
  else if (isNode(callee) && /^(?:push|unshift)$/.test(nameOf(callee)))
    for (const each of args)
      addFieldNames(nameOf(callee["object"]), each, walk);
}

/** Notes what a call refers to, whether it is known to load modules or not. */
function scanAnyCall(node: Node, walk: Walk): void {
  const { found, handled, places, own, bare } = walk;
  const args = listOf(node, "arguments");
  addLookup(node, places, found);
  skipAddress(node, found, handled);
  if (args.length === 0) {
    addPlace(node, walk);
    return;
  }
  if (walk.hasSettings) addArgumentNames(node, args, walk);
  bare.addCall(node);
  if (scanCall(node, walk)) {
    if (!textOf(args[0])) bare.loadsAny();
    own.addCall(node);
    return;
  }
  addResolvedFolder(node, found);
  if (walk.opened.has(node)) addOpenedFolder(node, found);
  addPathsOfCommand(nameOf(node["callee"]), args[0], found);
  addCommandAbove(args.at(-1), args[0], args[1], places, found);
  if (addCommandOfFolder(node, found)) bare.loadsAny();
  if (!handled.has(node)) addListing(node, places, found);
  addIgnored(nameOf(node["callee"]), args, found, handled);
  addCompat(node, found, handled);
  if (addCwdPath(node, found, handled) || addPlace(node, walk)) return;
  addWords(
    args,
    found,
    /^(?:join|resolve)$/.test(nameOf(node["callee"])),
    { opened: walk.opened.has(node) },
    places.names,
  );
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

/** Excludes the files and folders that a bundler writes: `{ output: { file: "../site/x.js" } }`. */
function skipOutput(property: Node, walk: Walk): void {
  const value = property["value"];
  if (nameOfKey(property) !== "output" || !isNode(value)) return;
  for (const output of [value, ...listOf(value, "elements")])
    for (const member of listOf(output, "properties")) {
      const path = member["value"];
      if (/^(?:file|dir|path)$/.test(nameOfKey(member) ?? "") && isNode(path))
        skipAll(path, walk);
    }
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
    const suffix = partial ? endsOfPattern(endOf(source)) : "";
    const meant = isArgument === true ? "argument-path" : kind;
    walk.found.add(text, meant, source.start + 1, partial, suffix);
  }
}
