/**
 * Declarations of JSON that others wrote. Import this file as `json`: `json.object({ id: json.text })` is a reader, and
 * `json.TypeOf` is the type of its values, so a format is declared once.
 */

/** An error for JSON that others wrote and that has the wrong form. */
export class Malformed extends Error {
  override readonly name = "Malformed";
}

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Reads a value: returns it, or throws `Malformed` with its place.
 * @param place the value's path, for errors: `plan.jobs[3]`
 */
export type Reader<T> = (value: unknown, place: string) => T;

/** The type of the values that a reader returns. */
export type TypeOf<R> = R extends Reader<infer T> ? T : never;

/** Makes a reader for values that pass a test. @param what the values, for errors: "text" */
function reader<T>(
  what: string,
  isValid: (value: unknown) => value is T,
): Reader<T> {
  return (value, place) => {
    if (!isValid(value)) throw new Malformed(`${place} isn't ${what}`);
    return value;
  };
}

export const text = reader("text", (it) => typeof it === "string");
export const number = reader("a number", (it): it is number =>
  Number.isFinite(it),
);
export const boolean = reader("true or false", (it) => typeof it === "boolean");
const anyList = reader("a list", (it): it is readonly unknown[] =>
  Array.isArray(it),
);
const anyObject = reader(
  "an object",
  (it): it is JsonObject =>
    typeof it === "object" && it !== null && !Array.isArray(it),
);

/** A whole number, 0 or more. */
export const whole = reader(
  "a whole number",
  (it): it is number => Number.isSafeInteger(it) && (it as number) >= 0,
);

/** A whole number from 1 to a limit. */
export function ordinal(last: number): Reader<number> {
  return reader(
    `a whole number from 1 to ${last}`,
    (it): it is number =>
      Number.isInteger(it) && (it as number) >= 1 && (it as number) <= last,
  );
}

/** Any value, also a missing one. */
export const anything: Reader<unknown> = (value) => value;

/** One of a few texts or numbers. */
export function oneOf<const T extends string | number>(
  choices: readonly T[],
): Reader<T> {
  return reader(choices.join(" or "), (it): it is T =>
    choices.includes(it as T),
  );
}

/** Text of a form. @param problem the sentence of the error for other texts */
export function matching(form: RegExp, problem: string): Reader<string> {
  return checked(text, (it) => (form.test(it) ? undefined : problem));
}

/** The version of a format. */
export function version<const V extends number>(only: V): Reader<V> {
  return (value, place) => {
    if (number(value, place) === only) return only;
    throw new Malformed(`${place} is not ${only}`);
  };
}

/** The value, or null. */
export function orNull<T>(read: Reader<T>): Reader<T | null> {
  return (value, place) => (value === null ? null : read(value, place));
}

/** The value; null if the member is null or doesn't exist. */
export function orNothing<T>(read: Reader<T>): Reader<T | null> {
  return (value, place) => orNull(read)(value ?? null, place);
}

/** The value; undefined if the member doesn't exist. */
export function optional<T>(read: Reader<T>): Reader<T | undefined> {
  return (value, place) =>
    value === undefined ? undefined : read(value, place);
}

export function list<T>(read: Reader<T>): Reader<readonly T[]> {
  return (value, place) =>
    anyList(value, place).map((each, index) =>
      read(each, `${place}[${index}]`),
    );
}

/** An object with members of any name. */
export function byName<T>(
  read: Reader<T>,
): Reader<Readonly<Record<string, T>>> {
  return (value, place) =>
    Object.fromEntries(
      Object.entries(anyObject(value, place)).map(([name, member]) => [
        name,
        read(member, `${place}.${name}`),
      ]),
    );
}

type Members = Readonly<Record<string, Reader<unknown>>>;
type Values<M extends Members> = {
  readonly [Name in keyof M]: TypeOf<M[Name]>;
};
/** The names of the members that may be missing. */
type OptionalIn<T> = {
  [Name in keyof T]-?: undefined extends T[Name] ? Name : never;
}[keyof T];
type Completed<T, Optional extends keyof T = OptionalIn<T>> = Pick<
  T,
  Exclude<keyof T, Optional>
> &
  Partial<Pick<T, Optional>>;
type Flat<T> = { [Name in keyof T]: T[Name] };
type ObjectOf<M extends Members> = Flat<Completed<Values<M>>>;

/** An object with these members. Others are ignored. */
export function object<M extends Members>(members: M): Reader<ObjectOf<M>> {
  return (value, place) => {
    const given = anyObject(value, place);
    const read: Record<string, unknown> = {};
    for (const [name, readMember] of Object.entries(members)) {
      const own = Object.hasOwn(given, name) ? given[name] : undefined;
      const member = readMember(own, `${place}.${name}`);
      if (member !== undefined) read[name] = member;
    }
    return read as ObjectOf<M>;
  };
}

/** Objects whose member `kind` determines the other members. @param kinds the other members of each kind */
export function union<K extends Readonly<Record<string, Members>>>(
  kinds: K,
): Reader<
  {
    [Kind in keyof K]: Flat<{ readonly kind: Kind } & ObjectOf<K[Kind]>>;
  }[keyof K]
> {
  const kindIn = object({ kind: oneOf(Object.keys(kinds)) });
  return (value, place) => {
    const { kind } = kindIn(value, place);
    return { kind, ...object(kinds[kind] ?? {})(value, place) } as never;
  };
}

/** The value if it passes a further check. @param problem returns the problem as a sentence; undefined if there is none */
export function checked<T>(
  read: Reader<T>,
  problem: (value: T) => string | undefined,
): Reader<T> {
  return (value, place) => {
    const result = read(value, place);
    const found = problem(result);
    if (found !== undefined) throw new Malformed(found);
    return result;
  };
}

/**
 * Parses a document.
 * @param name the name of the document, which begins the place in errors
 * @throws {Malformed} if it isn't JSON of this form
 */
export function parse<T>(source: string, read: Reader<T>, name: string): T {
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch (error) {
    throw new Malformed((error as SyntaxError).message);
  }
  return read(value, name);
}
