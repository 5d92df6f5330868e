import { posix } from "node:path";
import { compileWorkspaceGlobs } from "@skein/workspaces";

/** How the root's `workspaces` can cover a folder. */
export type Cover =
  | { readonly kind: "covered" }
  /** The globs to add; the list may not have existed. */
  | { readonly kind: "extend"; readonly globs: readonly string[] }
  /** A `!glob` excludes a folder; no added glob can include it again. */
  | {
      readonly kind: "excluded";
      readonly dir: string;
      readonly glob: string;
    };

/**
 * Decides how workspace globs can cover folders. A folder that no glob covers is added by its own path, because a `*`
 * could include other folders by accident.
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

/** Returns a glob that matches only one folder. */
function literal(dir: string): string {
  return posix.normalize(dir).replace(/[*?[\]{}()!+@\\]/g, String.raw`\$&`);
}
