import type { MappedCommit } from "../migration.js";
import { IdList } from "../objects/id-list.js";
import { IdTable } from "../objects/id-table.js";

/**
 * Maps old commit ids to new ones, in topological order, parents first. Its text is stored in
 * `refs/migrate/<name>/map`. The ids are stored as bytes outside the heap: a history may have a million of them.
 */
export class CommitMap implements Iterable<MappedCommit> {
  /** The lists, and the place of each old id in them; undefined for an empty map. */
  #ids: { table: IdTable; old: IdList; new: IdList } | undefined;

  get size(): number {
    return this.#ids?.old.length ?? 0;
  }

  /** Adds a commit; an existing one isn't changed. */
  add(old: string, id: string | undefined): void {
    const ids = (this.#ids ??= {
      table: new IdTable(old.length / 2),
      old: new IdList(old.length),
      new: new IdList(old.length),
    });
    if (!ids.table.add(old, this.size)) return;
    ids.old.add(old);
    // All zeros mean that there is no new commit: no object has that id.
    ids.new.add(id ?? "0".repeat(old.length));
  }

  /** Returns the new commit; undefined if the commit is unknown, or has no new commit. */
  get(old: string): string | undefined {
    const index = this.#ids?.table.get(old);
    return index === undefined ? undefined : this.#newAt(index);
  }

  has(old: string): boolean {
    return this.#ids?.table.get(old) !== undefined;
  }

  *[Symbol.iterator](): Generator<MappedCommit> {
    for (let index = 0; index < this.size; index++)
      yield { old: this.#ids?.old.at(index) ?? "", new: this.#newAt(index) };
  }

  /** Returns one line for each commit: `<old> <new>`, or `<old> -` if there is no new commit. */
  print(): Buffer {
    const digits = this.#ids?.old.at(0)?.length ?? 0;
    const text = Buffer.allocUnsafe(this.size * (digits * 2 + 2));
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
    const id = this.#ids?.new.at(index);
    return id === undefined || /^0+$/.test(id) ? undefined : id;
  }
}

/** Returns a map of these commits. */
export function commitMap(commits: Iterable<MappedCommit>): CommitMap {
  const map = new CommitMap();
  for (const { old, new: id } of commits) map.add(old, id);
  return map;
}
