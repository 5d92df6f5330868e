import type { FileFacts } from "../../reference.js";

/**
 * The maximum number of bytes on the disk for facts of single blobs. Each small change reads and writes all of them, and a
 * checkout of an old commit may add thousands: the facts of one package-lock.json take half a megabyte.
 */
export const RECENT_BYTES = 4_000_000;

const LINE_END = 10;
const TAB = 9;

/**
 * Facts of single blobs by `scanner:blob id`, in the order of their last use, in the stored form: one line each with the key,
 * a tab and JSON. A line is parsed when it is requested.
 */
export class RecentFacts {
  /** The least recently used line comes first. */
  readonly #lines: Map<string, Buffer>;
  #isNew = false;

  /** @param body the result of `bytes` in an earlier run; lines in any other form are ignored */
  constructor(body: Buffer = Buffer.alloc(0)) {
    this.#lines = new Map(linesOf(body));
  }

  /** Whether facts were added since the beginning. */
  get isNew(): boolean {
    return this.#isNew;
  }

  has(key: string): boolean {
    return this.#lines.has(key);
  }

  /** Returns the facts of a blob, and marks them as used. */
  get(key: string): FileFacts | undefined {
    const line = this.#lines.get(key);
    if (!line) return undefined;
    this.#lines.delete(key);
    this.#lines.set(key, line);
    return JSON.parse(
      line.toString("utf8", line.indexOf(TAB) + 1),
    ) as FileFacts;
  }

  set(key: string, facts: FileFacts): void {
    this.#lines.delete(key);
    this.#lines.set(key, Buffer.from(`${key}\t${JSON.stringify(facts)}\n`));
    this.#isNew = true;
  }

  /**
   * Returns the lines to store, at most `limit` bytes: the most recently used ones that fit. A line that is too large is
   * skipped; smaller lines that were used before it are kept.
   */
  bytes(limit = RECENT_BYTES): Buffer {
    const fitting: Buffer[] = [];
    let used = 0;
    for (const line of [...this.#lines.values()].reverse()) {
      if (used + line.length > limit) continue;
      used += line.length;
      fitting.push(line);
    }
    return Buffer.concat(fitting.reverse());
  }
}

function* linesOf(body: Buffer): Generator<[key: string, line: Buffer]> {
  for (let start = 0, end; start < body.length; start = end) {
    end = body.indexOf(LINE_END, start) + 1;
    if (end === 0) return;
    const tab = body.indexOf(TAB, start);
    if (tab >= 0 && tab < end)
      yield [body.toString("latin1", start, tab), body.subarray(start, end)];
  }
}
