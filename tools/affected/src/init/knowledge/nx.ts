import type { Knowledge, Look, LookPackage } from "../look.js";
import { collect, type Collector } from "./collect.js";
import {
  entriesOf,
  itemsOf,
  memberOf,
  readJson,
  stringsOf,
} from "./literal.js";
import type { Literal } from "./literal.js";

/**
 * Reads nx.json (`targetDefaults` with `dependsOn` and `inputs`, `namedInputs`) and each package's `implicitDependencies`
 * (project.json, or `nx` in package.json).
 * @see https://nx.dev/docs/reference/nx-json
 */
export function nxKnowledge({ files, packages }: Look): Knowledge | undefined {
  const text = files["nx.json"];
  if (text === undefined) return undefined;
  const settings = readJson(text);
  const found = collect("nx", "nx.json", packages);
  if (settings === undefined) found.note("it is not JSON, and is not imported");
  const projects = packages.map((each) => projectOf(each, files));
  const nameOf = new Map(projects.map(({ title, name }) => [title, name]));
  const named = memberOf(settings, "namedInputs");
  for (const [target, value] of entriesOf(
    memberOf(settings, "targetDefaults"),
  )) {
    // A key such as `@nx/jest:jest` is an executor. It matches no script, so `before` and `inputs` ignore it.
    const before = itemsOf(memberOf(value, "dependsOn")).flatMap((each) =>
      wordsOf(each, nameOf),
    );
    found.before(target, before);
    takeInputs(
      found,
      target,
      expand(itemsOf(memberOf(value, "inputs")), named),
    );
  }
  for (const { name, implicit } of projects) {
    for (const word of implicit.filter((each) => each.startsWith("!")))
      found.note(
        `${name} has the implicit dependency ${word}, which removes one; it is not imported`,
      );
    found.implicit(
      name,
      implicit.flatMap((word) =>
        word === "*" ? [...nameOf.values()] : (nameOf.get(word) ?? []),
      ),
    );
  }
  return found.done();
}

interface Project {
  /** The name of the package. */
  readonly name: string;
  /** The name of the project in Nx. */
  readonly title: string;
  readonly implicit: readonly string[];
}

function projectOf({ name, dir }: LookPackage, files: Look["files"]): Project {
  const read = (file: string) =>
    readJson(files[dir === "." ? file : `${dir}/${file}`] ?? "undefined");
  const project = read("project.json");
  const own = memberOf(read("package.json"), "nx");
  const title = memberOf(project, "name") ?? memberOf(own, "name");
  return {
    name,
    title: typeof title === "string" ? title : name,
    implicit: [project, own].flatMap((each) =>
      stringsOf(memberOf(each, "implicitDependencies")),
    ),
  };
}

/**
 * Converts an entry of `dependsOn`: `^build`, `build`, `project:build`, or
 * `{"target": "build", "dependencies": true, "projects": […]}`.
 */
function wordsOf(
  value: Literal,
  nameOf: ReadonlyMap<string, string>,
): readonly string[] {
  if (typeof value === "string") {
    const at = value.indexOf(":");
    const project = nameOf.get(value.slice(0, at));
    return [
      project === undefined ? value : `${project}#${value.slice(at + 1)}`,
    ];
  }
  const target = memberOf(value, "target");
  if (typeof target !== "string") return [];
  const projects = memberOf(value, "projects");
  if (memberOf(value, "dependencies") === true || projects === "dependencies")
    return [`^${target}`];
  const listed =
    typeof projects === "string" ? [projects] : stringsOf(projects);
  return listed.length === 0 || projects === "self"
    ? [target]
    : listed.flatMap((each) => {
        const name = nameOf.get(each);
        return name === undefined ? [] : [`${name}#${target}`];
      });
}

/** Replaces named inputs by their globs. It stops at names that refer to each other in a circle. */
function expand(
  inputs: readonly Literal[],
  named: Literal,
  seen: ReadonlySet<string> = new Set(),
): readonly string[] {
  return inputs.flatMap((each) => {
    if (typeof each !== "string") return [];
    const more = memberOf(named, each);
    if (more === undefined) return [each];
    return seen.has(each)
      ? []
      : expand(itemsOf(more), named, new Set([...seen, each]));
  });
}

/** Adopts only the excluded files. Skein finds the other inputs by itself. */
function takeInputs(
  found: Collector,
  target: string,
  inputs: readonly string[],
): void {
  const start = "!{projectRoot}/";
  found.inputs(
    target,
    inputs
      .filter((glob) => glob.startsWith(start))
      .map((glob) => `!${glob.slice(start.length)}`),
  );
}
