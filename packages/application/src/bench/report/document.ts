export const BEGIN = "<!-- bench:begin -->";
export const END = "<!-- bench:end -->";

/**
 * Puts a report between the two comments of a document.
 * @throws if the document doesn't have both comments, in this order
 */
export function replaceBlock(document: string, report: string): string {
  const begin = document.indexOf(BEGIN);
  const end = document.indexOf(END);
  if (begin < 0 || end < begin)
    throw new Error(`the document has no lines ${BEGIN} and ${END}`);
  return `${document.slice(0, begin + BEGIN.length)}\n\n${report.trim()}\n\n${document.slice(end)}`;
}
