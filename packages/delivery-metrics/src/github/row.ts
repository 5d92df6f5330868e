import type { Instant } from "../events/event.js";

/**
 * A row of one of GitHub's APIs, or of a file that holds such rows. It is read member by member, and one that is
 * missing or of
 * another type is undefined: old recordings and old servers lack members, and none of them may stop the rest from being
 * read.
 */
export class Row {
  readonly #value: Readonly<Record<string, unknown>>;

  private constructor(value: Readonly<Record<string, unknown>>) {
    this.#value = value;
  }

  /** @returns undefined for anything but an object */
  static of(value: unknown): Row | undefined {
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? new Row(value as Readonly<Record<string, unknown>>)
      : undefined;
  }

  /** The rows of a list; what is none is passed over. */
  static all(value: unknown): readonly Row[] {
    return Array.isArray(value)
      ? value.flatMap((each: unknown) => Row.of(each) ?? [])
      : [];
  }

  has(...names: readonly string[]): boolean {
    return names.every((name) => Object.hasOwn(this.#value, name));
  }

  names(): readonly string[] {
    return Object.keys(this.#value);
  }

  get(name: string): unknown {
    return this.has(name) ? this.#value[name] : undefined;
  }

  row(name: string): Row | undefined {
    return Row.of(this.get(name));
  }

  rows(name: string): readonly Row[] {
    return Row.all(this.get(name));
  }

  /** Without control characters, and no longer than an event may hold. Empty text is none. */
  text(name: string): string | undefined {
    const value = this.get(name);
    if (typeof value !== "string" || value === "") return undefined;
    return clean(value);
  }

  /** A whole number, also one in words: numbers of GitHub's that do not fit into 32 bits travel so. */
  whole(name: string): number | undefined {
    const value = this.get(name);
    const number =
      typeof value === "string" && /^\d{1,16}$/.test(value)
        ? Number(value)
        : value;
    return Number.isSafeInteger(number) && (number as number) >= 0
      ? (number as number)
      : undefined;
  }

  flag(name: string): boolean {
    return this.get(name) === true;
  }

  time(name: string): Instant | undefined {
    const value = this.get(name);
    if (typeof value !== "string") return undefined;
    const ms = Date.parse(value);
    return ms >= 0 && ms < YEAR_10000 ? ms : undefined;
  }

  /** A commit's full id. */
  sha(name: string): string | undefined {
    const value = this.get(name);
    return typeof value === "string" &&
      /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(value)
      ? value
      : undefined;
  }
}

const LONGEST = 1024;
/** Later years are written with a sign and six digits; no event has one. */
const YEAR_10000 = Date.UTC(10_000, 0, 1);

/** Returns text that an event may hold: control characters become spaces. */
export function clean(value: string): string {
  return value.replaceAll(/\p{Cc}+/gu, " ").slice(0, LONGEST);
}
