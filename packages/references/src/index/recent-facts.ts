import type { FileFacts } from "../reference.js";

/**
 * Bytes that facts of single blobs may take on the disk. One small change reads and writes all of them, and a checkout of
 * an old commit may bring thousands: the facts of a package-lock.json alone take half a megabyte.
 */
export const RECENT_BYTES = 4_000_000;

const LINE_END = 10;
const TAB = 9;

/**
 * Facts of single blobs by `scanner:blob id`, in order of their last use, as they are kept: a line each, the key, a tab and
 * JSON. A line is parsed when it is asked for.
 */
export class RecentFacts {
  /** The one that was used longest ago comes first. */
  readonly #lines: Map<string, Buffer>;
  #isNew = false;

  /** @param body what `bytes` returned in an earlier run; of anything else, what is no such line is ignored */
  constructor(body: Buffer = Buffer.alloc(0)) {
    this.#lines = new Map(linesOf(body));
  }

  /** Whether there is something that was not there at the beginning. */
  get isNew(): boolean {
    return this.#isNew;
  }

  has(key: string): boolean {
    return this.#lines.has(key);
  }

  /** Returns the facts of a blob, which counts as a use. */
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
   * Returns what to keep, at most `limit` bytes: of all lines the ones that were used last, as many as fit. One that is
   * too large to fit is left out, and smaller ones that were used before it stay.
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
