import { addTo } from "@skein/reporting/group-by";
import { orderUnits } from "./order-units.js";
import { dependenciesOf, type Dependency, type Pipeline } from "./pipeline.js";
import type { Unit, UnitId, UnitPlan } from "../unit.js";

/** The properties of a package that matter for running its scripts. */
export interface RunnableWorkspace {
  readonly name: string;
  /** The folder, relative to the project's root, with `/` between the parts; `.` for the root. */
  readonly dir: string;
  readonly version?: string;
  readonly scripts: Readonly<Record<string, string>>;
}

export interface PlanUnitsInput {
  /** All packages of the project, because the pipeline may add any of them. */
  readonly workspaces: readonly RunnableWorkspace[];
  /**
   * `from` depends on `to`; both are names. Edges of the kind `source` are those that no manifest declares: if packages
   * wait for each other, one of these is left out first.
   */
  readonly edges: readonly {
    readonly from: string;
    readonly to: string;
    readonly kind?: string;
  }[];
  /** The names of the packages whose scripts are to run. Default: all. */
  readonly selected?: readonly string[];
  readonly scripts: readonly string[];
  /** The arguments for the requested scripts. Scripts that the pipeline adds don't get them. */
  readonly args?: readonly string[];
  readonly pipeline?: Pipeline;
}

/**
 * Decides which units a run has and what each waits for. Pure. A package without the script still has a unit, so that
 * the order is transitive: a waits for c's build although b between them builds nothing.
 */
export function planUnits(input: PlanUnitsInput): UnitPlan {
  const workspaces = new Map(input.workspaces.map((w) => [w.name, w]));
  const dependencies = neighbours(input.edges);
  const pipeline = input.pipeline ?? {};
  const units = new Map<UnitId, Unit>();
  const queue: Unit[] = [];

  const add = (name: string, script: string, pulledIn: boolean) => {
    const workspace = workspaces.get(name);
    if (workspace === undefined) return undefined;
    const id = unitId(name, script);
    if (units.has(id)) return id;
    const unit: Unit = {
      id,
      workspace: name,
      version: workspace.version ?? "",
      dir: workspace.dir,
      script,
      command: Object.hasOwn(workspace.scripts, script)
        ? workspace.scripts[script]
        : undefined,
      args: pulledIn ? [] : (input.args ?? []),
      pulledIn,
      dependsOn: [],
    };
    units.set(id, unit);
    queue.push(unit);
    return id;
  };

  for (const name of input.selected ?? workspaces.keys())
    for (const script of input.scripts) add(name, script, false);
  const waits = new Map<UnitId, Set<UnitId>>();
  const declared = new Set(
    input.edges.flatMap(({ from, to, kind }) =>
      kind === "source" ? [] : [pairOf(from, to)],
    ),
  );
  const workspaceOf = (id: UnitId) => units.get(id)?.workspace ?? "";
  // Units that the pipeline adds join the queue while it is walked.
  for (const unit of queue) {
    const ids = new Set<UnitId>();
    const { workspace, script } = unit;
    for (const dependency of dependenciesOf(pipeline, workspace, script)) {
      for (const name of targets(dependency, workspace, dependencies)) {
        const id = add(name, dependency.script, true);
        if (id !== undefined) ids.add(id);
      }
    }
    waits.set(unit.id, ids);
  }

  const { order, dependsOn, broken } = orderUnits(
    [...waits].map(([id, ids]) => ({ id, dependsOn: [...ids] })),
    (from, to) => {
      const [user, used] = [workspaceOf(from), workspaceOf(to)];
      return user !== used && !declared.has(pairOf(user, used));
    },
  );
  return {
    units: order.flatMap((id) => {
      const unit = units.get(id);
      return unit ? [{ ...unit, dependsOn: dependsOn.get(id) ?? [] }] : [];
    }),
    broken,
  };
}

function pairOf(from: string, to: string): string {
  return `${from} ${to}`;
}

/** Returns the id of a package's script. */
function unitId(workspace: string, script: string): UnitId {
  return `${workspace}#${script}`;
}

function targets(
  dependency: Dependency,
  workspace: string,
  dependencies: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  switch (dependency.kind) {
    case "same-package":
      return [workspace];
    case "package":
      return [dependency.workspace];
    case "dependencies":
      return dependencies.get(workspace) ?? [];
  }
}

/**
 * Returns the direct dependencies of each package. A package that names itself (a self-reference) doesn't wait for
 * itself.
 */
function neighbours(
  edges: PlanUnitsInput["edges"],
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { from, to } of edges) {
    if (from === to) continue;
    addTo(found, from, to);
  }
  return found;
}
