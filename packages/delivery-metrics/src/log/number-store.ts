/** The numbers of a chunk. A longer list gets a chunk of its own. */
const CHUNK = 1 << 13;

/** The place of a list of numbers. */
export interface StoredNumbers {
  readonly chunk: Float64Array;
  readonly offset: number;
}

/** Lists of numbers that are only ever added, outside of the heap. */
export class NumberStore {
  #chunk = new Float64Array(0);
  #used = 0;

  append(numbers: readonly number[]): StoredNumbers {
    if (this.#used + numbers.length > this.#chunk.length) {
      this.#chunk = new Float64Array(Math.max(CHUNK, numbers.length));
      this.#used = 0;
    }
    const offset = this.#used;
    this.#chunk.set(numbers, offset);
    this.#used += numbers.length;
    return { chunk: this.#chunk, offset };
  }
}
