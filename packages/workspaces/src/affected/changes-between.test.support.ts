import type { Change } from "@skein/changes";
import { textOf } from "../memory-files.test.support.js";
import type { MemoryFiles } from "../memory-files.test.support.js";

/** Compares two trees file by file. */
export function changesBetween(
  base: MemoryFiles,
  head: MemoryFiles,
): readonly Change[] {
  return [...new Set([...Object.keys(base), ...Object.keys(head)])].flatMap(
    (path): Change[] => {
      const [was, is] = [base, head].map((files) =>
        path in files ? textOf(files, path) : undefined,
      );
      if (was === is) return [];
      const kind =
        was === undefined ? "added" : is === undefined ? "deleted" : "modified";
      return [{ path, kind, origin: "committed" }];
    },
  );
}
