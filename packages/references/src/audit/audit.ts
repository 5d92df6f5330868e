import type { Crossing, ReferenceGraph } from "../graph.js";
import type { ReferenceKind } from "../reference.js";
import { foldersAbove, keyOf } from "../resolve.js";
import { declareDependency } from "./manifest-edit.js";
import type { AuditProblem, ManifestFix, ManifestText } from "./problems.js";

export interface AuditInput {
  readonly graph: Pick<ReferenceGraph, "crossings">;
  /** The root workspace's name: what it owns is shared by all. */
  readonly root: string;
  /** Each workspace's manifest by its name. */
  readonly manifests: ReadonlyMap<string, ManifestText>;
  /** Whether a file is of no use to dependents: a test, or the settings of a tool. */
  readonly isDevelopment: (file: string) => boolean;
  /** Whether a package puts what it depends on into what it publishes: then its devDependencies are enough. */
  readonly isBundled: (workspace: string) => boolean;
  /** Every tracked path, to tell strings that are paths from strings that only look like one. */
  readonly paths: readonly string[];
}

type Verdict = AuditProblem["kind"] | undefined;

/** Kinds that load a module; a path in them should have been a package's name. */
const LOADS: ReadonlySet<ReferenceKind> = new Set<ReferenceKind>([
  "import",
  "export",
  "dynamic-import",
  "require",
  "type",
  "mock",
  "url",
  "style",
  "entry",
]);

/**
 * What manifests do not say of the references in a project. Problems come in order of workspace, then of the first place.
 * The root's own files are not looked at, nor settings that only the root owns (a root tsconfig that everybody extends):
 * `affected` follows those by file.
 */
export function audit(input: AuditInput): readonly AuditProblem[] {
  const { graph, root, manifests } = input;
  const exists = existing(input.paths);
  const groups = new Map<
    string,
    { kind: AuditProblem["kind"]; places: Crossing[] }
  >();
  for (const crossing of graph.crossings()) {
    if (crossing.from === root) continue;
    const kind = verdict(crossing, input, exists);
    if (kind === undefined) continue;
    const key = [crossing.from, kind, crossing.to].join("\0");
    const group = groups.get(key);
    if (group) group.places.push(crossing);
    else groups.set(key, { kind, places: [crossing] });
  }
  const problems = [...groups.values()].map(({ kind, places }) => {
    const { from: workspace = "", to = "" } = places[0] ?? {};
    const base = { workspace, to, places };
    return kind === "undeclared-dependency" || kind === "only-dev-dependency"
      ? { kind, ...base, fix: fixOf(places, manifests, input.isDevelopment) }
      : { kind, ...base };
  });
  return problems.sort((a, b) =>
    a.workspace < b.workspace ? -1 : a.workspace > b.workspace ? 1 : 0,
  );
}

const UNDECLARED: ReadonlySet<ReferenceKind> = new Set<ReferenceKind>([
  "name-string",
  "root-guess",
  "script-call",
]);

function verdict(
  crossing: Crossing,
  { root, manifests, isDevelopment, isBundled }: AuditInput,
  exists: (path: string) => boolean,
): Verdict {
  const { kind, target, from, to, file } = crossing;
  const manifest = manifests.get(from);
  const declared = fieldsOf(manifest, to);
  if (kind === "symlink") return "symlink";
  // It may be a mere word, and a script of another package is called by its name: `affected` counts it, and nobody has to
  // declare it.
  if (UNDECLARED.has(kind)) return undefined;
  if (target.kind === "package") {
    if (to === root) return undefined;
    if (declared.size === 0) return "undeclared-dependency";
    const isNeeded = LOADS.has(kind) && kind !== "mock" && !isDevelopment(file);
    const onlyDev = declared.size === 1 && declared.has("devDependencies");
    return onlyDev && isNeeded && !isPrivate(manifest) && !isBundled(from)
      ? "only-dev-dependency"
      : undefined;
  }
  if (LOADS.has(kind)) {
    // What the root owns has no package's name to import it by; it is amiss only in what is published.
    if (to === root && isDevelopment(file)) return undefined;
    // An alias that leads into a declared package is another way to write its name; where it is the name, that says it.
    const { specifier } = crossing;
    const isAlias = !specifier.startsWith(".") && declared.size > 0;
    const isName = `${specifier}/`.startsWith(`${to}/`);
    return isAlias || isName ? undefined : "path-import";
  }
  if (to === root || declared.size > 0) return undefined;
  if (kind === "path-string" || kind === "root-path" || kind === "glob")
    return exists(target.path) ? "path-string" : undefined;
  return "settings";
}

function fixOf(
  places: readonly Crossing[],
  manifests: ReadonlyMap<string, ManifestText>,
  isDevelopment: (file: string) => boolean,
): ManifestFix {
  const { from = "", to = "" } = places[0] ?? {};
  const manifest = manifests.get(from);
  const field = places.every(({ file }) => isDevelopment(file))
    ? "devDependencies"
    : "dependencies";
  const range = "workspace:^";
  return {
    path: manifest?.path ?? "",
    line: manifest
      ? declareDependency(manifest.text, field, to, range).line
      : 1,
    field,
    name: to,
    range,
  };
}

interface Declaring {
  readonly private?: unknown;
  readonly [field: string]: unknown;
}

function fieldsOf(
  manifest: ManifestText | undefined,
  name: string,
): ReadonlySet<string> {
  const parsed = parse(manifest);
  return new Set(
    [
      "dependencies",
      "devDependencies",
      "peerDependencies",
      "optionalDependencies",
    ].filter((field) => {
      const value = parsed[field];
      return (
        typeof value === "object" &&
        value !== null &&
        Object.hasOwn(value, name)
      );
    }),
  );
}

function isPrivate(manifest: ManifestText | undefined): boolean {
  return parse(manifest).private === true;
}

const cache = new WeakMap<ManifestText, Declaring>();
function parse(manifest: ManifestText | undefined): Declaring {
  if (!manifest) return {};
  let parsed = cache.get(manifest);
  if (!parsed)
    cache.set(
      manifest,
      (parsed = JSON.parse(manifest.text.replace(/^\uFEFF/, "")) as Declaring),
    );
  return parsed;
}

/** Whether a key means any of these paths or a folder above one. Made when first asked. */
function existing(paths: readonly string[]): (key: string) => boolean {
  let known: Set<string> | undefined;
  return (key) => {
    if (!known) {
      known = new Set();
      for (const path of paths)
        for (const one of [path, keyOf(path), ...foldersAbove(path)])
          known.add(one);
    }
    return known.has(key);
  };
}

/** Files that dependents have no use for, by the names that are usual: tests, fixtures, stories, benchmarks, and tools' settings. */
export function isDevelopmentFile(file: string): boolean {
  return /(^|\/)(__tests__|__mocks__|__fixtures__|fixtures|tests?|e2e|stories|benchmarks?)\/|\.(test|spec|stories|story|bench)\.[^/]+$|(^|\/)[^/]*\.(config|setup)\.[^/]+$|(^|\/)\.[^/]*rc(\.[^/]+)?$|(^|\/)[^/]*tsconfig[^/]*\.json$/.test(
    file,
  );
}
