import { count, printable } from "@skein/reporting";
import { allPaths, reasonSpreads, shortestPath } from "@skein/workspaces";
import type {
  AffectedPackage,
  Edge,
  EdgeLookup,
  PackagePath,
  Reason,
  WorkspaceGraph,
} from "@skein/workspaces";
import type { Selection } from "../select.js";
import type { Survey } from "../survey.js";
import { wholeGraph } from "../whole-graph.js";
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
  const lookup = waysTo(name, wholeGraph(facts));
  const shortest = shortestPath(lookup, seeds, name);
  const found = all
    ? allPaths(lookup, seeds, name)
    : { paths: shortest ? [shortest] : [], complete: true };
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
  const lookup = waysTo(name, wholeGraph({ head, references }));
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
 * Returns the graph without the edges that only tests of other packages make, because no path to this package can use
 * them.
 */
function waysTo(name: string, graph: WorkspaceGraph): EdgeLookup {
  const counts = ({ from, testOnly }: Edge) => !testOnly || from === name;
  return {
    dependentsOf: (of) => graph.dependentsOf(of).filter(counts),
    dependenciesOf: (of) => graph.dependenciesOf(of).filter(counts),
  };
}

function reach(graph: EdgeLookup, name: string): Set<string> {
  const reached = new Set<string>();
  const open = [name];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const { to } of graph.dependenciesOf(next)) {
      if (to === name || reached.has(to)) continue;
      reached.add(to);
      open.push(to);
    }
  }
  return reached;
}
