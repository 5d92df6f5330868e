import { PACKAGES_NODE, ROOT_NODE } from "./table.js";

/** Numbers values in the order of their first use. */
export class Numbering<T> {
  readonly items: T[] = [];
  readonly #numbers = new Map<T, number>();

  of(item: T): number {
    let number = this.#numbers.get(item);
    if (number === undefined) {
      number = this.items.length;
      this.items.push(item);
      this.#numbers.set(item, number);
    }
    return number;
  }
}

/**
 * The tree of paths and package names while it grows. A parent always comes before its children. Children are found by
 * numbers alone, so the text of a path that consists of known names is never built.
 */
export class Nodes {
  readonly parents: number[] = [ROOT_NODE, ROOT_NODE];
  readonly names: number[];
  /** Nodes of package names. */
  readonly packages: number[] = [];
  readonly #strings: Numbering<string>;
  /** Open-addressing hash table: 0 is free, else node + 1. At most half of it is used. */
  #slots = new Int32Array(1 << 12);

  constructor(strings: Numbering<string>) {
    this.#strings = strings;
    this.names = [strings.of(""), strings.of("")];
  }

  /** Returns the node of a path from the project's root; empty for the root. */
  path(path: string): number {
    let node = ROOT_NODE;
    if (path === "") return node;
    for (let start = path.startsWith("/") ? 1 : 0; ;) {
      const slash = path.indexOf("/", start);
      const name = path.slice(start, slash < 0 ? undefined : slash);
      node = this.child(node, this.#strings.of(name));
      if (slash < 0) return node;
      start = slash + 1;
    }
  }

  /** Returns the node of a package's name. */
  package(name: string): number {
    const before = this.parents.length;
    const node = this.child(PACKAGES_NODE, this.#strings.of(name));
    if (node === before) this.packages.push(node);
    return node;
  }

  /**
   * Returns a node's child, which is created if it doesn't exist.
   * @param name number of the string
   */
  child(parent: number, name: number): number {
    const { parents, names } = this;
    const mask = this.#slots.length - 1;
    let slot = mix(parent, name) & mask;
    for (let taken = this.#slots[slot]; taken; taken = this.#slots[slot]) {
      if (names[taken - 1] === name && parents[taken - 1] === parent)
        return taken - 1;
      slot = (slot + 1) & mask;
    }
    const node = parents.length;
    parents.push(parent);
    names.push(name);
    this.#slots[slot] = node + 1;
    if (node * 2 > mask) this.#grow();
    return node;
  }

  #grow(): void {
    const slots = new Int32Array(this.#slots.length * 4);
    const mask = slots.length - 1;
    for (let node = PACKAGES_NODE + 1; node < this.parents.length; node++) {
      let slot = mix(this.parents[node] ?? 0, this.names[node] ?? 0) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = node + 1;
    }
    this.#slots = slots;
  }
}

function mix(parent: number, name: number): number {
  const hash = Math.imul(parent, 0x9e3779b1) ^ Math.imul(name + 1, 0x85ebca6b);
  return hash ^ (hash >>> 15);
}
