import { ByteStore, grown } from "./byte-store.js";

/** The forms in which a text is stored. Each preserves every text of its kind exactly. */
const FORMS = ["latin1", "hex", "utf16le"] as const;
const HEX = /^(?:[0-9a-f]{2}){8,32}$/;
const LATIN = /^[^\u0100-\uffff]*$/;
/** The number of texts that are also held as strings. Names that events repeat come early: workflows, jobs, people. */
const MOST_HELD = 4096;
/** The bytes of a header: the number of bytes that follow, and their form. */
const HEADER = 4;

/** A pool of texts with a number for each. A commit's id takes 24 bytes here, and more than 100 as a string in a map. */
export class Texts {
  readonly #store = new ByteStore();
  readonly #held = new Map<string, number>();
  readonly #heldTexts: string[] = [];
  #positions = new Uint32Array(64);
  #table = new Uint32Array(128);
  #size = 0;
  #scratch = Buffer.alloc(256);

  get size(): number {
    return this.#size;
  }

  /** Returns the number of a text, counted from 0 in order of first use. */
  idOf(text: string): number {
    const held = this.#held.get(text);
    if (held !== undefined) return held;
    const record = this.#encode(text);
    const slot = this.#slotOf(record);
    const known = this.#table[slot] ?? 0;
    if (known > 0) return known - 1;
    const id = this.#size++;
    if (id === this.#positions.length) this.#grow();
    this.#positions[id] = this.#store.append(record);
    this.#table[this.#slotOf(record)] = id + 1;
    if (id < MOST_HELD) {
      this.#held.set(text, id);
      this.#heldTexts.push(text);
    }
    return id;
  }

  textOf(id: number): string {
    const held = this.#heldTexts[id];
    if (held !== undefined) return held;
    const { bytes, offset } = this.#store.at(this.#positions[id] ?? 0);
    const header = bytes.readUInt32LE(offset);
    const from = offset + HEADER;
    return bytes.toString(FORMS[header & 3], from, from + (header >>> 2));
  }

  #encode(text: string): Buffer {
    const form = HEX.test(text) ? 1 : LATIN.test(text) ? 0 : 2;
    const most = HEADER + 2 * text.length;
    if (this.#scratch.length < most) this.#scratch = Buffer.alloc(2 * most);
    const length = this.#scratch.write(text, HEADER, FORMS[form]);
    this.#scratch.writeUInt32LE((length << 2) | form, 0);
    return this.#scratch.subarray(0, HEADER + length);
  }

  /** Returns the slot of the table with this record's number, or the free one where it belongs. */
  #slotOf(record: Buffer): number {
    const { length } = this.#table;
    for (let slot = hashOf(record) % length; ; slot = (slot + 1) % length) {
      const known = this.#table[slot] ?? 0;
      if (known === 0) return slot;
      const { bytes, offset } = this.#store.at(this.#positions[known - 1] ?? 0);
      const end = offset + record.length;
      if (end <= bytes.length && record.compare(bytes, offset, end) === 0)
        return slot;
    }
  }

  #grow(): void {
    const positions = new Uint32Array(grown(this.#positions.length));
    positions.set(this.#positions);
    this.#positions = positions;
    this.#table = new Uint32Array(grown(positions.length));
    for (let id = 0; id < this.#size - 1; id++) {
      const { bytes, offset } = this.#store.at(positions[id] ?? 0);
      const length = HEADER + (bytes.readUInt32LE(offset) >>> 2);
      this.#table[this.#slotOf(bytes.subarray(offset, offset + length))] =
        id + 1;
    }
  }
}

/** Hashes bytes: FNV-1a, 32 bits. */
function hashOf(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
