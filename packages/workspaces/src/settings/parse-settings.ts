import type { AffectedSettings, Settings, UnownedEffect } from "./settings.js";
import { defaultSettings } from "./settings.js";

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
  fail(sentence: string, known?: readonly string[]): never;
}

/**
 * Parses skein.json. Every field has a default; an unknown field is an error, because a misspelt setting that does
 * nothing is a package left untested.
 * @throws {SettingsError}
 */
export function parseSettings(text: string): Settings {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    const { message } = error as SyntaxError;
    const position = Number(/position (\d+)/.exec(message)?.[1] ?? text.length);
    throw new SettingsError(message, {
      line: text.slice(0, position).split("\n").length,
      field: "",
    });
  }
  const at = (field: string): At => ({
    field,
    fail(sentence, known) {
      throw new SettingsError(sentence, {
        line: lineOf(text, field),
        field,
        ...(known && { known }),
      });
    },
  });

  const fields = object(value, at(""));
  const read = <T>(
    of: Json,
    name: string,
    field: string,
    reader: Reader<T>,
    otherwise: T,
  ): T => (of[name] === undefined ? otherwise : reader(of[name], at(field)));
  checkNames(
    fields,
    ["$schema", "defaultBranch", "workflow", "affected", "tags", "pipeline"],
    "",
    at,
  );
  const affected = read(fields, "affected", "affected", object, {});
  const defaults = defaultSettings.affected;
  checkNames(affected, Object.keys(defaults), "affected.", at);
  const member = <Key extends keyof AffectedSettings>(
    name: Key,
    reader: Reader<AffectedSettings[Key]>,
  ) => read(affected, name, `affected.${name}`, reader, defaults[name]);
  return {
    defaultBranch: read(
      fields,
      "defaultBranch",
      "defaultBranch",
      string,
      undefined,
    ),
    workflow: read(
      fields,
      "workflow",
      "workflow",
      string,
      defaultSettings.workflow,
    ),
    tags: read(fields, "tags", "tags", recordOf(strings), {}),
    pipeline: read(fields, "pipeline", "pipeline", recordOf(pipelineEntry), {}),
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

function checkNames(
  value: Json,
  known: readonly string[],
  prefix: string,
  at: (field: string) => At,
): void {
  for (const name of Object.keys(value)) {
    if (!known.includes(name))
      at(`${prefix}${name}`).fail(
        `"${prefix}${name}" is no setting of Skein`,
        known,
      );
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
        reader(member, { ...at, field: `${at.field}.${name}` }),
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
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    at.fail(`"${at.field}.${unknown}" is no setting of Skein`, ["dependsOn"]);
  return strings(dependsOn, at);
};

function quoted({ field }: At): string {
  return field === "" ? "skein.json" : `"${field}"`;
}

/** The first line that holds the field's own name, looked for behind each of its parents. */
function lineOf(text: string, field: string): number {
  let position = 0;
  for (const part of field.split(".")) {
    const found =
      part === "" ? -1 : text.indexOf(JSON.stringify(part), position);
    if (found >= 0) position = found;
  }
  return text.slice(0, position).split("\n").length;
}
