/**
 * An error for JSON that others wrote and that has the wrong form. Each reader returns the value or throws this error
 * with the place.
 */
export class Malformed extends Error {
  override readonly name = "Malformed";
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** Readers for the members of an object. Their errors name the wrong member. */
export interface Members {
  /** Returns any value; undefined if the member doesn't exist. */
  unknown(name: string): unknown;
  text(name: string): string;
  textOrNull(name: string): string | null;
  /** Undefined if the member doesn't exist. */
  optionalText(name: string): string | undefined;
  number(name: string): number;
  /** A whole number, 0 or more. */
  whole(name: string): number;
  /** Undefined if the member doesn't exist or is null. */
  optionalNumber(name: string): number | undefined;
  boolean(name: string): boolean;
  oneOf<T extends string>(name: string, choices: readonly T[]): T;
  list<T>(name: string, item: (members: Members) => T): readonly T[];
  texts(name: string): readonly string[];
  /** Undefined if the member doesn't exist. */
  optionalTexts(name: string): readonly string[] | undefined;
  object(name: string): Members;
  objectOrNull<T>(name: string, read: (members: Members) => T): T | null;
  /** Undefined if the member doesn't exist. */
  optional<T>(name: string, read: (members: Members) => T): T | undefined;
  numbers(name: string): Readonly<Record<string, number>>;
  words(name: string): Readonly<Record<string, string>>;
}

/**
 * Opens an object for reading.
 * @param place the value's path, for errors: `plan.jobs[3]`
 */
export function members(value: unknown, place: string): Members {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Malformed(`${place} isn't an object`);
  const of = value as JsonObject;
  const wrong = (name: string, what: string): never => {
    throw new Malformed(`${place}.${name} isn't ${what}`);
  };
  const at = (name: string) => (Object.hasOwn(of, name) ? of[name] : undefined);
  const valuesOf = <T>(
    name: string,
    read: (found: Members, key: string) => T,
  ): Readonly<Record<string, T>> => {
    const found = reader.object(name);
    return Object.fromEntries(
      Object.keys(at(name) as JsonObject).map((key) => [key, read(found, key)]),
    );
  };
  const reader: Members = {
    unknown: at,
    text: (name) => {
      const member = at(name);
      return typeof member === "string" ? member : wrong(name, "text");
    },
    textOrNull: (name) => (at(name) === null ? null : reader.text(name)),
    optionalText: (name) =>
      at(name) === undefined ? undefined : reader.text(name),
    number: (name) => {
      const member = at(name);
      return typeof member === "number" && Number.isFinite(member)
        ? member
        : wrong(name, "a number");
    },
    whole: (name) => {
      const member = reader.number(name);
      return Number.isSafeInteger(member) && member >= 0
        ? member
        : wrong(name, "a whole number");
    },
    optionalNumber: (name) =>
      at(name) === undefined || at(name) === null
        ? undefined
        : reader.number(name),
    boolean: (name) => {
      const member = at(name);
      return typeof member === "boolean"
        ? member
        : wrong(name, "true or false");
    },
    oneOf: (name, choices) =>
      choices.find((choice) => choice === at(name)) ??
      wrong(name, choices.join(" or ")),
    list: (name, item) => {
      const member = at(name);
      if (!Array.isArray(member)) return wrong(name, "a list");
      return member.map((each: unknown, index) =>
        item(members(each, `${place}.${name}[${index}]`)),
      );
    },
    texts: (name) => {
      const member = at(name);
      return Array.isArray(member) &&
        member.every((each): each is string => typeof each === "string")
        ? member
        : wrong(name, "a list of texts");
    },
    optionalTexts: (name) =>
      at(name) === undefined ? undefined : reader.texts(name),
    object: (name) => members(at(name), `${place}.${name}`),
    objectOrNull: (name, read) =>
      at(name) === null ? null : read(reader.object(name)),
    optional: (name, read) =>
      at(name) === undefined ? undefined : read(reader.object(name)),
    numbers: (name) => valuesOf(name, (found, key) => found.number(key)),
    words: (name) => valuesOf(name, (found, key) => found.text(key)),
  };
  return reader;
}
