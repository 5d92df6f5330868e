/**
 * A map from object ids to small numbers, outside the heap: fifty thousand ids take two megabytes here and ten in a
 * `Map` of strings. Ids are uniformly distributed, so their first bytes serve as the hash.
 */
export class IdTable {
  /** The number of 32-bit words in an id. */
  readonly #words: number;
  #ids: Uint32Array;
  #values: Uint32Array;
  #count = 0;
  #slots = 1024;
  /** The requested id, as bytes and as words: comparing words is several times quicker than comparing bytes. */
  readonly #asked: Buffer;
  readonly #askedWords: Uint32Array;

  /** @param idLength the number of bytes of an id: 20 or 32 */
  constructor(idLength: number) {
    this.#words = idLength / 4;
    this.#askedWords = new Uint32Array(this.#words);
    this.#asked = Buffer.from(this.#askedWords.buffer);
    this.#ids = new Uint32Array(this.#slots * this.#words);
    this.#values = new Uint32Array(this.#slots);
  }

  get size(): number {
    return this.#count;
  }

  /**
   * Adds an id unless the table has it.
   * @param hex the id
   * @param value at least 0, less than 2 ** 32 - 1
   * @returns whether it was added; an existing id keeps its value
   */
  add(hex: string, value: number): boolean {
    // The table is at most half full, so that a search takes only a step or two.
    if (this.#count * 2 >= this.#slots) this.#grow();
    this.#asked.write(hex, "hex");
    const slot = this.#find(this.#askedWords);
    if (this.#values[slot] !== 0) return false;
    this.#put(slot, this.#askedWords, value + 1);
    this.#count += 1;
    return true;
  }

  get(hex: string): number | undefined {
    this.#asked.write(hex, "hex");
    const value = this.#values[this.#find(this.#askedWords)] ?? 0;
    return value === 0 ? undefined : value - 1;
  }

  #put(slot: number, id: Uint32Array, stored: number): void {
    this.#ids.set(id, slot * this.#words);
    this.#values[slot] = stored;
  }

  /** Returns the slot of an id, or the free slot for it. */
  #find(id: Uint32Array): number {
    let slot = (id[0] ?? 0) % this.#slots;
    while (this.#values[slot] !== 0 && !this.#isAt(slot, id))
      slot = (slot + 1) % this.#slots;
    return slot;
  }

  #isAt(slot: number, id: Uint32Array): boolean {
    const at = slot * this.#words;
    for (let word = 0; word < this.#words; word++)
      if (this.#ids[at + word] !== id[word]) return false;
    return true;
  }

  #grow(): void {
    const [ids, values] = [this.#ids, this.#values];
    this.#slots *= 2;
    this.#ids = new Uint32Array(this.#slots * this.#words);
    this.#values = new Uint32Array(this.#slots);
    values.forEach((stored, slot) => {
      if (stored === 0) return;
      const at = slot * this.#words;
      const id = ids.subarray(at, at + this.#words);
      this.#put(this.#find(id), id, stored);
    });
  }
}
