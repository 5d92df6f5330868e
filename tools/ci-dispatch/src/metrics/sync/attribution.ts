import { join, relative, sep } from "node:path";
import { openRepository } from "@skein/git";
import { Failure, readRegularFile, readRegularText } from "@skein/reporting";
import { ownersOfPath, readCodeowners } from "@skein/workspaces";
import { openProject, type OpenProject } from "../../project.js";
import type { DispatchWorld } from "../../world.js";
import type { Session } from "@skein/metrics-store/sync";

/** The data of the workspace in the current folder. */
export interface Here {
  /** Finds the packages and owners of a change from the workspace and its CODEOWNERS. */
  readonly attribute: NonNullable<Session["attribute"]>;
  /** Returns the names of the packages that are not private, sorted. */
  publicPackages(): Promise<readonly string[]>;
}

/**
 * Opens the workspace of the current folder.
 * @returns undefined if no workspace is checked out in the folder
 */
export async function openHere(
  world: DispatchWorld,
): Promise<Here | undefined> {
  let open: OpenProject;
  try {
    open = await openProject(world);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
  if (open.commit !== undefined) {
    open[Symbol.dispose]();
    return undefined;
  }
  const { root, project } = open;
  const { topLevel = root } = await openRepository({ ...world, cwd: root });
  const below = relative(topLevel, root).split(sep).join("/");
  const prefix = below === "" ? "" : `${below}/`;
  const codeowners = await readCodeowners((path) =>
    readRegularFile(join(topLevel, path)).catch(() => undefined),
  );
  return {
    attribute(files) {
      const packages = new Set<string>();
      const owners = new Set<string>();
      for (const file of files) {
        if (file.startsWith(prefix))
          packages.add(project.graph.ownerOf(file.slice(prefix.length)).name);
        for (const owner of ownersOfPath(codeowners, file)) owners.add(owner);
      }
      return { packages: [...packages].sort(), owners: [...owners].sort() };
    },
    async publicPackages() {
      const names: string[] = [];
      for (const { name, dir } of project.packages) {
        const text = await readRegularText(join(root, dir, "package.json"));
        const manifest = JSON.parse(text) as { readonly private?: unknown };
        if (manifest.private !== true) names.push(name);
      }
      return names.sort();
    },
  };
}
