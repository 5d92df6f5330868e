import type { LockDependency } from "./lockfile/lockfile.js";

/** The settings of .yarnrc.yml that the graph and the lockfile need, and the rest as text to compare. */
export interface YarnSettings {
  /** Catalog name (`` for the default one) -> ident -> range. */
  readonly catalogs: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly extensions: readonly PackageExtension[];
  /** All other lines that may change what scripts do, without blank lines and comments. */
  readonly rest: string;
}

/** One entry of `packageExtensions`: what Yarn adds to the manifest of an external package. yarn.lock doesn't show it. */
export interface PackageExtension {
  readonly ident: string;
  readonly dependencies: readonly LockDependency[];
  /** Its lines, to compare. */
  readonly text: string;
}

/**
 * Settings that no script can notice. They influence what Yarn prints, asks, audits or publishes, or which versions it
 * chooses for yarn.lock, which shows them.
 */
const UNNOTICED = new Set(
  `approvedGitRepositories cacheMigrationMode changesetBaseRefs changesetIgnorePatterns cloneConcurrency
  defaultSemverRangePrefix deferredVersionFolder enableColors enableConstraintsChecks enableHardenedMode
  enableHyperlinks enableInlineBuilds enableInlineHunks enableMessageNames enableOfflineMode enableProgressBars
  enableTelemetry enableTimers enableTips httpRetry httpTimeout initFields initScope logFilters networkConcurrency
  npmAuditExcludePackages npmAuditIgnoreAdvisories npmAuditRegistry npmMinimalAgeGate npmPreapprovedPackages
  npmPublishAccess npmPublishProvenance npmPublishRegistry preferAggregateCacheInfo preferInteractive preferReuse
  preferTruncatedLines progressBarStyle taskPoolConcurrency telemetryInterval telemetryUserId tsEnableAutoTypes
  workerPoolMode`.split(/\s+/),
);

/**
 * Parses the catalogs and package extensions of .yarnrc.yml: levels of plain keys. Any other form stays in `rest`, where
 * a difference counts as a change of everything.
 */
export function readYarnSettings(text: string): YarnSettings {
  const catalogs = new Map<string, Map<string, string>>();
  const extensions: PackageExtension[] = [];
  const rest: string[] = [];
  for (const [header = "", ...lines] of sectionsOf(text)) {
    const [, name = "", value = ""] = /^(\w+):\s*(.*)$/.exec(header) ?? [];
    if (UNNOTICED.has(name)) continue;
    if (name === "catalog" && value === "")
      readCatalog(open(""), 2, lines, rest);
    else if (name === "catalogs" && value === "")
      readCatalogs(open, lines, rest);
    else if (name === "packageExtensions" && value === "")
      extensions.push(...readExtensions(lines, rest));
    else rest.push(header, ...lines);
  }
  return { catalogs, extensions, rest: rest.join("\n") };

  function open(name: string): Map<string, string> {
    const catalog = new Map<string, string>();
    catalogs.set(name, catalog);
    return catalog;
  }
}

/** Returns each setting with the lines below it, without blank lines and comments. A list need not be indented. */
function sectionsOf(text: string): readonly string[][] {
  const sections: string[][] = [];
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*(#|$)/.test(line)) continue;
    const section = sections.at(-1);
    if (section && /^[ -]/.test(line)) section.push(line);
    else sections.push([line]);
  }
  return sections;
}

/** Matches one line `key: value`; the value may be empty. */
const LINE = /^( +)("[^"]+"|'[^']+'|[^\s"':][^:]*):\s*(.*?)\s*$/;

function readCatalogs(
  open: (name: string) => Map<string, string>,
  lines: readonly string[],
  rest: string[],
): void {
  let current: Map<string, string> | undefined;
  for (const line of lines) {
    const [, indent = "", key = "", value = ""] = LINE.exec(line) ?? [];
    if (indent.length === 2 && value === "" && key !== "")
      current = open(unquote(key));
    else if (current) readCatalog(current, 4, [line], rest);
    else rest.push(line);
  }
}

function readCatalog(
  catalog: Map<string, string>,
  depth: number,
  lines: readonly string[],
  rest: string[],
): void {
  for (const line of lines) {
    const [, indent = "", key = "", value = ""] = LINE.exec(line) ?? [];
    if (key !== "" && indent.length === depth && isPlain(value))
      catalog.set(unquote(key), unquote(value));
    else rest.push(line);
  }
}

/** Reads `ident@range`, a field below it, and the field's content. An extension in another form isn't one. */
function readExtensions(
  lines: readonly string[],
  rest: string[],
): readonly PackageExtension[] {
  const blocks: string[][] = [];
  for (const line of lines)
    if (/^ {2}[^ ]/.test(line)) blocks.push([line]);
    else (blocks.at(-1) ?? rest).push(line);
  return blocks.flatMap((block) => {
    const extension = readExtension(block);
    if (!extension) rest.push("packageExtensions:", ...block);
    return extension ?? [];
  });
}

function readExtension([header = "", ...lines]: readonly string[]):
  | PackageExtension
  | undefined {
  const [, , name = "", none = "x"] = LINE.exec(header) ?? [];
  const ident = /^(?:@[^/]+\/)?[^@/]+(?=@.)/.exec(unquote(name))?.[0];
  if (ident === undefined || none !== "") return undefined;
  const dependencies: LockDependency[] = [];
  let field = "";
  for (const line of lines) {
    const [, indent = "", key = "", value = ""] = LINE.exec(line) ?? [];
    if (indent.length === 4 && value === "") field = key;
    else if (indent.length < 6 || field === "") return undefined;
    else if (field === "dependencies") {
      if (indent.length !== 6 || !isPlain(value)) return undefined;
      dependencies.push([unquote(key), unquote(value)]);
    }
  }
  return { ident, dependencies, text: [header, ...lines].join("\n") };
}

function isPlain(value: string): boolean {
  return /^("[^"\\]+"|'[^']+'|[^\s"'#&*!|>{[%@`][^#]*)$/.test(value);
}

/** Returns a scalar of YAML without its quotes. */
export function unquote(value: string): string {
  return value.replace(/^(["'])(.*)\1$/, "$2");
}
