import type { Edge, WorkspaceGraph } from "../graph.js";
import { graphOver } from "../make-graph.js";
import { parseManifest } from "../manifest/manifest.js";
import type { Dependency } from "../manifest/manifest.js";
import type {
  NamedByExternals,
  PackageFacts,
  PathTarget,
  Project,
} from "../project.js";
import type { Columns } from "./columns.js";
import { readColumns } from "./columns.js";
import { FIELDS, KINDS, OPTIONAL } from "./keep-project.js";

/**
 * Decodes a project that `keepProject` encoded. It equals the original except for the lockfile, which isn't included,
 * so it is for comparisons in which yarn.lock did not change. Decoding is lazy.
 * @returns undefined for other bytes
 */
export function openKeptProject(bytes: Buffer): Project | undefined {
  const columns = readColumns(bytes);
  if (columns?.numbers.length !== 10) return undefined;
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
  readonly #strings: readonly string[];
  readonly #names: Uint32Array;
  readonly #dirs: Uint32Array;
  readonly #starts: Uint32Array;
  readonly #dependencies: Uint32Array;
  readonly #edges: Uint32Array;
  readonly #targets: Uint32Array;
  readonly #unmatchedGlobs: Uint32Array;
  readonly #namedByExternals: Uint32Array;
  readonly #byTargetStarts: Uint32Array;
  readonly #byTarget: Uint32Array;

  constructor({ strings, numbers }: Columns) {
    const column = (place: number) => numbers[place] ?? new Uint32Array();
    this.#strings = strings;
    this.#names = column(0);
    this.#dirs = column(1);
    this.#starts = column(2);
    this.#dependencies = column(3);
    this.#edges = column(4);
    this.#targets = column(5);
    this.#unmatchedGlobs = column(6);
    this.#namedByExternals = column(7);
    this.#byTargetStarts = column(8);
    this.#byTarget = column(9);
  }

  string(number: number | undefined): string {
    return this.#strings[number ?? 0] ?? "";
  }

  packages(root: Project["root"]): KeptPackage[] {
    const packages: KeptPackage[] = [];
    for (let place = 0; place < this.#names.length; place++) {
      const name = this.string(this.#names[place]);
      const dir = this.string(this.#dirs[place]);
      const each = new KeptPackage(name, dir, place, this);
      // Not enumerable, because as a workspace it should show only its name and folder.
      if (dir === ".") Object.defineProperty(each, "manifest", { value: root });
      packages.push(each);
    }
    return packages;
  }

  graph(packages: readonly KeptPackage[]): WorkspaceGraph {
    return graphOver(packages, {
      all: () =>
        Array.from({ length: this.#edges.length / 4 }, (_, edge) =>
          this.#edge(edge),
        ),
      into: (_, workspace) => {
        if (!workspace) return [];
        const { place } = workspace;
        const [from, to] = [
          this.#byTargetStarts[place],
          this.#byTargetStarts[place + 1],
        ];
        return Array.from(this.#byTarget.subarray(from, to), (edge) =>
          this.#edge(edge),
        );
      },
    });
  }

  pathTargets(): PathTarget[] {
    return Array.from({ length: this.#targets.length / 3 }, (_, target) => {
      const [workspace, path, evidence] = this.#targets.subarray(target * 3);
      return {
        workspace: this.string(workspace),
        path: this.string(path),
        evidence: this.string(evidence),
      };
    });
  }

  namedByExternals(): NamedByExternals {
    const pairs = this.#namedByExternals;
    const all = new Map<string, Set<string>>();
    for (let at = 0; at < pairs.length; at += 2) {
      const workspace = this.string(pairs[at]);
      const names = all.get(workspace) ?? new Set();
      all.set(workspace, names.add(this.string(pairs[at + 1])));
    }
    return all;
  }

  unmatchedGlobs(): string[] {
    return Array.from(this.#unmatchedGlobs, (glob) => this.string(glob));
  }

  dependenciesOf(place: number): Dependency[] {
    const dependencies: Dependency[] = [];
    const end = this.#starts[place + 1] ?? 0;
    for (let at = this.#starts[place] ?? 0; at < end; at += 3) {
      const field = this.#dependencies[at + 2] ?? 0;
      dependencies.push({
        ident: this.string(this.#dependencies[at]),
        range: this.string(this.#dependencies[at + 1]),
        field: FIELDS[field % OPTIONAL] ?? "dependencies",
        ...(field >= OPTIONAL && { isOptional: true }),
      });
    }
    return dependencies;
  }

  #edge(edge: number): Edge {
    const [from = 0, to = 0, kind = 0, evidence] = this.#edges.subarray(
      edge * 4,
      edge * 4 + 4,
    );
    return {
      from: this.string(this.#names[from]),
      to: this.string(this.#names[to]),
      kind: KINDS[kind] ?? "dependencies",
      evidence: this.string(evidence),
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
