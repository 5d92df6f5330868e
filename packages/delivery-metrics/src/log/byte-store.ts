/** The size of a chunk in bytes. A longer record gets a chunk of its own. */
const CHUNK = 1 << 16;

/** Records of bytes that are only ever added. It grows by chunks, so growing copies nothing. */
export class ByteStore {
  readonly #chunks: Buffer[] = [];
  #used = CHUNK;

  /**
   * Adds a record.
   * @returns its position, from which `at` finds it again
   */
  append(record: Uint8Array): number {
    if (this.#used + record.length > CHUNK) {
      this.#chunks.push(Buffer.allocUnsafeSlow(Math.max(CHUNK, record.length)));
      this.#used = 0;
    }
    this.#chunks.at(-1)?.set(record, this.#used);
    const position = (this.#chunks.length - 1) * CHUNK + this.#used;
    this.#used += record.length;
    return position;
  }

  /** Returns the bytes in which a record is, and its offset there. */
  at(position: number): { readonly bytes: Buffer; readonly offset: number } {
    const bytes = this.#chunks[Math.floor(position / CHUNK)];
    if (!bytes) throw new RangeError("no such record");
    return { bytes, offset: position % CHUNK };
  }
}

/** Returns the next size of an array that is full. A quarter more leaves less memory unused than twice as much. */
export function grown(length: number): number {
  return Math.ceil(length * 1.25) + 64;
}
