import { openScanner, type ScanBytes } from "./scanners.js";
import type { ParseSync } from "./javascript/source.js";

/** Loads the parser and opens a scanner with it. */
export async function loadScanner(): Promise<ScanBytes> {
  return openScanner(await loadParser());
}

/**
 * Loads the parser, which takes about 15 ms. On a machine without support for its native part, every file is reported as
 * unparsed and searched for quoted words instead, which finds more references rather than fewer.
 */
async function loadParser(): Promise<ParseSync> {
  try {
    return (await import("oxc-parser")).parseSync;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message = `the parser could not be loaded: ${why.split("\n")[0] ?? ""}`;
    return () =>
      ({
        program: undefined,
        comments: [],
        errors: [{ message }],
      }) as unknown as ReturnType<ParseSync>;
  }
}
