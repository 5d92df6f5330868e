import type { AffectedSettings, Settings, UnownedEffect } from "./settings.js";
import { defaultSettings } from "./settings.js";
import { readCache } from "./cache-settings.js";
import { readDispatch } from "./dispatch-settings.js";
import { readMetrics } from "./metrics-settings.js";
import {
  checkNames,
  object,
  oneOf,
  quoted,
  recordOf,
  SettingsError,
  string,
  strings,
} from "./readers.js";
import type { At, Reader } from "./readers.js";
import { findJsonError } from "../json-error.js";

/**
 * Parses skein.json. Every field has a default. An unknown field is an error, because a misspelt setting without effect
 * could leave a package untested.
 * @throws {SettingsError}
 */
export function parseSettings(text: string): Settings {
  const json = text.replace(/^\uFEFF/, "");
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    const { line, detail } = findJsonError(json);
    throw new SettingsError(detail, { line, field: "" });
  }
  const at = (...path: readonly string[]): At => ({
    field: path.join("."),
    member: (name) => at(...path, name),
    fail(sentence, known) {
      throw new SettingsError(sentence, {
        line: lineOf(json, path),
        field: path.join("."),
        ...(known && { known }),
      });
    },
  });

  const top = at();
  const fields = object(value, top);
  const read = <T>(name: string, reader: Reader<T>, otherwise: T): T =>
    fields[name] === undefined
      ? otherwise
      : reader(fields[name], top.member(name));
  checkNames(
    fields,
    [
      "$schema",
      "defaultBranch",
      "workflow",
      "affected",
      "tags",
      "pipeline",
      "cache",
      "dispatch",
      "metrics",
      "migrate",
    ],
    top,
  );
  const affected = read("affected", object, {});
  const defaults = defaultSettings.affected;
  checkNames(affected, Object.keys(defaults), top.member("affected"));
  const member = <Key extends keyof AffectedSettings>(
    name: Key,
    reader: Reader<AffectedSettings[Key]>,
  ) =>
    affected[name] === undefined
      ? defaults[name]
      : reader(affected[name], top.member("affected").member(name));
  const migrate = read("migrate", object, {});
  checkNames(
    migrate,
    Object.keys(defaultSettings.migrate),
    top.member("migrate"),
  );
  const migrateMember = <T>(name: string, reader: Reader<T>, otherwise: T): T =>
    migrate[name] === undefined
      ? otherwise
      : reader(migrate[name], top.member("migrate").member(name));
  return {
    defaultBranch: read("defaultBranch", string, undefined),
    workflow: read("workflow", string, defaultSettings.workflow),
    tags: read("tags", recordOf(strings), {}),
    pipeline: read("pipeline", recordOf(pipelineEntry), {}),
    cache: readCache(fields["cache"], top.member("cache")),
    dispatch: readDispatch(fields["dispatch"], top.member("dispatch")),
    metrics: readMetrics(fields["metrics"], top.member("metrics")),
    migrate: {
      protectedBranches: migrateMember("protectedBranches", strings, []),
      ownVersions: migrateMember("ownVersions", recordOf(strings), {}),
    },
    affected: {
      ignore: member("ignore", strings),
      unowned: member("unowned", (list, place) =>
        Object.entries(recordOf(unownedEffect)(list, place)),
      ),
      documentation: member("documentation", strings),
      tests: member("tests", strings),
      inputs: member("inputs", recordOf(strings)),
      implicitDependencies: member("implicitDependencies", recordOf(strings)),
      rootDependencies: member(
        "rootDependencies",
        oneOf("used", "everything", "root"),
      ),
      evidence: member("evidence", oneOf("off", "guesses", "full")),
      bundlesDependencies: member("bundlesDependencies", strings),
    },
  };
}

const unownedEffect: Reader<UnownedEffect> = (value, at) =>
  value === "nothing" || value === "everything"
    ? value
    : Array.isArray(value)
      ? strings(value, at)
      : at.fail(
          `${quoted(at)} must be "nothing", "everything" or a list of package names`,
        );

/** Reads `["^build"]`, or `{"dependsOn": ["^build"]}` as other tools write it. */
const pipelineEntry: Reader<readonly string[]> = (value, at) => {
  if (Array.isArray(value)) return strings(value, at);
  const { dependsOn = [], ...others } = object(value, at);
  checkNames(others, ["dependsOn"], at);
  return strings(dependsOn, at.member("dependsOn"));
};

/** Returns the first line with the field's own name after the names of its parents. */
function lineOf(text: string, path: readonly string[]): number {
  let position = 0;
  for (const part of path) {
    const found = text.indexOf(JSON.stringify(part), position);
    if (found >= 0) position = found;
  }
  return text.slice(0, position).split("\n").length;
}
