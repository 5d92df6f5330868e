import type { AffectedSettings, Settings, UnownedEffect } from "./settings.js";
import { defaultSettings } from "./settings.js";
import { lineOfJsonError } from "../json-error.js";

/** skein.json says something Skein does not understand: where, what, and what may have been meant. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
  /** 1-based. */
  readonly line: number;
  /** The field, with dots: `affected.ignore`; empty for the whole file. */
  readonly field: string;
  /** The fields that could stand there, for an unknown one. */
  readonly known: readonly string[];

  constructor(
    message: string,
    {
      line,
      field,
      known = [],
    }: { line: number; field: string; known?: readonly string[] },
  ) {
    super(message);
    this.line = line;
    this.field = field;
    this.known = known;
  }
}

type Json = Readonly<Record<string, unknown>>;
type Reader<T> = (value: unknown, at: At) => T;

/** A place in the file, for the error. */
interface At {
  readonly field: string;
  /** The place of one of its members. */
  member(name: string): At;
  fail(sentence: string, known?: readonly string[]): never;
}

/**
 * Parses skein.json. Every field has a default; an unknown field is an error, because a misspelt setting that does
 * nothing is a package left untested.
 * @throws {SettingsError}
 */
export function parseSettings(text: string): Settings {
  const json = text.replace(/^\uFEFF/, "");
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    const line = lineOfJsonError(json);
    throw new SettingsError((error as SyntaxError).message, {
      line,
      field: "",
    });
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
    ["$schema", "defaultBranch", "workflow", "affected", "tags", "pipeline"],
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
  return {
    defaultBranch: read("defaultBranch", string, undefined),
    workflow: read("workflow", string, defaultSettings.workflow),
    tags: read("tags", recordOf(strings), {}),
    pipeline: read("pipeline", recordOf(pipelineEntry), {}),
    affected: {
      ignore: member("ignore", strings),
      unowned: member("unowned", (list, place) =>
        Object.entries(recordOf(unownedEffect)(list, place)),
      ),
      documentation: member("documentation", strings),
      tests: member("tests", strings),
      inputs: member("inputs", recordOf(strings)),
      implicitDependencies: member("implicitDependencies", recordOf(strings)),
      rootDependencies: member("rootDependencies", oneOf("everything", "root")),
    },
  };
}

function checkNames(value: Json, known: readonly string[], at: At): void {
  for (const name of Object.keys(value)) {
    const member = at.member(name);
    if (!known.includes(name))
      member.fail(`${quoted(member)} is no setting of Skein`, known);
  }
}

const object: Reader<Json> = (value, at) =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Json)
    : at.fail(`${quoted(at)} must be an object`);

const string: Reader<string> = (value, at) =>
  typeof value === "string" && value !== ""
    ? value
    : at.fail(`${quoted(at)} must be a text that is not empty`);

const strings: Reader<readonly string[]> = (value, at) =>
  Array.isArray(value) && value.every((member) => typeof member === "string")
    ? value
    : at.fail(`${quoted(at)} must be a list of texts`);

const recordOf =
  <T>(reader: Reader<T>): Reader<Readonly<Record<string, T>>> =>
  (value, at) =>
    Object.fromEntries(
      Object.entries(object(value, at)).map(([name, member]) => [
        name,
        reader(member, at.member(name)),
      ]),
    );

const oneOf =
  <T extends string>(...choices: readonly T[]): Reader<T> =>
  (value, at) =>
    choices.find((choice) => choice === value) ??
    at.fail(
      `${quoted(at)} must be ${choices.map((choice) => `"${choice}"`).join(" or ")}`,
    );

const unownedEffect: Reader<UnownedEffect> = (value, at) =>
  value === "nothing" || value === "everything"
    ? value
    : Array.isArray(value)
      ? strings(value, at)
      : at.fail(
          `${quoted(at)} must be "nothing", "everything" or a list of package names`,
        );

/** `["^build"]`, or `{"dependsOn": ["^build"]}` as other tools write it. */
const pipelineEntry: Reader<readonly string[]> = (value, at) => {
  if (Array.isArray(value)) return strings(value, at);
  const { dependsOn = [], ...others } = object(value, at);
  checkNames(others, ["dependsOn"], at);
  return strings(dependsOn, at.member("dependsOn"));
};

function quoted({ field }: At): string {
  return field === "" ? "skein.json" : `"${field}"`;
}

/** The first line that holds the field's own name, looked for behind each of its parents. */
function lineOf(text: string, path: readonly string[]): number {
  let position = 0;
  for (const part of path) {
    const found = text.indexOf(JSON.stringify(part), position);
    if (found >= 0) position = found;
  }
  return text.slice(0, position).split("\n").length;
}
