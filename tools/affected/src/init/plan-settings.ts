import { compileGlobs } from "@skein/workspaces";
import { memberOf, readJson, type Literal } from "./knowledge/literal.js";
import type { Knowledge, Look } from "./look.js";
import type { Part } from "./plan-init.js";

type Section = Readonly<Record<string, Literal>>;

/**
 * Writes skein.json with the settings that differ from the defaults, if there are any. It leaves an existing file
 * alone; then the plan names the settings of another tool that it lacks.
 * @param workflow the file name of the workflow that plans and judges; undefined if none is written
 */
export function planSettings(
  look: Look,
  knowledge: Knowledge | undefined,
  workflow: string | undefined,
): Part {
  const path = "skein.json";
  const settings = settingsOf(look, knowledge, workflow);
  const before = look.files[path];
  if (before !== undefined) return keep(path, before, settings);
  if (Object.keys(settings).length === 0)
    return { files: [], kept: [], notes: [] };
  return {
    files: [
      {
        path,
        before,
        after: `${JSON.stringify(settings, null, 2)}\n`,
        why: knowledge
          ? `the settings of ${knowledge.file}, and those that differ from the defaults`
          : "the settings that differ from the defaults",
      },
    ],
    kept: [],
    notes: [],
  };
}

function settingsOf(
  look: Look,
  knowledge: Knowledge | undefined,
  workflow: string | undefined,
): Section {
  const { packages, isBranchFound, defaultBranch, unowned } = look;
  const matching = (knowledge?.everything ?? []).filter((glob) => {
    const matches = compileGlobs([glob]);
    return unowned.some((path) => matches(path));
  });
  const affected = present({
    unowned: Object.fromEntries(matching.map((glob) => [glob, "everything"])),
    inputs: knowledge?.inputs ?? {},
    implicitDependencies: knowledge?.implicitDependencies ?? {},
  });
  const hasTests = packages.some(
    ({ dir, scripts }) => dir !== "." && scripts["test"] !== undefined,
  );
  const root = packages.find(({ dir }) => dir === ".");
  // If only the root has tests, its script is the only one to run.
  const isRootOnly = !hasTests && root?.scripts["test"] !== undefined;
  return present({
    ...(isBranchFound ? {} : { defaultBranch }),
    ...(workflow === undefined || workflow === "ci.yml" ? {} : { workflow }),
    pipeline: knowledge?.pipeline ?? {},
    affected,
    // A budget needs an end of the lead time that doesn't depend on which events are recorded.
    metrics: workflow === undefined ? {} : { until: "merged" },
    dispatch: isRootOnly ? { application: { test: "test" } } : {},
  });
}

/** Returns the members that are not empty. */
function present(section: Section): Section {
  return Object.fromEntries(
    Object.entries(section).filter(
      ([, value]) =>
        typeof value !== "object" ||
        value === null ||
        Object.keys(value).length > 0,
    ),
  );
}

/** Leaves a person's file alone, and names the settings of the other tool that it lacks. */
function keep(path: string, before: string, settings: Section): Part {
  const there = readJson(before);
  const lacking = Object.entries(settings).flatMap(([name, value]) =>
    name === "affected"
      ? Object.keys(value as Section)
          .filter(
            (inner) => memberOf(memberOf(there, name), inner) === undefined,
          )
          .map((inner) => `affected.${inner}`)
      : memberOf(there, name) === undefined
        ? [name]
        : [],
  );
  const words = lacking
    .map((name) => {
      const value = name
        .split(".")
        .reduce<Literal>((inner, part) => memberOf(inner, part), settings);
      return `${JSON.stringify(name)}: ${JSON.stringify(value)}`;
    })
    .join(", ");
  return {
    files: [],
    kept: [
      {
        path,
        why:
          lacking.length === 0
            ? "it already exists"
            : `it already exists; consider ${words}`,
        isStale: false,
      },
    ],
    notes: [],
  };
}
