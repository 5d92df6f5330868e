import type { Edge, WorkspaceGraph } from "../graph.js";
import { graphOver } from "../make-graph.js";
import {
  DEPENDENCY_FIELDS,
  parseManifest,
  type Dependency,
} from "../manifest/manifest.js";
import type {
  NamedByExternals,
  PackageFacts,
  PathTarget,
  Project,
} from "../project.js";
import { readColumns, type Columns } from "./columns.js";
import { KINDS, OPTIONAL } from "./keep-project.js";

/**
 * Decodes a project that `keepProject` encoded. It equals the original except for the lockfile, which isn't included,
 * so it is for comparisons in which yarn.lock did not change. Decoding is lazy.
 * @returns undefined for other bytes
 */
export function openKeptProject(bytes: Buffer): Project | undefined {
  const columns = readColumns(bytes);
  if (!columns) return undefined;
  const kept = new Kept(columns);
  const root = parseManifest(kept.string(0), "package.json");
  const packages = kept.packages(root);
  return {
    root,
    packages,
    graph: kept.graph(packages),
    pathTargets: kept.pathTargets(),
    namedByExternals: kept.namedByExternals(),
    unmatchedGlobs: kept.unmatchedGlobs(),
    lock: undefined,
  };
}

class Kept {
  readonly #strings: Columns["strings"];
  readonly #numbers: Columns["numbers"];

  constructor({ strings, numbers }: Columns) {
    this.#strings = strings;
    this.#numbers = numbers;
  }

  string(number: number | undefined): string {
    return this.#strings[number ?? 0] ?? "";
  }

  packages(root: Project["root"]): KeptPackage[] {
    const { packageName, packageDir } = this.#numbers;
    return Array.from(packageName, (name, place) => {
      const dir = this.string(packageDir[place]);
      const each = new KeptPackage(this.string(name), dir, place, this);
      // Not enumerable, because as a workspace it should show only its name and folder.
      if (dir === ".") Object.defineProperty(each, "manifest", { value: root });
      return each;
    });
  }

  graph(packages: readonly KeptPackage[]): WorkspaceGraph {
    const { edgeTo, packageEdges, edgesByTarget } = this.#numbers;
    return graphOver(packages, {
      all: () =>
        Array.from({ length: edgeTo.length }, (_, edge) => this.#edge(edge)),
      into: (_, workspace) => {
        if (!workspace) return [];
        const { place } = workspace;
        const edges = edgesByTarget.subarray(
          packageEdges[place],
          packageEdges[place + 1],
        );
        return Array.from(edges, (edge) => this.#edge(edge));
      },
    });
  }

  pathTargets(): PathTarget[] {
    const { targetWorkspace, targetPath, targetEvidence } = this.#numbers;
    return Array.from(targetWorkspace, (workspace, target) => ({
      workspace: this.string(workspace),
      path: this.string(targetPath[target]),
      evidence: this.string(targetEvidence[target]),
    }));
  }

  namedByExternals(): NamedByExternals {
    const { namingWorkspace, namedName } = this.#numbers;
    const all = new Map<string, Set<string>>();
    for (const [at, number] of namingWorkspace.entries()) {
      const workspace = this.string(number);
      const names = all.get(workspace) ?? new Set();
      all.set(workspace, names.add(this.string(namedName[at])));
    }
    return all;
  }

  unmatchedGlobs(): string[] {
    return Array.from(this.#numbers.unmatchedGlob, (glob) => this.string(glob));
  }

  dependenciesOf(place: number): Dependency[] {
    const {
      packageDependencies,
      dependencyIdent,
      dependencyRange,
      dependencyField,
    } = this.#numbers;
    const dependencies: Dependency[] = [];
    const end = packageDependencies[place + 1] ?? 0;
    for (let at = packageDependencies[place] ?? 0; at < end; at++) {
      const field = dependencyField[at] ?? 0;
      dependencies.push({
        ident: this.string(dependencyIdent[at]),
        range: this.string(dependencyRange[at]),
        field: DEPENDENCY_FIELDS[field % OPTIONAL] ?? "dependencies",
        ...(field >= OPTIONAL && { isOptional: true }),
      });
    }
    return dependencies;
  }

  #edge(edge: number): Edge {
    const { packageName, edgeFrom, edgeTo, edgeKind, edgeEvidence } =
      this.#numbers;
    return {
      from: this.string(packageName[edgeFrom[edge] ?? 0]),
      to: this.string(packageName[edgeTo[edge] ?? 0]),
      kind: KINDS[edgeKind[edge] ?? 0] ?? "dependencies",
      evidence: this.string(edgeEvidence[edge]),
    };
  }
}

/** A package whose dependencies are decoded on first use. */
class KeptPackage implements PackageFacts {
  readonly name: string;
  readonly dir: string;
  declare readonly manifest?: NonNullable<PackageFacts["manifest"]>;
  readonly #place: number;
  readonly #kept: Kept;
  #dependencies: readonly Dependency[] | undefined;

  constructor(name: string, dir: string, place: number, kept: Kept) {
    this.name = name;
    this.dir = dir;
    this.#place = place;
    this.#kept = kept;
  }

  /** Its index among all packages. */
  get place(): number {
    return this.#place;
  }

  get dependencies(): readonly Dependency[] {
    return (this.#dependencies ??= this.#kept.dependenciesOf(this.#place));
  }
}
