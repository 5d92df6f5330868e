/** A list of object ids, stored as bytes outside the heap: a history may have a million of them. */
export class IdList {
  readonly #idLength: number;
  #bytes: Buffer;
  #length = 0;

  /** @param digits the number of hexadecimal digits of an id: 40 or 64 */
  constructor(digits: number) {
    this.#idLength = digits / 2;
    this.#bytes = Buffer.alloc(1024 * this.#idLength);
  }

  get length(): number {
    return this.#length;
  }

  add(id: string): void {
    const at = this.#length * this.#idLength;
    if (at === this.#bytes.length) {
      const wider = Buffer.alloc(2 * at);
      this.#bytes.copy(wider);
      this.#bytes = wider;
    }
    this.#bytes.write(id, at, "hex");
    this.#length += 1;
  }

  /** Returns the id at an index; undefined beyond the end. */
  at(index: number): string | undefined {
    if (index >= this.#length) return undefined;
    const at = index * this.#idLength;
    return this.#bytes.toString("hex", at, at + this.#idLength);
  }
}
