import { posix } from "node:path";
import { compileWorkspaceGlobs } from "@skein/workspaces";

/** Returns the globs that the root's `workspaces` need to cover a folder. */
export type Cover =
  | { readonly kind: "covered" }
  /** These are added; the list may not have existed. */
  | { readonly kind: "extend"; readonly globs: readonly string[] }
  /** A `!glob` keeps a folder out; nothing that is added takes it back. */
  | {
      readonly kind: "excluded";
      readonly dir: string;
      readonly glob: string;
    };

/**
 * Decides how workspace globs come to cover folders: a folder whose neighbours are covered by nothing either is added by
 * its own path, since a `*` could take in what nobody meant.
 */
export function coverFolders(
  globs: readonly string[],
  dirs: readonly string[],
): Cover {
  const missing = dirs.filter((dir) => !compileWorkspaceGlobs(globs)(dir));
  if (missing.length === 0) return { kind: "covered" };
  for (const dir of missing) {
    const glob = globs.find(
      (one) =>
        one.startsWith("!") && compileWorkspaceGlobs([one.slice(1)])(dir),
    );
    if (glob !== undefined) return { kind: "excluded", dir, glob };
  }
  return { kind: "extend", globs: missing.map(literal) };
}

/** Returns a folder's name as a glob that matches it alone. */
function literal(dir: string): string {
  return posix.normalize(dir).replace(/[*?[\]{}()!+@\\]/g, String.raw`\$&`);
}
