import type { ColumnReader, Take } from "./columns/column-reader.js";
import type { Packer, Unpacker } from "../log/packing.js";
import { NoField } from "./no-field.js";

/**
 * Reads and writes one field. JSON omits null values, so a missing member is the same as null. The columns of a
 * block (the format of earlier versions) are only read.
 */
export interface Field<T> {
  /** @throws {NoField} if the value isn't valid for this field */
  readonly read: (wire: unknown) => T;
  /** Returns the JSON value, or undefined to leave the member out. */
  readonly write: (value: T) => unknown;
  /** Opens the field's columns. */
  readonly open: (from: ColumnReader, name: string) => Take<T>;
  /** Writes the value into a log in memory. */
  readonly pack: (value: T, to: Packer) => void;
  readonly unpack: (from: Unpacker) => T;
}

/** The maximum length of a text. No name on GitHub is longer. */
const LONGEST_TEXT = 1024;
/**
 * The maximum length of a list. GitHub returns at most 1,000 items in one answer, but a publication may contain more
 * pull requests than that.
 */
const LONGEST_LIST = 50_000;

/** Text without control characters: names, branches, words. All of it is untrusted. */
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
  open: (from, name) => {
    const takeStem = from.texts(name, name, stem);
    const takeSha = sha.open(from, `${name}#sha`);
    return () => {
      const word = takeStem();
      return word.endsWith(CUT)
        ? text.read(word.slice(0, -1) + takeSha())
        : word;
    };
  },
  pack: (value, to) => {
    to.text(value);
  },
  unpack: (from) => from.text(),
};
/** Marks a text in columns whose commit at the end is stored separately. No text contains this character. */
const CUT = "\n";
const stem = (wire: unknown) => {
  text.read(typeof wire === "string" ? wire.replace(/\n$/, "") : wire);
  return wire as string;
};
const CONTROL = /\p{Cc}/u;

/**
 * Makes a field for text that matches a pattern.
 * @param book the list of words that its columns in a block share
 */
export function textLike(form: RegExp, book: string): Field<string> {
  const read = (wire: unknown) => {
    if (!form.test(text.read(wire))) throw new NoField("another form");
    return wire as string;
  };
  return {
    ...text,
    read,
    open: (from, name) => from.texts(name, book, read),
  };
}

/** A commit id, full or abbreviated, in lower case. */
export const sha = textLike(/^[0-9a-f]{7,64}$/, "sha");
/** `owner/name`. */
export const repository = textLike(
  /^(?!\.)[\w.-]{1,100}\/(?!\.{1,2}$)[\w.-]{1,100}$/,
  "repository",
);

/** A count: a whole number that isn't negative. */
export const whole: Field<number> = {
  read: (wire) => {
    if (!Number.isSafeInteger(wire) || (wire as number) < 0)
      throw new NoField("not a whole number");
    return wire as number;
  },
  write: (value) => value,
  open: (from, name) => {
    const column = from.column(name);
    return () => whole.read(column.number());
  },
  pack: (value, to) => {
    to.number(value);
  },
  unpack: (from) => from.number(),
};

/** A number that identifies a pull request or a run. */
export const id: Field<number> = {
  ...whole,
  open: (from, name) => {
    const take = from.ids(name);
    return () => whole.read(take());
  },
};

/** A boolean, omitted if false. */
export const flag: Field<boolean> = {
  read: (wire) => {
    if (wire === undefined || wire === null) return false;
    if (typeof wire !== "boolean") throw new NoField("not true or false");
    return wire;
  },
  write: (value) => value || undefined,
  open: (from, name) => {
    const column = from.column(name);
    return () => column.number() !== 0;
  },
  pack: (value, to) => {
    to.number(value ? 1 : 0);
  },
  unpack: (from) => from.number() !== 0,
};

/** A time: milliseconds since 1970 in memory, ISO 8601 in UTC in JSON, without milliseconds if they are zero. */
export const instant: Field<number> = {
  read: (wire) => {
    if (typeof wire !== "string" || !ISO_UTC.test(wire))
      throw new NoField("not a time in UTC");
    const ms = Date.parse(wire);
    if (Number.isNaN(ms)) throw new NoField("no time");
    return ms;
  },
  write: (value) => new Date(value).toISOString().replace(".000Z", "Z"),
  open: (from, name) => {
    const take = from.instants(name);
    return () => {
      const ms = take();
      if (!(ms >= FIRST && ms <= LAST)) throw new NoField("no time");
      return ms;
    };
  },
  pack: (value, to) => {
    to.instant(value);
  },
  unpack: (from) => from.instant() ?? 0,
};
/** The first and last instant with a year of four digits. */
const FIRST = Date.parse("0000-01-01T00:00:00Z");
const LAST = Date.parse("9999-12-31T23:59:59.999Z");
const ISO_UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/;

