import { printable } from "./printable.js";

/** Returns a hint with the names that a user may have meant: `did you mean ui?`. Undefined if none is similar. */
export function didYouMean(
  word: string,
  candidates: Iterable<string>,
): string | undefined {
  const near = nearest(word, candidates);
  return near.length > 0
    ? `did you mean ${near.map(printable).join(" or ")}?`
    : undefined;
}

/**
 * Returns the names that a user may have meant, best first. Names whose part after the last `/` is the word come first
 * (`ui` for `@acme/ui`). Then follow names within a third of the word's length in edits, and names that begin with the
 * word. In a word of up to four letters, a replaced letter is too much: `lint` isn't a mistyped `list`. No name is more
 * than one edit worse than the best. The order is deterministic: names with equal distances are
 * sorted.
 * @param limit the maximum number of names
 */
export function nearest(
  word: string,
  candidates: Iterable<string>,
  limit = 3,
): string[] {
  const wanted = word.toLowerCase();
  if (wanted === "") return [];
  const allowed = Math.max(1, Math.floor(wanted.length / 3));
  const found: { name: string; distance: number }[] = [];
  for (const name of candidates) {
    const distance = distanceTo(wanted, name.toLowerCase(), allowed);
    if (distance <= allowed) found.push({ name, distance });
  }
  const best = Math.min(...found.map(({ distance }) => distance));
  return found
    .filter(({ distance }) => distance <= best + 1)
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, limit)
    .map(({ name }) => name);
}

function distanceTo(wanted: string, name: string, allowed: number): number {
  const bare = name.slice(name.lastIndexOf("/") + 1);
  if (bare === wanted) return 0;
  const whole = editsTo(wanted, name, allowed);
  // A word without a scope is also compared with the bare name.
  const withoutScope = wanted.includes("/")
    ? Infinity
    : editsTo(wanted, bare, allowed);
  const begun =
    wanted.length >= 3 && name.startsWith(wanted) ? allowed : Infinity;
  return Math.min(whole, withoutScope, begun);
}

/** A glob such as `@p/*` isn't a word. */
const SHORT_WORD = /^[\p{L}\p{N}]{1,4}$/u;

/** Returns the edits between two words, or Infinity if a letter of a short word would be replaced. */
function editsTo(wanted: string, name: string, allowed: number): number {
  const isReplaced =
    wanted.length === name.length && lettersOf(wanted) !== lettersOf(name);
  return isReplaced && SHORT_WORD.test(wanted)
    ? Infinity
    : editDistance(wanted, name, allowed);
}

function lettersOf(word: string): string {
  return Array.from(word).sort().join("");
}

/**
 * Returns the smallest number of insertions, deletions, replacements and swaps of neighbours that turn one text into
 * the other (optimal string alignment). It stops and returns Infinity if the result exceeds `limit`.
 */
export function editDistance(a: string, b: string, limit = Infinity): number {
  if (Math.abs(a.length - b.length) > limit) return Infinity;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(
        (previous[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (previous[j - 1] ?? 0) + (same ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      row.push(cost);
      least = Math.min(least, cost);
    }
    // A swap uses the row before the previous one, so the loop stops only if a row exceeds the limit by more than one.
    if (least > limit + 1) return Infinity;
    before = previous;
    previous = row;
  }
  return previous[b.length] ?? Infinity;
}
