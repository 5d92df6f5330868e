import type { MappedCommit } from "../migration.js";
import { IdTable } from "../objects/id-table.js";

/**
 * Maps old commit ids to new ones, in topological order, parents first. Its text is stored in
 * `refs/migrate/<name>/map`. The ids are stored as bytes outside the heap: a history may have a million of them.
 */
export class CommitMap implements Iterable<MappedCommit> {
  #table: IdTable | undefined;
  #old: Buffer = Buffer.alloc(0);
  #new: Buffer = Buffer.alloc(0);
  #idLength = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Adds a commit; an existing one isn't changed. */
  add(old: string, id: string | undefined): void {
    this.#idLength ||= old.length / 2;
    this.#table ??= new IdTable(this.#idLength);
    if (!this.#table.add(old, this.#size)) return;
    const at = this.#size * this.#idLength;
    if (at === this.#old.length) {
      this.#old = widen(this.#old, this.#idLength);
      this.#new = widen(this.#new, this.#idLength);
    }
    this.#old.write(old, at, "hex");
    // All zeros mean that there is no new commit: no object has that id.
    if (id !== undefined) this.#new.write(id, at, "hex");
    this.#size += 1;
  }

  /** Returns the new commit; undefined if the commit is unknown, or has no new commit. */
  get(old: string): string | undefined {
    const index = this.#table?.get(old);
    return index === undefined ? undefined : this.#newAt(index);
  }

  has(old: string): boolean {
    return this.#table?.get(old) !== undefined;
  }

  *[Symbol.iterator](): Generator<MappedCommit> {
    for (let index = 0; index < this.#size; index++) {
      const at = index * this.#idLength;
      yield {
        old: this.#old.toString("hex", at, at + this.#idLength),
        new: this.#newAt(index),
      };
    }
  }

  /** Returns one line for each commit: `<old> <new>`, or `<old> -` if there is no new commit. */
  print(): Buffer {
    const text = Buffer.allocUnsafe(this.#size * (this.#idLength * 4 + 2));
    let at = 0;
    for (const { old, new: id } of this)
      at += text.write(`${old} ${id ?? "-"}\n`, at, "latin1");
    return text.subarray(0, at);
  }

  /** Parses the output of `print`. @throws if a line is neither a pair of ids nor an id and `-` */
  static parse(text: Buffer): CommitMap {
    const map = new CommitMap();
    for (let at = 0; at < text.length;) {
      const found = text.indexOf(10, at);
      const end = found < 0 ? text.length : found;
      const line = text.toString("latin1", at, end);
      const match = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}|-)$/.exec(line);
      if (!match) throw new Error(`not a line of a commit map: ${line}`);
      map.add(match[1] ?? "", match[2] === "-" ? undefined : match[2]);
      at = end + 1;
    }
    return map;
  }

  #newAt(index: number): string | undefined {
    const at = index * this.#idLength;
    const id = this.#new.toString("hex", at, at + this.#idLength);
    return /^0+$/.test(id) ? undefined : id;
  }
}

/** Returns a map of these commits. */
export function commitMap(commits: Iterable<MappedCommit>): CommitMap {
  const map = new CommitMap();
  for (const { old, new: id } of commits) map.add(old, id);
  return map;
}

function widen(bytes: Buffer, idLength: number): Buffer {
  const wider = Buffer.alloc(Math.max(1024 * idLength, bytes.length * 2));
  bytes.copy(wider);
  return wider;
}
