import {
  codeownersPaths,
  ownersOfPackage,
  parseCodeowners,
} from "@skein/workspaces";
import type { Survey } from "./survey.js";

/** Reads CODEOWNERS where GitHub looks for it. @returns a package's owners by its name; nobody where there is no file */
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
