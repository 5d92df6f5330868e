/** The numbers of a chunk. Few, because a repository may have a column for each of hundreds of branches. */
const CHUNK = 1 << 10;

/** A growing list of numbers outside of the heap. It grows by chunks, so growing copies nothing and leaves no garbage. */
export class Column {
  readonly #chunks: Float64Array[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length % CHUNK === 0) this.#chunks.push(new Float64Array(CHUNK));
    this.set(this.#length++, value);
  }

  /** Replaces the number at an index below the length. */
  set(index: number, value: number): void {
    const chunk = this.#chunks[Math.floor(index / CHUNK)];
    if (chunk) chunk[index % CHUNK] = value;
  }

  /** Returns the number at an index below the length. */
  at(index: number): number {
    return this.#chunks[Math.floor(index / CHUNK)]?.[index % CHUNK] ?? 0;
  }
}
