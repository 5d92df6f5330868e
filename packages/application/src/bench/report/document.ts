import { readFile, writeFile } from "node:fs/promises";

/** The comments around the block of `yarn bench:affected`. */
export const BLOCK = ["<!-- bench:begin -->", "<!-- bench:end -->"] as const;

/** The comments around the block of `yarn bench:run`. */
export const RUN_BLOCK = [
  "<!-- bench-run:begin -->",
  "<!-- bench-run:end -->",
] as const;

export type Block = readonly [begin: string, end: string];

/**
 * Opens a document whose block a report will replace, before hours are spent on the report.
 * @param file absolute
 * @throws {Error} if the file cannot be read or does not hold both comments, in this order
 */
export async function openBlock(
  file: string,
  block: Block,
): Promise<{ replace(report: string): Promise<void> }> {
  replaceBlock(await readFile(file, "utf8"), "", block);
  return {
    replace: async (report) =>
      writeFile(
        file,
        replaceBlock(await readFile(file, "utf8"), report, block),
      ),
  };
}

/**
 * Replaces the text between two comments of a document by a report.
 * @throws if the document doesn't contain both comments in this order
 */
export function replaceBlock(
  document: string,
  report: string,
  [first, last]: Block,
): string {
  const begin = document.indexOf(first);
  const end = document.indexOf(last);
  if (begin < 0 || end < begin)
    throw new Error(`the document has no lines ${first} and ${last}`);
  return `${document.slice(0, begin + first.length)}\n\n${report.trim()}\n\n${document.slice(end)}`;
}
