/** The bytes of the first chunk, which is enough for a small repository. */
const FIRST_CHUNK = 1 << 16;
/**
 * The bytes of later chunks. A longer record gets a separate chunk. The C library maps an allocation of this size by itself:
 * only its written pages take memory, and they return to the system when the log is dropped. Smaller chunks would stay in the
 * process.
 */
const CHUNK = 1 << 25;

/** The length from which on an index is in a chunk, so that it leaves no memory behind when it grows. */
const LARGE = 1 << 18;

type Index = Uint32Array<ArrayBuffer>;

/**
 * Records of bytes, numbered from 0 and found by a hash. They are outside of the heap, and only added: a replaced record
 * keeps its bytes. It grows by chunks, so growing copies no record.
 */
export class Records {
  readonly #chunks: Buffer<ArrayBuffer>[] = [];
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
    release([this.#hashes, this.#slots]);
  }

  /** Drops everything. Afterwards, the records can't be used. */
  drop(): void {
    this.seal();
    release([...this.#chunks.splice(0), this.#positions]);
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
    this.#positions = enlarged(this.#positions, length);
    this.#hashes = enlarged(this.#hashes, length);
    this.#slots = enlarged(this.#slots, Math.ceil(length * 1.25));
    this.#slots.fill(0);
    for (let number = 0; number < before; number++) this.#link(number);
  }
}

/**
 * Returns the memory of arrays to the system at once, and leaves them empty. Otherwise it would return much later, after a
 * collection of garbage. A closed port drops each message, with the buffers that the message has taken over.
 */
function release(arrays: readonly (Buffer<ArrayBuffer> | Index)[]): void {
  const { port1 } = new MessageChannel();
  port1.close();
  port1.postMessage(
    null,
    arrays.filter(({ length }) => length > 0).map(({ buffer }) => buffer),
  );
}

/** Returns a longer index with the same numbers, and zeros after them. An index in a chunk grows in place. */
function enlarged(index: Index, length: number): Index {
  const { buffer } = index;
  const bytes = length * Uint32Array.BYTES_PER_ELEMENT;
  if (bytes <= buffer.byteLength) return new Uint32Array(buffer, 0, length);
  // Only the used part of a chunk takes memory.
  const room = length < LARGE ? bytes : Math.max(CHUNK, 2 * bytes);
  const larger = new Uint32Array(new ArrayBuffer(room), 0, length);
  larger.set(index);
  return larger;
}

/** Returns the hash of a text: FNV-1a of its UTF-16 code units, 32 bits. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
