import { Failure, printable } from "@skein/reporting";
import {
  DuplicateWorkspaceError,
  LockfileError,
  ManifestError,
  readProject,
  type Project,
} from "@skein/workspaces";
import { readCatalogs, type Catalogs, type Member } from "@skein/versions";
import type { Placement } from "../migration.js";
import type { StepContext } from "../steps/step.js";
import type { TreeView } from "../tree/draft.js";

/** The project with the package in it. */
export interface WorkspaceFacts {
  readonly project: Project;
  /** Workspaces that existed before, including the root. */
  readonly residents: readonly Member[];
  /** Workspaces that the migration adds. */
  readonly newcomers: readonly Member[];
  readonly catalogs: Catalogs;
}

/**
 * Reads the project of a tree.
 * @throws {Failure} if a manifest or the lockfile can't be read, or if two workspaces have the same name
 */
export async function readFacts(
  view: TreeView,
  { placements }: Pick<StepContext, "placements">,
): Promise<WorkspaceFacts> {
  const files = new Map(
    (await view.list("")).map((file) => [file.path, file] as const),
  );
  const read = async (path: string) => {
    const file = files.get(path);
    return file && view.content(file);
  };
  const project = await readProject({
    name: "",
    read,
    list: () => Promise.resolve([...files.keys()]),
  }).catch((error: unknown) => {
    throw explainProject(error);
  });
  if (!project) throw new Error("a registration needs a package.json");
  const members = project.packages.map(
    ({ name, dir, dependencies, manifest }): Member => {
      const version = manifest?.fields["version"];
      return {
        name,
        dir,
        version: typeof version === "string" ? version : undefined,
        dependencies,
      };
    },
  );
  return {
    project,
    residents: members.filter(({ dir }) => !isPlaced(dir, placements)),
    newcomers: members.filter(({ dir }) => isPlaced(dir, placements)),
    catalogs: readCatalogs((await read(".yarnrc.yml"))?.toString("utf8") ?? ""),
  };
}

/** Returns whether the migration adds a path. */
export function isPlaced(
  path: string,
  placements: readonly Placement[],
): boolean {
  return placements.some(({ to }) => path === to || path.startsWith(`${to}/`));
}

/** Returns a failure that explains why a project can't be read, with a hint. Other errors are returned unchanged. */
export function explainProject(error: unknown): unknown {
  if (error instanceof DuplicateWorkspaceError)
    return new Failure(
      `two workspaces would have the name ${printable(error.workspace)}: ${error.dirs.map(printable).join(" and ")}`,
      {
        hint: "rename one in its own repository, exclude its folder with a `!` glob in `workspaces`, or migrate the package with --no-register",
      },
    );
  if (error instanceof ManifestError || error instanceof LockfileError)
    return new Failure(
      `cannot read the workspace: ${printable(error.message)}`,
      {
        hint: "fix that file first, or migrate the package with --no-register",
      },
    );
  return error;
}
