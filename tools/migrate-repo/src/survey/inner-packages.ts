import { commitTree, openObjects, type Git } from "@skein/git";
import { compileWorkspaceGlobs, workspaceGlobs } from "@skein/workspaces";
import { parse as parseYaml } from "yaml";
import type { MigrationRequest } from "../migration.js";
import { fieldsIn } from "@skein/reporting/json-fields";

/** A package of a source that is itself a workspace. */
export interface InnerPackage {
  /** The folder in the source. */
  readonly dir: string;
  readonly name: string | undefined;
}

/** The value of `--only` for all packages of a source that is itself a workspace. */
const AUTO = "auto";

/** Returns whether a request selects all packages of its source. */
export function isAuto({ only }: Pick<MigrationRequest, "only">): boolean {
  return only.length === 1 && only[0] === AUTO;
}

/** Replaces `--only auto` by the packages of the source. */
export function withPackages(
  request: MigrationRequest,
  inner: readonly InnerPackage[],
): MigrationRequest {
  return isAuto(request) && inner.length > 0
    ? { ...request, only: inner.map(({ dir }) => dir) }
    : request;
}

/**
 * Lists the packages of a source whose root is a private workspace: by `workspaces` of its package.json (npm, Yarn), or
 * by `packages` of its pnpm-workspace.yaml or lerna.json. A published root is one package, and its inner packages are
 * migrated inside it.
 * @returns the packages; none if the source isn't such a workspace
 */
export async function findInnerPackages(
  git: Git,
  tip: string,
): Promise<readonly InnerPackage[]> {
  using objects = openObjects(git);
  const tree = commitTree(git, objects, tip);
  const [manifest, pnpm, lerna] = await Promise.all(
    ["package.json", "pnpm-workspace.yaml", "lerna.json"].map((path) =>
      tree.read(path),
    ),
  );
  const root = fieldsIn(manifest);
  if (root["private"] !== true && typeof root["version"] === "string")
    return [];
  const globs = [
    ...workspaceGlobs(root["workspaces"]),
    ...workspaceGlobs(fieldsIn(pnpm, parseYaml)["packages"]),
    ...workspaceGlobs(fieldsIn(lerna)["packages"]),
  ];
  if (globs.length === 0) return [];
  const isInner = compileWorkspaceGlobs(globs);
  const dirs = (await tree.list()).flatMap(({ path }) => {
    const dir = path.replace(/\/package\.json$/, "");
    return dir !== path && isInner(dir) ? [dir] : [];
  });
  return await Promise.all(
    dirs.map(async (dir) => {
      const { name } = fieldsIn(await tree.read(`${dir}/package.json`));
      return { dir, name: typeof name === "string" ? name : undefined };
    }),
  );
}
