import { join } from "node:path";
import { readFile } from "node:fs/promises";
import {
  codeownersPaths,
  ownersOfPackage,
  parseCodeowners,
} from "@skein/workspaces";
import type { Survey } from "./survey.js";

/** Reads CODEOWNERS where GitHub looks for it. @returns a package's owners by its name; nobody where there is no file */
export async function readOwners({
  repository,
  root,
  prefix,
  head,
}: Pick<Survey, "repository" | "root" | "prefix" | "head">): Promise<
  (name: string) => readonly string[]
> {
  const top = repository?.topLevel ?? root;
  if (top === undefined) return () => [];
  for (const path of codeownersPaths) {
    const text = await readText(join(top, path));
    if (text === undefined) continue;
    const codeowners = parseCodeowners(text);
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

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch {
    return undefined; // Not there, or not a file: the next place counts.
  }
}
