import { originalOf, splitEdges } from "@skein/fingerprint";
import { count, printable } from "@skein/reporting";
import { groupBy } from "@skein/reporting/group-by";
import {
  allPaths,
  reasonSpreads,
  shortestPath,
  withOnward,
  type AffectedPackage,
  type Edge,
  type EdgeLookup,
  type PackagePath,
  type Reason,
} from "@skein/workspaces";
import type { Selection } from "../select.js";
import type { Survey } from "../survey.js";
import { wholeGraph } from "../project/whole-graph.js";
import { noEffectWords, reasonWords, testWords } from "./words.js";

/** Why a package is affected: the paths to it from packages that are affected by themselves. */
export interface Why {
  readonly name: string;
  readonly affected: boolean;
  readonly paths: readonly PackagePath[];
  /** False if there are more paths than those in `paths`. */
  readonly complete: boolean;
  /** The reasons of the packages in which the paths start. */
  readonly origins: Readonly<Record<string, readonly Reason[]>>;
}

/** Finds the paths. Pure. */
export function explain(
  name: string,
  facts: Pick<Survey, "head" | "references">,
  { decision }: Selection,
  all: boolean,
): Why {
  const origins = new Map<string, readonly Reason[]>();
  for (const { name: origin, reasons } of decision.packages.values()) {
    const own = reasons.filter(({ kind }) => kind !== "dependency");
    if (own.length > 0) origins.set(origin, own);
  }
  // A test-only change stays in its package, so only the empty path starts there.
  const seeds = [...origins].flatMap(([origin, reasons]) =>
    origin === name || reasons.some(reasonSpreads) ? [origin] : [],
  );
  const edges = walkable(facts);
  const lookup = waysTo(name, edges);
  // A path may start at the copy of a seed.
  const starting = new Set(seeds);
  for (const { to } of edges)
    if (starting.has(originalOf(to))) starting.add(to);
  const shortest = shortestPath(lookup, starting, name);
  const { paths, complete } = all
    ? allPaths(lookup, starting, name)
    : { paths: shortest ? [shortest] : [], complete: true };
  const found = { paths: paths.map(originalPath), complete };
  const starts = new Set(
    found.paths.map(({ packages }) => packages[0] ?? name),
  );
  return {
    name,
    affected: decision.packages.has(name),
    ...found,
    origins: Object.fromEntries(
      [...origins].filter(([origin]) => starts.has(origin)),
    ),
  };
}

/** Renders the paths as text. Each starts at a changed file and ends at the package. */
export function renderWhy({
  name,
  affected,
  paths,
  complete,
  origins,
}: Why): string {
  if (!affected)
    return `${printable(name)} is not affected; \`affected why-not ${printable(name)}\` shows why\n`;
  const blocks = paths.map(({ packages, edges }) => {
    const [origin = name] = packages;
    const steps = edges.map(
      (edge, index) =>
        `${"  ".repeat(index + 1)}<- ${printable(edge.from)} (${edge.kind}: ${printable(edge.evidence)})${testWords(edge)}`,
    );
    const reasons = (origins[origin] ?? []).map(
      (reason) => `  ${reasonWords(reason)}`,
    );
    return [...capped(reasons), printable(origin), ...steps].join("\n");
  });
  const more = complete ? "" : "\n(there are more paths than these)\n";
  return `${blocks.join("\n\n")}\n${more}`;
}

function capped(lines: readonly string[]): string[] {
  const most = 5;
  return lines.length > most
    ? [...lines.slice(0, most), `  (+${lines.length - most} more)`]
    : [...lines];
}

/** Renders why a package isn't affected: what changed, and that none of it affects the package. */
export function renderWhyNot(
  name: string,
  {
    changes,
    head,
    references,
  }: Pick<Survey, "changes" | "head" | "references">,
  { decision }: Selection,
): string {
  const own: AffectedPackage | undefined = decision.packages.get(name);
  if (own)
    return `${printable(name)} is affected; \`affected why ${printable(name)}\` shows why\n`;
  const dir = head.graph.workspaces.get(name)?.dir ?? "";
  const ignored = decision.noEffect.filter(
    ({ path }) => head.graph.ownerOf(path).name === name,
  );
  const lookup = waysTo(name, walkable({ head, references }));
  const dependencies = reach(lookup, name);
  const elsewhere = [...dependencies].filter((each) =>
    decision.packages.has(each),
  );
  const lines = [
    `${printable(name)} (${printable(dir)}) is not affected:`,
    ignored.length === 0
      ? `- none of its files changed (${count(changes.length, "other file")} did), and its external packages resolve as before`
      : `- only these of its own files changed, and they affect nothing:`,
    ...ignored.map(
      ({ path, why }) => `    ${printable(path)}: ${noEffectWords(why)}`,
    ),
    dependencies.size === 0
      ? "- it depends on no other package"
      : `- none of its dependencies, direct or indirect (${count(dependencies.size, "package")}), is affected${elsewhere.length === 0 ? "" : `, except in tests or modules that it doesn't use: ${elsewhere.map(printable).join(", ")}`}`,
    decision.packages.size === 0
      ? "- no package is affected"
      : `- affected packages: ${[...decision.packages.keys()].map(printable).join(", ")}`,
  ];
  return `${lines.join("\n")}\n`;
}

/**
 * Returns the graph's edges in such a way that behind each edge only those follow to which it leads on: some lead to copies of
 * packages (`splitEdges`).
 */
function walkable(facts: Pick<Survey, "head" | "references">): readonly Edge[] {
  return splitEdges(withOnward(wholeGraph(facts).edges));
}

/** Finds edges, except those that only tests of other packages make, because no path to this package can use them. */
function waysTo(name: string, edges: readonly Edge[]): EdgeLookup {
  const ways = edges.filter(({ from, testOnly }) => !testOnly || from === name);
  const byFrom = groupBy(ways, ({ from }) => from);
  const byTo = groupBy(ways, ({ to }) => to);
  return {
    dependentsOf: (of) => byTo.get(of) ?? [],
    dependenciesOf: (of) => byFrom.get(of) ?? [],
  };
}

/** Returns a path with the names of packages in place of those of copies. */
function originalPath({ packages, edges }: PackagePath): PackagePath {
  return {
    packages: packages.map(originalOf),
    edges: edges.map(({ from, to, kind, evidence, testOnly }) => ({
      from: originalOf(from),
      to: originalOf(to),
      kind,
      evidence,
      ...(testOnly && { testOnly }),
    })),
  };
}

function reach(graph: EdgeLookup, name: string): Set<string> {
  const reached = new Set([name]);
  // Iteration over a set includes elements that are added during it.
  for (const each of reached)
    for (const { to } of graph.dependenciesOf(each)) reached.add(to);
  const names = new Set([...reached].map(originalOf));
  names.delete(name);
  return names;
}
