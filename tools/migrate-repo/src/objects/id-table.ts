/**
 * A map from object ids to small numbers, off the heap: fifty thousand ids take two megabytes here and ten in a `Map` of
 * strings. Ids are uniformly distributed already, so their first bytes are the hash.
 */
export class IdTable {
  readonly #idLength: number;
  #ids: Buffer;
  #values: Uint32Array;
  #count = 0;
  #slots: number;
  /** Where an id is read into: a buffer for each would be as much as the table. */
  readonly #asked: Buffer;

  /** @param idLength bytes of an id: 20 or 32 */
  constructor(idLength: number) {
    this.#idLength = idLength;
    this.#slots = 1024;
    this.#asked = Buffer.alloc(idLength);
    this.#ids = Buffer.alloc(this.#slots * idLength);
    this.#values = new Uint32Array(this.#slots);
  }

  get size(): number {
    return this.#count;
  }

  /** @param hex the id @param value at least 0, less than 2 ** 32 - 1 */
  set(hex: string, value: number): void {
    // Half full at most: a search then takes a step or two.
    if (this.#count * 2 >= this.#slots) this.#grow();
    this.#put(this.#read(hex), value + 1);
  }

  get(hex: string): number | undefined {
    const value = this.#values[this.#find(this.#read(hex))] ?? 0;
    return value === 0 ? undefined : value - 1;
  }

  #read(hex: string): Buffer {
    this.#asked.write(hex, "hex");
    return this.#asked;
  }

  #put(id: Buffer, stored: number): void {
    const slot = this.#find(id);
    if (this.#values[slot] === 0) this.#count += 1;
    id.copy(this.#ids, slot * this.#idLength);
    this.#values[slot] = stored;
  }

  #find(id: Buffer): number {
    let slot = id.readUInt32LE(0) % this.#slots;
    while (this.#values[slot] !== 0) {
      const at = slot * this.#idLength;
      if (id.compare(this.#ids, at, at + this.#idLength) === 0) break;
      slot = (slot + 1) % this.#slots;
    }
    return slot;
  }

  #grow(): void {
    const ids = this.#ids;
    const values = this.#values;
    this.#slots *= 2;
    this.#ids = Buffer.alloc(this.#slots * this.#idLength);
    this.#values = new Uint32Array(this.#slots);
    this.#count = 0;
    values.forEach((stored, slot) => {
      const at = slot * this.#idLength;
      if (stored !== 0)
        this.#put(ids.subarray(at, at + this.#idLength), stored);
    });
  }
}
