import {
  compileWorkspaceGlobs,
  parseManifest,
  type Manifest,
} from "@skein/workspaces";
import type { StepContext } from "../../step.js";
import type { TreeFile, TreeView } from "../../../tree/draft.js";

/** A file of the migrated package. */
export interface PackageFile extends TreeFile {
  /** The destination folder in the target. */
  readonly to: string;
  /** The path below that folder. */
  readonly inside: string;
}

/** Returns all files of the package, folder by folder. */
export async function packageFiles(
  view: TreeView,
  { placements }: StepContext,
): Promise<readonly PackageFile[]> {
  const lists = await Promise.all(
    placements.map(async ({ to }) =>
      (await view.list(to)).map((file) => ({
        ...file,
        to,
        inside: file.path.slice(to.length + 1),
      })),
    ),
  );
  return lists.flat();
}

/** Returns the text of a file; undefined if it doesn't exist. */
export async function textOf(
  view: TreeView,
  path: string,
): Promise<string | undefined> {
  return (await view.read(path))?.toString("utf8");
}

/** Returns the text of a listed file; `""` for a submodule. */
export async function contentOf(
  view: TreeView,
  file: TreeFile,
): Promise<string> {
  return (await view.content(file))?.toString("utf8") ?? "";
}

/**
 * Returns folders that were a project or a workspace in the source: the migrated ones, and the nested workspaces in
 * them.
 */
export async function projectFolders(
  view: TreeView,
  context: StepContext,
): Promise<ReadonlySet<string>> {
  const folders = new Set(context.placements.map(({ to }) => to));
  for (const { to } of context.placements) {
    const { workspaces: globs = [] } = (await manifestIn(view, to)) ?? {};
    if (globs.length === 0) continue;
    const matches = compileWorkspaceGlobs(globs);
    for (const { path } of await view.list(to)) {
      if (!path.endsWith("/package.json")) continue;
      const dir = path.slice(to.length + 1, -"/package.json".length);
      if (matches(dir)) folders.add(`${to}/${dir}`);
    }
  }
  return folders;
}

/** Returns a manifest's fields; undefined if there is none that can be parsed. */
export async function fieldsOf(
  view: TreeView,
  dir: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  return (await manifestIn(view, dir))?.fields;
}

/** Returns the manifest of a folder; undefined if there is none that can be parsed. */
async function manifestIn(
  view: TreeView,
  dir: string,
): Promise<Manifest | undefined> {
  const path = dir === "" ? "package.json" : `${dir}/package.json`;
  const text = await textOf(view, path);
  try {
    return text === undefined ? undefined : parseManifest(text, path);
  } catch {
    return undefined;
  }
}
