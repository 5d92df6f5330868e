import { FIELDS, namesIn } from "@skein/known-tools";
import { EACH_OWNER, type ReferenceKind } from "../reference.js";
import type { Node } from "jsonc-parser";
import { at, propertiesOf, stringsOf, type JsonString } from "./json.js";
import { addPath, GOES_UP } from "./path-strings.js";
import type { Collector } from "./positions.js";
import { wildAt } from "./wild.js";

/** Returns the kind of reference that a field of a tool's settings makes. */
function kindOf(field: string): ReferenceKind {
  const names = FIELDS.get(field)?.names;
  if (names === "tasks") return "name-string";
  return names === "shared" ? "extends" : "config";
}

/** A task of one package: `a#test`. */
const OF_PACKAGE = /^(@?[\w-][\w./-]*)#([\w:-]+)$/;
/** A task of the root. */
const OF_ROOT = /^\/\/#([\w:.-]+)$/;
/** The project's root in Turborepo's settings. */
const TOP = "$TURBO_ROOT$/";

/**
 * Notes the packages and files that a task of one package needs, in settings that list the tasks of all. A task without a
 * package is one of every package that has a script of its name.
 */
export function addNeededTasks(
  task: string,
  needed: readonly JsonString[],
  found: Collector,
): void {
  const [, owner = EACH_OWNER, name = task] = OF_PACKAGE.exec(task) ?? [];
  if (!/^[\w:.-]+$/.test(name)) return;
  const suffix = `${owner}/${name.replaceAll(":", "-")}`;
  for (const { text, offset } of needed) {
    const top = OF_ROOT.exec(text)?.[1];
    if (top !== undefined)
      found.add(`-T ${top}`, "script-call", offset, true, suffix);
    const path = text.startsWith(TOP) ? `./${text.slice(TOP.length)}` : text;
    for (const target of /^\.\.?\//.test(path)
      ? [path]
      : namesIn("dependsOn", text))
      found.add(target.replace(/\*.*/, ""), "task", offset, true, suffix);
  }
}

/** A path from the project's root in settings of Turborepo and Nx. */
const FROM_TOP = /^(?:\$TURBO_ROOT\$|\{workspaceRoot\})(?=\/)/;

/** Notes the inputs of tasks, outside of the package, in a package's own settings of Nx or Turborepo. */
export function addTaskInputs(settings: Node | undefined, found: Collector) {
  const tasks = ["targets", "tasks"].flatMap((field) =>
    propertiesOf(at(settings, field)).map(({ value }) => at(value, "inputs")),
  );
  for (const inputs of [...tasks, at(settings, "namedInputs")])
    for (const { text, offset } of stringsOf(inputs)) {
      const path = text.replace(FROM_TOP, "");
      if (path !== text)
        addPath({ text: path, partial: false }, offset, found, "config");
    }
}

/** Returns whether a string in a field is a folder that may contain packages other than the one with the settings. */
export function isFolderAbove(field: string, path: string): boolean {
  return FIELDS.get(field)?.names === "folders" && GOES_UP.test(path);
}

/** A file in a field with a bundler's entry points, which begins at the package's folder without a dot. */
const ENTRY_FIELD = /^(?:entry|entryPoints|input)$/;
const ENTRY = /^\w[\w.-]*\/(?:[\w./-]*[*{]|[\w./-]+\.[cm]?[jt]sx?$)/;

/** Notes the target of a string in a field of a tool's settings. */
export function addSetting(
  field: string,
  { text, offset }: JsonString,
  found: Collector,
): void {
  // `<rootDir>` is the file's folder unless `rootDir` is set; in that case, its own string is noted too.
  const path =
    ENTRY_FIELD.test(field) && ENTRY.test(text)
      ? `./${text}`
      : text.replace(/^<rootDir>\/?/, "./");
  const wild = wildAt(path);
  // A pattern that excludes files.
  if (wild > 0 && path.startsWith("!")) return;
  const folder = FIELDS.get(field)?.names === "folders";
  // Everything in these packages counts.
  const isAbove = isFolderAbove(field, path);
  const isTask = FIELDS.get(field)?.names === "tasks";
  // A pattern isn't the short name of a package; the name of a loader may have a query.
  const isPattern = wild >= 0 && path[wild] !== "?";
  for (const name of isPattern ? [path] : namesIn(field, path)) {
    // Nx and moon have names of their own for packages.
    if (isTask && wild < 0 && !name.startsWith("@"))
      found.add(`nx ${name}`, "script-call", offset);
    found.add(
      wild >= 0 ? name.slice(0, wildAt(name)) : folder ? `${name}/` : name,
      isAbove || /[^?$]/.test(path[wild] ?? "?") ? "glob" : kindOf(field),
      offset,
      wild >= 0 || folder,
    );
  }
}
