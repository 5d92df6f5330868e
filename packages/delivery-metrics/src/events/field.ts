/** How one field travels: to JSON and back. What is not there, and what is null, are the same on the wire: left out. */
export interface Field<T> {
  /** @throws {NoField} when the value is none of this field */
  readonly read: (wire: unknown) => T;
  /** Undefined to leave it out. */
  readonly write: (value: T) => unknown;
}

/** A value from outside is not what it must be. */
export class NoField extends Error {
  override readonly name = "NoField";
}

/** Nothing that GitHub names is longer. */
const LONGEST_TEXT = 1024;
/** GitHub lists at most 1,000 of anything in one answer; a publication may bring more pull requests than that. */
const LONGEST_LIST = 50_000;

/** Text without control characters: names, branches, words; all untrusted. */
export const text: Field<string> = {
  read: (wire) => {
    if (
      typeof wire !== "string" ||
      wire.length > LONGEST_TEXT ||
      CONTROL.test(wire)
    )
      throw new NoField("no text");
    return wire;
  },
  write: (value) => value,
};
const CONTROL = /\p{Cc}/u;

/** Text of a certain form. */
export function textLike(form: RegExp): Field<string> {
  return {
    read: (wire) => {
      if (!form.test(text.read(wire))) throw new NoField("another form");
      return wire as string;
    },
    write: (value) => value,
  };
}

/** A commit id, whole or abbreviated; always in small letters. */
export const sha = textLike(/^[0-9a-f]{7,64}$/);
/** `owner/name` */
export const repository = textLike(
  /^(?!\.)[\w.-]{1,100}\/(?!\.{1,2}$)[\w.-]{1,100}$/,
);

/** A number that counts or names: whole, not negative. */
export const whole: Field<number> = {
  read: (wire) => {
    if (!Number.isSafeInteger(wire) || (wire as number) < 0)
      throw new NoField("no whole number");
    return wire as number;
  },
  write: (value) => value,
};

/** Left out where false. */
export const flag: Field<boolean> = {
  read: (wire) => {
    if (wire === undefined || wire === null) return false;
    if (typeof wire !== "boolean") throw new NoField("neither yes nor no");
    return wire;
  },
  write: (value) => value || undefined,
};

/** Milliseconds since 1970 here, ISO 8601 in UTC there, without the milliseconds where they are zero. */
export const instant: Field<number> = {
  read: (wire) => {
    if (typeof wire !== "string" || !ISO_UTC.test(wire))
      throw new NoField("no time in UTC");
    const ms = Date.parse(wire);
    if (Number.isNaN(ms)) throw new NoField("no time");
    return ms;
  },
  write: (value) => new Date(value).toISOString().replace(".000Z", "Z"),
};
const ISO_UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/;

/** One of a closed list. */
export function oneOf<const T extends string>(choices: readonly T[]): Field<T> {
  return {
    read: (wire) => {
      const found = choices.find((choice) => choice === wire);
      if (found === undefined) throw new NoField("none of the known words");
      return found;
    },
    write: (value) => value,
  };
}

/** Left out where null. */
export function nullable<T>(field: Field<T>): Field<T | null> {
  return {
    read: (wire) =>
      wire === undefined || wire === null ? null : field.read(wire),
    write: (value) => (value === null ? undefined : field.write(value)),
  };
}

/** A list that is left out where it is empty. */
export function listOf<T>(field: Field<T>): Field<readonly T[]> {
  return {
    read: (wire) => {
      if (wire === undefined || wire === null) return [];
      if (!Array.isArray(wire) || wire.length > LONGEST_LIST)
        throw new NoField("no list");
      return wire.map((each: unknown) => field.read(each));
    },
    write: (value) =>
      value.length === 0 ? undefined : value.map((each) => field.write(each)),
  };
}

/** A list for which none and empty are two things. */
export function knownListOf<T>(field: Field<T>): Field<readonly T[] | null> {
  const list = listOf(field);
  return {
    read: (wire) =>
      wire === undefined || wire === null ? null : list.read(wire),
    write: (value) =>
      value === null ? undefined : value.map((each) => field.write(each)),
  };
}

export type FieldsOf<T> = { readonly [Name in keyof T]-?: Field<T[Name]> };

/** An object of such fields; members that it does not know are passed over. */
export function record<T extends object>(fields: FieldsOf<T>): Field<T> {
  const names = Object.keys(fields) as (keyof T & string)[];
  return {
    read: (wire) => {
      if (typeof wire !== "object" || wire === null || Array.isArray(wire))
        throw new NoField("no object");
      const value: Partial<T> = {};
      for (const name of names)
        value[name] = fields[name].read(
          Object.hasOwn(wire, name)
            ? (wire as Record<string, unknown>)[name]
            : undefined,
        );
      return value as T;
    },
    write: (value) => {
      const wire: Record<string, unknown> = {};
      for (const name of names) {
        const written = fields[name].write(value[name]);
        if (written !== undefined) wire[name] = written;
      }
      return wire;
    },
  };
}
