export const BEGIN = "<!-- bench:begin -->";
export const END = "<!-- bench:end -->";

/** The comments around the block of `yarn bench:run`. */
export const RUN_BLOCK = [
  "<!-- bench-run:begin -->",
  "<!-- bench-run:end -->",
] as const;

/**
 * Puts a report between two comments of a document.
 * @throws when the document does not hold both, in this order
 */
export function replaceBlock(
  document: string,
  report: string,
  [first, last]: readonly [string, string] = [BEGIN, END],
): string {
  const begin = document.indexOf(first);
  const end = document.indexOf(last);
  if (begin < 0 || end < begin)
    throw new Error(`the document has no lines ${first} and ${last}`);
  return `${document.slice(0, begin + first.length)}\n\n${report.trim()}\n\n${document.slice(end)}`;
}
