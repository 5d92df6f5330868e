/** Sets of packages, one bit for each. */
export interface Marks {
  /** All of them. */
  readonly found: bigint;
  /** Those with a reason that concerns dependents. */
  readonly spreading: bigint;
  /** Those with a reason that is no guess. */
  readonly sure: bigint;
}

/** No package. */
export const NO_MARKS: Marks = { found: 0n, spreading: 0n, sure: 0n };

/** A file with the packages that read it, and the files that lead to it. */
export interface SummaryNode {
  readonly own: Marks;
  readonly next: readonly {
    readonly file: string;
    readonly isGuess: boolean;
  }[];
}

/** Returns the packages in at least one of two sets. */
export function union(a: Marks, b: Marks): Marks {
  return {
    found: a.found | b.found,
    spreading: a.spreading | b.spreading,
    sure: a.sure | b.sure,
  };
}

/** Returns whether the first sets contain all of the second. */
export function includes(a: Marks, b: Marks): boolean {
  return (
    (b.found & ~a.found) === 0n &&
    (b.spreading & ~a.spreading) === 0n &&
    (b.sure & ~a.sure) === 0n
  );
}

/**
 * Opens the packages that a search can find from a file, on any way. Each file is computed once, so the time for all files is
 * linear in the links, if their cycles aren't nested.
 * @param nodeOf called once for each file
 */
export function openSummaries(
  nodeOf: (file: string) => SummaryNode,
): (file: string) => Marks {
  const known = new Map<string, Marks>();
  return (file) => {
    if (!known.has(file)) settle(newNodes(file, known, nodeOf), known);
    return known.get(file) ?? NO_MARKS;
  };
}

/** Returns the files without a summary that a file leads to: those behind a file mostly come before it. */
function newNodes(
  start: string,
  known: Map<string, Marks>,
  nodeOf: (file: string) => SummaryNode,
): ReadonlyMap<string, SummaryNode> {
  const done = new Map<string, SummaryNode>();
  const seen = new Set([start]);
  const open = [{ file: start, node: nodeOf(start), at: 0 }];
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const next = top.node.next[top.at++];
    if (!next) {
      done.set(top.file, top.node);
      open.pop();
    } else if (!seen.has(next.file) && !known.has(next.file)) {
      seen.add(next.file);
      open.push({ file: next.file, node: nodeOf(next.file), at: 0 });
    }
  }
  return done;
}

/** Adds what follows files to their summaries, until nothing is missing. Only cycles need more than two rounds. */
function settle(
  nodes: ReadonlyMap<string, SummaryNode>,
  known: Map<string, Marks>,
): void {
  for (const [file, { own }] of nodes) known.set(file, own);
  for (let isComplete = false; !isComplete;) {
    isComplete = true;
    for (const [file, { next }] of nodes) {
      const before = known.get(file) ?? NO_MARKS;
      let marks = before;
      for (const { file: other, isGuess } of next) {
        const behind = known.get(other) ?? NO_MARKS;
        marks = union(marks, isGuess ? { ...behind, sure: 0n } : behind);
      }
      if (includes(before, marks)) continue;
      known.set(file, marks);
      isComplete = false;
    }
  }
}
