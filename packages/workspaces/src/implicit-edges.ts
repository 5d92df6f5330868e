import type { Edge } from "./graph.js";
import { makeGraph } from "./make-graph.js";
import type { Project } from "./project.js";
import { nameMatcher, namesThat } from "./query/patterns.js";
import type { Settings } from "./settings/settings.js";

/** Returns a project with the additional edges of `implicitDependencies` in skein.json. */
export function withImplicitEdges(
  project: Project,
  { affected }: Pick<Settings, "affected">,
): Project {
  const rules = Object.entries(affected.implicitDependencies);
  if (rules.length === 0) return project;
  const { graph } = project;
  const named = namesThat([...graph.workspaces.keys()]);
  const edges = rules.flatMap(([pattern, targets]) =>
    named([pattern]).flatMap((from) =>
      named(targets)
        .filter((to) => to !== from)
        .map((to): Edge => ({
          from,
          to,
          kind: "implicit",
          evidence: `skein.json: ${pattern}`,
        })),
    ),
  );
  return {
    ...project,
    graph: makeGraph(
      [...graph.workspaces.values()],
      [...graph.edges, ...edges],
    ),
  };
}

/**
 * Returns names in skein.json that no package has. A misspelt name has no effect, so it usually causes a missing edge,
 * or a package that a filter doesn't select.
 * @param projects base and head, because a setting may concern a package that is being removed
 */
export function unknownNames(
  projects: readonly Project[],
  {
    affected,
    tags,
    dispatch,
    pipeline,
  }: Pick<Settings, "affected" | "tags" | "dispatch" | "pipeline">,
): { readonly field: string; readonly name: string }[] {
  const known = (test: (name: string) => boolean) =>
    projects.some(({ graph }) => [...graph.workspaces.keys()].some(test));
  const targets = [
    ...Object.entries(affected.implicitDependencies).flatMap(
      ([pattern, names]) => [
        { field: "affected.implicitDependencies", name: pattern },
        ...names.map((name) => ({
          field: `affected.implicitDependencies.${pattern}`,
          name,
        })),
      ],
    ),
    ...affected.unowned.flatMap(([glob, effect]) =>
      typeof effect === "string"
        ? []
        : effect.map((name) => ({ field: `affected.unowned.${glob}`, name })),
    ),
    ...affected.bundlesDependencies.map((name) => ({
      field: "affected.bundlesDependencies",
      name,
    })),
    ...Object.keys(tags).map((name) => ({ field: "tags", name })),
    ...Object.entries(dispatch.pools).flatMap(([pool, names]) =>
      names.map((name) => ({ field: `dispatch.pools.${pool}`, name })),
    ),
  ];
  const units = Object.entries(pipeline).flatMap(([key, words]) => [
    { field: "pipeline", unit: key },
    ...words.map((unit) => ({ field: `pipeline.${key}`, unit })),
  ]);
  return [
    ...targets.filter(({ name }) => !known(nameMatcher(name))),
    // Here `*` is part of a name.
    ...units.flatMap(({ field, unit }) => {
      const [, name] = /^(?!\^)(.+?)#/.exec(unit) ?? [];
      return name === undefined || known((each) => each === name)
        ? []
        : [{ field, name }];
    }),
  ];
}