/** Makes a field for one value of a closed list. */
export function oneOf<const T extends string>(choices: readonly T[]): Field<T> {
  const read = (wire: unknown) => {
    const found = choices.find((choice) => choice === wire);
    if (found === undefined) throw new NoField("not one of the known values");
    return found;
  };
  return {
    read,
    write: (value) => value,
    open: (from, name) => from.words(name, read) as Take<T>,
    pack: (value, to) => {
      to.number(choices.indexOf(value));
    },
    unpack: (from) => read(choices[from.number()]),
  };
}

/** Makes a field that is omitted if it is null. In columns, it supports only fields with one column. */
export function nullable<T>(field: Field<T>): Field<T | null> {
  return {
    read: (wire) =>
      wire === undefined || wire === null ? null : field.read(wire),
    write: (value) => (value === null ? undefined : field.write(value)),
    open: (from, name) => {
      const column = from.column(name);
      const take = field.open(from, name);
      return () => (column.isNull() ? null : take());
    },
    pack: (value, to) => {
      to.number(value === null ? 0 : 1);
      if (value !== null) field.pack(value, to);
    },
    unpack: (from) => (from.number() === 0 ? null : field.unpack(from)),
  };
}

/** Makes a field for a list that is omitted if it is empty. */
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
    open: (from, name) => {
      const takeLength = whole.open(from, name);
      const take = field.open(from, `${name}[]`);
      return () => {
        const length = takeLength();
        if (length > LONGEST_LIST) throw new NoField("no list");
        const list: T[] = [];
        while (list.length < length) list.push(take());
        return list;
      };
    },
    pack: (value, to) => {
      to.number(value.length);
      for (const each of value) field.pack(each, to);
    },
    unpack: (from) =>
      Array.from({ length: from.number() }, () => field.unpack(from)),
  };
}

/** Makes a field for a list that distinguishes null from empty. */
export function knownListOf<T>(field: Field<T>): Field<readonly T[] | null> {
  const list = listOf(field);
  return {
    ...nullable(list),
    write: (value) =>
      value === null ? undefined : value.map((each) => field.write(each)),
  };
}

/** The type of a field's values. */
export type ValueOf<F> = F extends Field<infer T> ? T : never;

/** Fields by name. (From a parameter of type `{ [Name in keyof T]: Field<T[Name]> }`, the compiler declares nested types as `any`.) */
type Fields = Readonly<Record<string, Pick<Field<unknown>, "read">>>;

/**
 * Makes a field for an object with these fields. Unknown members are ignored. In columns, each field has its own column,
 * `name.member`.
 */
export function record<F extends Fields>(
  fields: F,
): Field<{ readonly [Name in keyof F]: ValueOf<F[Name]> }> {
  type T = { readonly [Name in keyof F]: ValueOf<F[Name]> };
  type Values = Record<string, unknown>;
  const all = Object.entries(fields) as [string, Field<unknown>][];
  return {
    read: (wire) => {
      if (typeof wire !== "object" || wire === null || Array.isArray(wire))
        throw new NoField("no object");
      const value: Values = {};
      for (const [name, field] of all)
        value[name] = field.read(
          Object.hasOwn(wire, name) ? (wire as Values)[name] : undefined,
        );
      return value as T;
    },
    write: (value) => {
      const wire: Values = {};
      for (const [name, field] of all) {
        const written = field.write(value[name]);
        if (written !== undefined) wire[name] = written;
      }
      return wire;
    },
    open: (from, prefix) => {
      const columns = all.map(
        ([name, field]) =>
          [name, field.open(from, dotted(prefix, name))] as const,
      );
      return () => {
        const value: Values = {};
        for (const [name, take] of columns) value[name] = take();
        return value as T;
      };
    },
    pack: (value, to) => {
      for (const [name, field] of all) field.pack(value[name], to);
    },
    unpack: (from) => {
      const value: Values = {};
      for (const [name, field] of all) value[name] = field.unpack(from);
      return value as T;
    },
  };
}

/** @param prefix empty for the record of an event itself */
function dotted(prefix: string, name: string): string {
  return prefix === "" ? name : `${prefix}.${name}`;
}
