import { readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { openRepository } from "@skein/git";
import { Failure } from "@skein/reporting";
import {
  codeownersPaths,
  ownersOfPath,
  parseCodeowners,
} from "@skein/workspaces";
import type { Codeowners } from "@skein/workspaces";
import { openProject } from "../../project.js";
import type { OpenProject } from "../../project.js";
import type { DispatchWorld } from "../../world.js";
import type { Session } from "./session.js";

/**
 * Makes what says whose a change is, by the workspace and the CODEOWNERS that are checked out here.
 * @returns undefined where there is no workspace here
 */
export async function openAttribution(
  world: DispatchWorld,
): Promise<Session["attribute"]> {
  let open: OpenProject;
  try {
    open = await openProject(world);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
  const { root, project } = open;
  const { topLevel = root } = await openRepository({ ...world, cwd: root });
  const below = relative(topLevel, root).split(sep).join("/");
  const prefix = below === "" ? "" : `${below}/`;
  const codeowners = await readCodeowners(topLevel);
  return (files) => {
    const packages = new Set<string>();
    const owners = new Set<string>();
    for (const file of files) {
      if (file.startsWith(prefix))
        packages.add(project.graph.ownerOf(file.slice(prefix.length)).name);
      for (const owner of ownersOfPath(codeowners, file)) owners.add(owner);
    }
    return { packages: [...packages].sort(), owners: [...owners].sort() };
  };
}

async function readCodeowners(topLevel: string): Promise<Codeowners> {
  for (const path of codeownersPaths) {
    const text = await readFile(join(topLevel, path), "utf8").catch(
      () => undefined,
    );
    if (text !== undefined) return parseCodeowners(text);
  }
  return { rules: [], problems: [] };
}
