/**
 * The scripts that a script waits for: `build` is the same package's script, `^build` that of every package it depends
 * on, `name#build` that of one package. The short form is just the array.
 */
export type PipelineEntry =
  | readonly string[]
  | { readonly dependsOn?: readonly string[] };

/**
 * Settings by script, as in `pipeline` of skein.json. An entry with the name of a package, `name#build`, replaces the entry
 * `build` for this package.
 */
export type Pipeline = Readonly<Record<string, PipelineEntry>>;

/** A parsed dependency of a script. */
export type Dependency =
  | { readonly kind: "same-package"; readonly script: string }
  | { readonly kind: "dependencies"; readonly script: string }
  | {
      readonly kind: "package";
      readonly workspace: string;
      readonly script: string;
    };

/** Returns what a package's script waits for, in the order of the settings; empty if they don't contain the script. */
export function dependenciesOf(
  pipeline: Pipeline,
  workspace: string,
  script: string,
): readonly Dependency[] {
  const key = [`${workspace}#${script}`, script].find((each) =>
    Object.hasOwn(pipeline, each),
  );
  const entry = key === undefined ? [] : (pipeline[key] ?? []);
  const list = isList(entry) ? entry : (entry.dependsOn ?? []);
  return list.map(parseDependency);
}

function isList(entry: PipelineEntry): entry is readonly string[] {
  return Array.isArray(entry);
}

function parseDependency(text: string): Dependency {
  if (text.startsWith("^"))
    return { kind: "dependencies", script: text.slice(1) };
  const hash = text.indexOf("#");
  if (hash <= 0) return { kind: "same-package", script: text };
  return {
    kind: "package",
    workspace: text.slice(0, hash),
    script: text.slice(hash + 1),
  };
}
