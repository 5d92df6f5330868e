import { hashOf, Records } from "./records.js";

/** The forms in which a text is stored. Each preserves every text of its kind exactly. */
const FORMS = ["latin1", "hex", "utf16le"] as const;
const HEX = /^(?:[0-9a-f]{2}){8,32}$/;
const LATIN = /^[^\u0100-\uffff]*$/;
/** The number of texts that are also held as strings. Names that events repeat come early: workflows, jobs, people. */
const MOST_HELD = 4096;
/** The bytes of a header: the number of bytes that follow, and their form. */
const HEADER = 4;

/** A pool of texts with a number for each. A commit's id takes 30 bytes here, and more than 100 as a string in a map. */
export class Texts {
  readonly #records = new Records();
  readonly #held = new Map<string, number>();
  readonly #heldTexts: string[] = [];
  #scratch = Buffer.alloc(256);

  get size(): number {
    return this.#records.size;
  }

  /** Returns the number of a text, counted from 0 in order of first use. */
  idOf(text: string): number {
    const held = this.#held.get(text);
    if (held !== undefined) return held;
    const hash = hashOf(text);
    const record = this.#encode(text);
    const known = this.#records.find(hash, (id) => this.#equals(id, record));
    if (known !== undefined) return known;
    const id = this.#records.add(hash, record);
    if (id < MOST_HELD) {
      this.#held.set(text, id);
      this.#heldTexts.push(text);
    }
    return id;
  }

  textOf(id: number): string {
    const held = this.#heldTexts[id];
    if (held !== undefined) return held;
    const { bytes, offset } = this.#records.at(id);
    const header = bytes.readUInt32LE(offset);
    const from = offset + HEADER;
    return bytes.toString(FORMS[header & 3], from, from + (header >>> 2));
  }

  /** Drops what finds texts. Afterwards, `idOf` can't be used. */
  seal(): void {
    this.#held.clear();
    this.#records.seal();
  }

  /** Drops everything. Afterwards, the pool can't be used. */
  drop(): void {
    this.#records.drop();
  }

  #encode(text: string): Buffer {
    const form = HEX.test(text) ? 1 : LATIN.test(text) ? 0 : 2;
    const most = HEADER + 2 * text.length;
    if (this.#scratch.length < most) this.#scratch = Buffer.alloc(2 * most);
    const length = this.#scratch.write(text, HEADER, FORMS[form]);
    this.#scratch.writeUInt32LE((length << 2) | form, 0);
    return this.#scratch.subarray(0, HEADER + length);
  }

  #equals(id: number, record: Buffer): boolean {
    const { bytes, offset } = this.#records.at(id);
    const end = offset + record.length;
    return end <= bytes.length && record.compare(bytes, offset, end) === 0;
  }
}
