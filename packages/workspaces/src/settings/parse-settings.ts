import type { AffectedSettings, Settings, UnownedEffect } from "./settings.js";
import { defaultSettings } from "./settings.js";
import { readCache } from "./cache-settings.js";
import { readDispatch } from "./dispatch-settings.js";
import { readMetrics } from "./metrics-settings.js";
import {
  checkNames,
  membersOf,
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
  return readTop(value, placeIn(json, []));
}

/** Returns a place in the text of skein.json. */
function placeIn(json: string, path: readonly string[]): At {
  const field = path.join(".");
  return {
    field,
    member: (name) => placeIn(json, [...path, name]),
    fail(sentence, known) {
      const line = lineOf(json, path);
      throw new SettingsError(sentence, {
        line,
        field,
        ...(known && { known }),
      });
    },
  };
}

function readTop(value: unknown, at: At): Settings {
  const member = membersOf(value, at, defaultSettings, ["$schema"]);
  return {
    defaultBranch: member("defaultBranch", string),
    workflow: member("workflow", string),
    tags: member("tags", recordOf(strings)),
    pipeline: member("pipeline", recordOf(pipelineEntry)),
    cache: member("cache", readCache),
    dispatch: member("dispatch", readDispatch),
    metrics: member("metrics", readMetrics),
    migrate: member("migrate", readMigrate),
    affected: member("affected", readAffected),
  };
}

const readMigrate: Reader<Settings["migrate"]> = (value, at) => {
  const member = membersOf(value, at, defaultSettings.migrate);
  return {
    protectedBranches: member("protectedBranches", strings),
    ownVersions: member("ownVersions", recordOf(strings)),
  };
};

const readAffected: Reader<AffectedSettings> = (value, at) => {
  const member = membersOf(value, at, defaultSettings.affected);
  return {
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
  };
};

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
