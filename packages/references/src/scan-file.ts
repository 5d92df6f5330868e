import { fileKind } from "./scan/file-kinds.js";
import { loadScanner } from "./scan/load-scanner.js";
import type { ReferenceKind } from "./reference.js";
import { resolveReference } from "./resolve.js";

/** A package that a file names. */
export interface NamedPackage {
  readonly name: string;
  readonly kind: ReferenceKind;
  /** 1-based. */
  readonly line: number;
}

/**
 * Returns the packages that one file names, without an index, for files that aren't in a workspace yet.
 * @param path from the project's root
 * @param mode git's six digits
 * @returns in the file's order, without Node's builtins; empty for a file that isn't read
 */
export async function packagesNamedBy(
  path: string,
  mode: string,
  read: () => Promise<Buffer | undefined>,
): Promise<readonly NamedPackage[]> {
  const kind = fileKind(path, mode);
  if (!kind) return [];
  const bytes = await read();
  if (!bytes) return [];
  const scanBytes = await loadScanner();
  return scanBytes(kind, bytes).references.flatMap((reference) => {
    const target = resolveReference(path, reference);
    return target?.kind === "package"
      ? [{ name: target.name, kind: reference.kind, line: reference.line }]
      : [];
  });
}
