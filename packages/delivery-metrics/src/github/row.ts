import type { Instant } from "../events/event.js";

/**
 * A row of one of GitHub's APIs, or of a file with such rows. Its members are read one by one, and a member that is
 * missing or has another type is undefined. Old recordings and old servers lack members, and the other members must
 * still be readable.
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

  /** Returns the rows of a list. Other items are skipped. */
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

  /** Returns text without control characters, cut to the length that an event allows; undefined if it is empty. */
  text(name: string): string | undefined {
    const value = this.get(name);
    if (typeof value !== "string" || value === "") return undefined;
    return clean(value);
  }

  /** Returns a whole number, also from text: GitHub writes numbers that exceed 32 bits as text. */
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

  /** Returns a commit's full id. */
  sha(name: string): string | undefined {
    const value = this.get(name);
    return typeof value === "string" &&
      /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(value)
      ? value
      : undefined;
  }
}

const LONGEST = 1024;
/** Later years are written with a sign and six digits. No event has one. */
const YEAR_10000 = Date.UTC(10_000, 0, 1);

/** Returns text that is valid in an event: control characters become spaces. */
export function clean(value: string): string {
  return value.replaceAll(/\p{Cc}+/gu, " ").slice(0, LONGEST);
}
