/** The bytes of the first chunk, which is enough for a small repository. */
const FIRST_CHUNK = 1 << 16;
/**
 * The bytes of later chunks. A longer record gets a chunk of its own. The C library maps an allocation of this size by itself:
 * only its written pages take memory, and they return to the system when the log is dropped. Smaller chunks would stay in the
 * process.
 */
const CHUNK = 1 << 25;

/** The length from which on an index is in a chunk, so that the memory of the index before it returns to the system. */
const LARGE = 1 << 18;

/**
 * Records of bytes, numbered from 0 and found by a hash. They are outside of the heap, and only added: a replaced record
 * keeps its bytes. It grows by chunks, so growing copies no record.
 */
export class Records {
  readonly #chunks: Buffer[] = [];
  /** The used bytes of the last chunk. */
  #used = 0;
  #size = 0;
  #positions = new Uint32Array(64);
  #hashes = new Uint32Array(64);
  /** The numbers of records by their hashes, counted from 1; 0 for a free slot. */
  #slots = new Uint32Array(128);

  get size(): number {
    return this.#size;
  }

  /** Returns the number of the record with this hash that is the wanted one; undefined if there is none. */
  find(
    hash: number,
    isWanted: (number: number) => boolean,
  ): number | undefined {
    const { length } = this.#slots;
    if (length === 0) throw new RangeError("the records are sealed");
    for (let slot = hash % length; ; slot = (slot + 1) % length) {
      const number = (this.#slots[slot] ?? 0) - 1;
      if (number < 0) return undefined;
      if (this.#hashes[number] === hash && isWanted(number)) return number;
    }
  }

  /** Adds a record under a hash, and returns its number. */
  add(hash: number, record: Uint8Array): number {
    const number = this.#size++;
    if (number === this.#hashes.length) this.#grow();
    this.#hashes[number] = hash;
    this.#link(number);
    this.replace(number, record);
    return number;
  }

  replace(number: number, record: Uint8Array): void {
    let chunk = this.#chunks.at(-1);
    if (!chunk || this.#used + record.length > chunk.length) {
      const least = chunk ? CHUNK : FIRST_CHUNK;
      chunk = Buffer.allocUnsafeSlow(Math.max(least, record.length));
      this.#chunks.push(chunk);
      this.#used = 0;
    }
    chunk.set(record, this.#used);
    this.#positions[number] = (this.#chunks.length - 1) * CHUNK + this.#used;
    this.#used += record.length;
  }

  /** Drops the hashes. Afterwards, no record can be found, and none may be added. */
  seal(): void {
    this.#hashes = new Uint32Array(0);
    this.#slots = new Uint32Array(0);
  }

  /** Returns the bytes that contain a record, and its offset in them. */
  at(number: number): { readonly bytes: Buffer; readonly offset: number } {
    const position = this.#positions[number] ?? 0;
    const bytes = this.#chunks[Math.floor(position / CHUNK)];
    if (!bytes) throw new RangeError("no such record");
    return { bytes, offset: position % CHUNK };
  }

  #link(number: number): void {
    const { length } = this.#slots;
    let slot = (this.#hashes[number] ?? 0) % length;
    while ((this.#slots[slot] ?? 0) > 0) slot = (slot + 1) % length;
    this.#slots[slot] = number + 1;
  }

  /** Makes room for a quarter more, which leaves less memory unused than twice as much. */
  #grow(): void {
    const before = this.#hashes.length;
    const length = Math.ceil(before * 1.25);
    const [positions, hashes] = [this.#positions, this.#hashes];
    this.#positions = numbersOf(length);
    this.#positions.set(positions);
    this.#hashes = numbersOf(length);
    this.#hashes.set(hashes);
    this.#slots = numbersOf(Math.ceil(length * 1.25));
    for (let number = 0; number < before; number++) this.#link(number);
  }
}

/** Returns an index of zeros. Only its own part of a chunk takes memory. */
function numbersOf(length: number): Uint32Array<ArrayBuffer> {
  if (length < LARGE) return new Uint32Array(length);
  const bytes = Math.max(CHUNK, length * Uint32Array.BYTES_PER_ELEMENT);
  return new Uint32Array(new ArrayBuffer(bytes), 0, length);
}

/** Returns the hash of a text: FNV-1a of its UTF-16 code units, 32 bits. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
