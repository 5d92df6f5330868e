import { isRecord } from "@skein/reporting/is-record";

/** An error for an invalid skein.json, with the place, the field and the valid fields. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
  /** 1-based. */
  readonly line: number;
  /** The field's path with dots: `affected.ignore`; empty for the whole file. */
  readonly field: string;
  /** The fields that are allowed instead of an unknown one. */
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

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>;
/** A function that reads a value of one type, or fails with its place. */
export type Reader<T> = (value: unknown, at: At) => T;

/** A place in the file, for errors. */
export interface At {
  readonly field: string;
  /** Returns the place of one of its members. */
  member(name: string): At;
  fail(sentence: string, known?: readonly string[]): never;
}

/** Fails for a field that isn't known. */
export function checkNames(
  value: Json,
  known: readonly string[],
  at: At,
): void {
  for (const name of Object.keys(value)) {
    const member = at.member(name);
    if (!known.includes(name))
      member.fail(`${quoted(member)} isn't a setting of Skein`, known);
  }
}

/** Reads a JSON object. */
export const object: Reader<Json> = (value, at) =>
  isRecord(value) ? value : at.fail(`${quoted(at)} must be an object`);

/** Reads a text that isn't empty. */
export const string: Reader<string> = (value, at) =>
  typeof value === "string" && value !== ""
    ? value
    : at.fail(`${quoted(at)} must be a non-empty string`);

/** A setting: how it is read, and its value if skein.json doesn't contain it. */
export interface Setting<T> {
  readonly read: Reader<T>;
  readonly fallback: T;
}

/** Makes a setting. */
export function setting<T>(read: Reader<T>, fallback: NoInfer<T>): Setting<T> {
  return { read, fallback };
}

/** Makes a setting that is undefined by default. */
export function optional<T>(read: Reader<T>): Setting<T | undefined> {
  return { read, fallback: undefined };
}

/** The type of a section's values. */
export type ValuesOf<S> = S extends Section<infer T> ? T : never;

/** Settings that are one object of skein.json. */
export interface Section<T> {
  /** The values if skein.json doesn't contain the section. */
  readonly defaults: T;
  readonly read: Reader<T>;
}

/** Settings by name. (From a parameter of type `{ [Name in keyof T]: Setting<T[Name]> }`, the compiler declares nested types as `any`.) */
type Settings = Readonly<Record<string, Setting<unknown>>>;

/**
 * Makes a section of its settings, each with its name.
 * @param others names of members that are ignored
 */
export function section<S extends Settings>(
  settings: S,
  others: readonly string[] = [],
): Section<{ readonly [Name in keyof S]: S[Name]["fallback"] }> {
  const names = Object.keys(settings);
  const each = (valueOf: (name: string, of: Setting<unknown>) => unknown) =>
    Object.fromEntries(
      Object.entries(settings).map(([name, of]) => [name, valueOf(name, of)]),
    ) as { readonly [Name in keyof S]: S[Name]["fallback"] };
  return {
    defaults: each((_, { fallback }) => fallback),
    read: (value, at) => {
      const fields = object(value, at);
      checkNames(fields, [...others, ...names], at);
      return each((name, { read, fallback }) =>
        fields[name] === undefined
          ? fallback
          : read(fields[name], at.member(name)),
      );
    },
  };
}

/** Reads a list of texts. */
export const strings: Reader<readonly string[]> = (value, at) =>
  Array.isArray(value) && value.every((member) => typeof member === "string")
    ? value
    : at.fail(`${quoted(at)} must be a list of strings`);

/** Reads an object whose members all have one type. */
export const recordOf =
  <T>(reader: Reader<T>): Reader<Readonly<Record<string, T>>> =>
  (value, at) =>
    Object.fromEntries(
      Object.entries(object(value, at)).map(([name, member]) => [
        name,
        reader(member, at.member(name)),
      ]),
    );

/** Reads one of a few words. */
export const oneOf =
  <T extends string>(...choices: readonly T[]): Reader<T> =>
  (value, at) =>
    choices.find((choice) => choice === value) ??
    at.fail(
      `${quoted(at)} must be ${choices.map((choice) => `"${choice}"`).join(" or ")}`,
    );

/** Reads a number within bounds. */
export const number =
  (least: number, most: number): Reader<number> =>
  (value, at) =>
    typeof value === "number" && value >= least && value <= most
      ? value
      : at.fail(`${quoted(at)} must be a number from ${least} to ${most}`);

/** Reads a whole number within bounds. */
export const whole =
  (least: number, most: number): Reader<number> =>
  (value, at) =>
    Number.isInteger(number(least, most)(value, at))
      ? (value as number)
      : at.fail(`${quoted(at)} must be a whole number`);

/** Reads a boolean. */
export const boolean: Reader<boolean> = (value, at) =>
  typeof value === "boolean"
    ? value
    : at.fail(`${quoted(at)} must be true or false`);

/** Returns a field as it appears in messages. */
export function quoted({ field }: At): string {
  return field === "" ? "skein.json" : `"${field}"`;
}
