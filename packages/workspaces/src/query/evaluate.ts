import { nearest } from "@skein/reporting";
import type { Workspace, WorkspaceGraph } from "../graph.js";
import { nameMatcher, readPattern, type PatternKind } from "./patterns.js";
import {
  isFunctionName,
  usageOf,
  type Query,
  type QueryProblem,
} from "./syntax.js";

/** Facts about packages that a query can use, besides the graph. */
export interface QueryContext {
  readonly affected: ReadonlySet<string>;
  /** Returns a package's owners as written in CODEOWNERS (`@acme/team`). */
  readonly ownersOf: (name: string) => readonly string[];
  readonly tagsOf: (name: string) => readonly string[];
}

/** The result of a query. If there are problems, the selection is meaningless. */
export interface Evaluation {
  /** Names, in the graph's order. */
  readonly selected: ReadonlySet<string>;
  readonly problems: readonly QueryProblem[];
}

type Names = ReadonlySet<string>;

/** Evaluates a query on a graph. Pure; linear in the size of the graph for each part of the query. */
export function evaluateQuery(
  query: Query,
  graph: WorkspaceGraph,
  context: QueryContext,
): Evaluation {
  const evaluator = new Evaluator(graph, context);
  const value = evaluator.valueOf(query);
  return {
    selected: keep(graph.workspaces.keys(), (name) => value.has(name)),
    problems: evaluator.problems,
  };
}

/** Computes the parts of a query, and collects their problems. */
class Evaluator {
  readonly problems: QueryProblem[] = [];
  readonly #graph: WorkspaceGraph;
  readonly #names: readonly string[];
  readonly #context: QueryContext;

  constructor(graph: WorkspaceGraph, context: QueryContext) {
    this.#graph = graph;
    this.#names = [...graph.workspaces.keys()];
    this.#context = context;
  }

  valueOf(part: Query): Names {
    switch (part.kind) {
      case "pattern":
        return this.#pattern(part);
      case "owner":
        return this.#labelled(part, this.#context.ownersOf, (text) =>
          text.toLowerCase(),
        );
      case "tag":
        return this.#labelled(part, this.#context.tagsOf, (text) => text);
      case "affected":
        return this.#context.affected;
      case "dependents":
        return reach(this.valueOf(part.of), part.depth, (name) =>
          this.#graph
            .dependentsOf(name)
            .map(({ from, testOnly }) => [from, !testOnly]),
        );
      case "dependencies":
        return reach(this.valueOf(part.of), part.depth, (name, isStart) =>
          this.#graph
            .dependenciesOf(name)
            .flatMap(({ to, testOnly }) =>
              isStart || !testOnly ? [[to, true]] : [],
            ),
        );
      case "union":
        return new Set(part.of.flatMap((each) => [...this.valueOf(each)]));
      case "intersection": {
        const [left, right] = [
          this.valueOf(part.left),
          this.valueOf(part.right),
        ];
        return keep(left, (name) => right.has(name));
      }
      case "difference": {
        const [left, right] = [
          this.valueOf(part.left),
          this.valueOf(part.right),
        ];
        return keep(left, (name) => !right.has(name));
      }
      case "complement": {
        const without = this.valueOf(part.of);
        return keep(this.#names, (name) => !without.has(name));
      }
    }
  }

  #pattern({ text, at }: Query & { kind: "pattern" }): Names {
    const { kind, found } = findPattern(text, this.#graph);
    if (found.size > 0) return found;
    const meant = meantBy(text, kind, [...this.#graph.workspaces.values()]);
    this.problems.push({ kind: "no-match", what: kind, text, meant, at });
    return found;
  }

  #labelled(
    { kind, text, at }: Query & { kind: "owner" | "tag" },
    labelsOf: (name: string) => readonly string[],
    fold: (label: string) => string,
  ): Names {
    const matches = nameMatcher(fold(text));
    const found = keep(this.#names, (name) =>
      labelsOf(name).some((label) => matches(fold(label))),
    );
    if (found.size === 0) {
      const known = new Set(this.#names.flatMap((name) => labelsOf(name)));
      const meant = nearest(text, known);
      this.problems.push({ kind: "no-match", what: kind, text, meant, at });
    }
    return found;
  }
}

/** Returns the packages that a pattern matches. The name of a package means only this package. */
function findPattern(
  text: string,
  { workspaces }: WorkspaceGraph,
): { readonly kind: PatternKind; readonly found: Names } {
  const { kind, matches } = readPattern(text);
  if (kind === "name" && workspaces.has(text))
    return { kind, found: new Set([text]) };
  const found = [...workspaces.values()].filter(matches);
  return { kind, found: new Set(found.map(({ name }) => name)) };
}

/** Returns what the user may have meant by a pattern that matches no package. */
function meantBy(
  text: string,
  kind: PatternKind,
  workspaces: readonly Workspace[],
): string[] {
  const isFolder = kind === "folder" || kind === "folder-glob";
  const whole = workspaces.map(({ name, dir }) =>
    isFolder ? `./${dir}` : name,
  );
  if (kind === "folder") return nearest(text, whole);
  if (kind === "name" && isFunctionName(text)) return [usageOf[text]];
  const asFolder = isFolder ? undefined : readPattern(`./${text}`);
  return [
    ...(asFolder && workspaces.some(asFolder.matches) ? [`./${text}`] : []),
    ...nearest(text, kind === "name" ? whole : [...whole, ...globsOver(whole)]),
  ];
}

/** Returns a glob for each name's siblings: `@acme/*` for `@acme/ui`. */
function globsOver(texts: readonly string[]): Set<string> {
  return new Set(
    texts
      .filter((text) => text.includes("/"))
      .map((text) => text.replace(/[^/]*$/, "*")),
  );
}

/**
 * Returns the packages that are between one and `depth` steps away. A start is included only if another start or a
 * cycle leads to it.
 * @param next returns the neighbours, and whether the path continues from them: dependents don't use packages that only
 *   tests use
 */
function reach(
  starts: Names,
  depth: number | undefined,
  next: (
    name: string,
    isStart: boolean,
  ) => readonly (readonly [neighbour: string, leadsOn: boolean])[],
): Names {
  const reached = new Set<string>();
  const passed = new Set<string>();
  let frontier: Iterable<string> = starts;
  for (let step = 0; step < (depth ?? Infinity); step++) {
    const fresh: string[] = [];
    for (const name of frontier)
      for (const [neighbour, leadsOn] of next(name, step === 0)) {
        reached.add(neighbour);
        if (!leadsOn || passed.has(neighbour)) continue;
        passed.add(neighbour);
        fresh.push(neighbour);
      }
    if (fresh.length === 0) break;
    frontier = fresh;
  }
  return reached;
}

function keep(names: Iterable<string>, test: (name: string) => boolean): Names {
  const kept = new Set<string>();
  for (const name of names) if (test(name)) kept.add(name);
  return kept;
}
