import {
  codeownersPaths,
  ownersOfPackage,
  parseCodeowners,
} from "@skein/workspaces";
import type { Survey } from "../survey.js";

/**
 * Reads CODEOWNERS from the places where GitHub looks for it. @returns a function from a package's name to its owners;
 * without such a file, no package has an owner
 */
export async function readOwners({
  readTop,
  prefix,
  head,
}: Pick<Survey, "readTop" | "prefix" | "head">): Promise<
  (name: string) => readonly string[]
> {
  for (const path of codeownersPaths) {
    const bytes = await readTop(path);
    if (!bytes) continue;
    const codeowners = parseCodeowners(bytes.toString("utf8"));
    return (name) => {
      const dir = head.graph.workspaces.get(name)?.dir ?? ".";
      return ownersOfPackage(
        codeowners,
        dir === "." ? prefix.slice(0, -1) || "." : `${prefix}${dir}`,
      );
    };
  }
  return () => [];
}
