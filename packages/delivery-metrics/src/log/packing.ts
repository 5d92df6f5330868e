import type { Texts } from "./texts.js";

/** The offset of a record's time. Its code is before, and its fields follow. */
const TIME = 1;
/** Marks a code whose time is in whole seconds, as nearly all times from GitHub are. Such a time takes four bytes instead of eight. */
const IN_SECONDS = 128;

/** The place of a record. */
interface Place {
  readonly bytes: Buffer;
  readonly offset: number;
}

/** Returns the code with which a record begins. */
export function codeOf({ bytes, offset }: Place): number {
  return (bytes[offset] ?? 0) % IN_SECONDS;
}

/** Returns the time with which a record begins. */
export function timeOf({ bytes, offset }: Place): number {
  return isInSeconds({ bytes, offset })
    ? bytes.readUInt32LE(offset + TIME) * 1000
    : bytes.readDoubleLE(offset + TIME);
}

function isInSeconds({ bytes, offset }: Place): boolean {
  return (bytes[offset] ?? 0) >= IN_SECONDS;
}

/** Returns the link of a record that has one; 0 if it was never set. */
export function linkOf(record: Place): number {
  return record.bytes.readUInt32LE(afterTime(record));
}

/** Sets the link of a record that has one. */
export function setLink(record: Place, link: number): void {
  record.bytes.writeUInt32LE(link, afterTime(record));
}

function afterTime(record: Place): number {
  return record.offset + TIME + (isInSeconds(record) ? 4 : 8);
}

/** Writes an event into few bytes: the number of its kind, its time, and its fields. */
export class Packer {
  readonly #texts: Texts;
  #bytes = Buffer.alloc(1024);
  #length = 0;
  /** The time that instants are counted from. */
  clock = 0;

  constructor(texts: Texts) {
    this.#texts = texts;
  }

  /** Begins the next record with a code from 0 to 127 and a time. */
  begin(code: number, time: number): void {
    const seconds = Math.floor(time / 1000) >>> 0;
    const isWhole = seconds * 1000 === time;
    this.#bytes[0] = isWhole ? code + IN_SECONDS : code;
    this.#length = isWhole
      ? this.#bytes.writeUInt32LE(seconds, TIME)
      : this.#bytes.writeDoubleLE(time, TIME);
    this.clock = time;
  }

  /** Reserves room for a link, right after the time. */
  link(): void {
    this.#length = this.#bytes.writeUInt32LE(0, this.#length);
  }

  /** Returns the bytes of the record, valid until the next one begins. */
  get record(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Writes a number. Small whole numbers take one byte, and any other number keeps its exact value. */
  number(value: number): void {
    if (!Number.isSafeInteger(value) || value < 0 || value >= LARGE) {
      this.#digits(0);
      this.#exact(value);
    } else this.#digits(value + 1);
  }

  text(value: string): void {
    this.number(this.#texts.idOf(value));
  }

  /** Writes a time or null. Whole seconds near the clock take the fewest bytes. */
  instant(value: number | null): void {
    if (value === null) {
      this.#digits(1);
      return;
    }
    const span = value - this.clock;
    if (
      !Number.isSafeInteger(span) ||
      Math.abs(span) >= LARGE / 8 ||
      this.clock + span !== value
    ) {
      this.#digits(0);
      this.#exact(value);
    } else if (span % 1000 === 0) this.#digits(2 + 2 * folded(span / 1000));
    else this.#digits(3 + 2 * folded(span));
  }

  #digits(value: number): void {
    this.#makeRoom(8);
    let rest = value;
    while (rest >= 128) {
      this.#bytes[this.#length++] = (rest % 128) + 128;
      rest = Math.floor(rest / 128);
    }
    this.#bytes[this.#length++] = rest;
  }

  #exact(value: number): void {
    this.#makeRoom(8);
    this.#length = this.#bytes.writeDoubleLE(value, this.#length);
  }

  #makeRoom(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const larger = Buffer.alloc(2 * this.#bytes.length);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

/** Reads what a `Packer` wrote, in the same order. */
export class Unpacker {
  readonly #texts: Texts;
  readonly #bytes: Buffer;
  #offset: number;
  /** The time that instants are counted from. */
  clock: number;

  constructor(texts: Texts, record: Place) {
    this.#texts = texts;
    this.#bytes = record.bytes;
    this.#offset = afterTime(record);
    this.clock = timeOf(record);
  }

  skipLink(): void {
    this.#offset += 4;
  }

  number(): number {
    const code = this.#digits();
    return code === 0 ? this.#exact() : code - 1;
  }

  text(): string {
    return this.#texts.textOf(this.number());
  }

  instant(): number | null {
    const code = this.#digits();
    if (code === 0) return this.#exact();
    if (code === 1) return null;
    const span = unfolded(Math.floor((code - 2) / 2));
    return this.clock + (code % 2 === 0 ? span * 1000 : span);
  }

  #digits(): number {
    let value = 0;
    for (let unit = 1; ; unit *= 128) {
      const byte = this.#bytes[this.#offset++] ?? 0;
      if (byte < 128) return value + byte * unit;
      value += (byte - 128) * unit;
    }
  }

  #exact(): number {
    const value = this.#bytes.readDoubleLE(this.#offset);
    this.#offset += 8;
    return value;
  }
}

/** Larger numbers are written as they are, so that all others are exact after they were folded and doubled. */
const LARGE = 2 ** 52;

/** Returns a whole number as one that isn't negative: 0, -1, 1, -2, … as 0, 1, 2, 3, … */
function folded(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

function unfolded(code: number): number {
  return code % 2 === 0 ? code / 2 : -(code + 1) / 2;
}
