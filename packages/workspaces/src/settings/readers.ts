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

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>;
/** Reads a value of one kind, or says at its place why it is none. */
export type Reader<T> = (value: unknown, at: At) => T;

/** A place in the file, for the error. */
export interface At {
  readonly field: string;
  /** The place of one of its members. */
  member(name: string): At;
  fail(sentence: string, known?: readonly string[]): never;
}

/** Complains about a field that is not among the known. */
export function checkNames(
  value: Json,
  known: readonly string[],
  at: At,
): void {
  for (const name of Object.keys(value)) {
    const member = at.member(name);
    if (!known.includes(name))
      member.fail(`${quoted(member)} is no setting of Skein`, known);
  }
}

/** A JSON object. */
export const object: Reader<Json> = (value, at) =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Json)
    : at.fail(`${quoted(at)} must be an object`);

/** A text that is not empty. */
export const string: Reader<string> = (value, at) =>
  typeof value === "string" && value !== ""
    ? value
    : at.fail(`${quoted(at)} must be a text that is not empty`);

/** A list of texts. */
export const strings: Reader<readonly string[]> = (value, at) =>
  Array.isArray(value) && value.every((member) => typeof member === "string")
    ? value
    : at.fail(`${quoted(at)} must be a list of texts`);

/** An object whose members are all of one kind. */
export const recordOf =
  <T>(reader: Reader<T>): Reader<Readonly<Record<string, T>>> =>
  (value, at) =>
    Object.fromEntries(
      Object.entries(object(value, at)).map(([name, member]) => [
        name,
        reader(member, at.member(name)),
      ]),
    );

/** One of a few words. */
export const oneOf =
  <T extends string>(...choices: readonly T[]): Reader<T> =>
  (value, at) =>
    choices.find((choice) => choice === value) ??
    at.fail(
      `${quoted(at)} must be ${choices.map((choice) => `"${choice}"`).join(" or ")}`,
    );

/** A number within bounds. */
export const number =
  (least: number, most: number): Reader<number> =>
  (value, at) =>
    typeof value === "number" && value >= least && value <= most
      ? value
      : at.fail(`${quoted(at)} must be a number from ${least} to ${most}`);

/** A whole number within bounds. */
export const whole =
  (least: number, most: number): Reader<number> =>
  (value, at) =>
    Number.isInteger(number(least, most)(value, at))
      ? (value as number)
      : at.fail(`${quoted(at)} must be a whole number`);

/** Yes or no. */
export const boolean: Reader<boolean> = (value, at) =>
  typeof value === "boolean"
    ? value
    : at.fail(`${quoted(at)} must be true or false`);

/** A field as it is called in a message. */
export function quoted({ field }: At): string {
  return field === "" ? "skein.json" : `"${field}"`;
}
