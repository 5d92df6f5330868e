import { ownersOfPackage, readCodeowners } from "@skein/workspaces";
import type { Survey } from "../survey.js";

/** Reads CODEOWNERS. @returns a function from a package's name to its owners */
export async function readOwners({
  readTop,
  prefix,
  head,
}: Pick<Survey, "readTop" | "prefix" | "head">): Promise<
  (name: string) => readonly string[]
> {
  const codeowners = await readCodeowners(readTop);
  return (name) => {
    const dir = head.graph.workspaces.get(name)?.dir ?? ".";
    return ownersOfPackage(
      codeowners,
      dir === "." ? prefix.slice(0, -1) || "." : `${prefix}${dir}`,
    );
  };
}
