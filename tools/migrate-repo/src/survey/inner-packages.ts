import { commitTree, openObjects, parseLsTree, type Git } from "@skein/git";
import { compileWorkspaceGlobs } from "@skein/workspaces";
import { parse as parseYaml } from "yaml";
import type { MigrationRequest } from "../migration.js";

/** A package of a source that is a workspace itself. */
export interface InnerPackage {
  /** Folder in the source. */
  readonly dir: string;
  readonly name: string | undefined;
}

/** The value of `--only` for all packages of a source that is a workspace itself. */
const AUTO = "auto";

/** Returns whether a request asks for all packages of its source, whatever these are. */
export function isAuto({ only }: Pick<MigrationRequest, "only">): boolean {
  return only.length === 1 && only[0] === AUTO;
}

/** Returns the request with the packages of its source in place of `--only auto`. */
export function withPackages(
  request: MigrationRequest,
  inner: readonly InnerPackage[],
): MigrationRequest {
  return isAuto(request) && inner.length > 0
    ? { ...request, only: inner.map(({ dir }) => dir) }
    : request;
}

/**
 * Lists the packages of a source whose root is a private workspace: by `workspaces` of its package.json (npm, Yarn),
 * `packages` of its pnpm-workspace.yaml, or of its lerna.json. A root that is published itself is a package, and what it
 * holds comes along inside it.
 * @returns by folder; none where the source is no such workspace
 */
export async function findInnerPackages(
  git: Git,
  tip: string,
): Promise<readonly InnerPackage[]> {
  const objects = openObjects(git);
  try {
    const tree = commitTree(git, objects, tip);
    const read = async (path: string) =>
      (await tree.read(path))?.toString("utf8");
    const [manifest, pnpm, lerna] = await Promise.all(
      ["package.json", "pnpm-workspace.yaml", "lerna.json"].map(read),
    );
    const root = parse(JSON.parse, manifest);
    if (root["private"] !== true && typeof root["version"] === "string")
      return [];
    const globs = [
      ...globsIn(root["workspaces"]),
      ...globsIn(parse(parseYaml, pnpm)["packages"]),
      ...globsIn(parse(JSON.parse, lerna)["packages"]),
    ];
    if (globs.length === 0) return [];
    const isInner = compileWorkspaceGlobs(globs);
    const { stdout } = await git.run([
      "ls-tree",
      "-r",
      "-z",
      "--full-tree",
      tip,
    ]);
    const dirs = parseLsTree(stdout).flatMap(({ path }) => {
      const dir = path.replace(/\/package\.json$/, "");
      return dir !== path && isInner(dir) ? [dir] : [];
    });
    return await Promise.all(
      dirs.map(async (dir) => {
        const { name } = parse(JSON.parse, await read(`${dir}/package.json`));
        return { dir, name: typeof name === "string" ? name : undefined };
      }),
    );
  } finally {
    objects.close();
  }
}

function globsIn(value: unknown): readonly string[] {
  const list = isRecord(value) ? value["packages"] : value;
  return Array.isArray(list)
    ? list.filter((one): one is string => typeof one === "string")
    : [];
}

/** @returns what a file says; nothing where it is missing or cannot be read */
function parse(
  read: (text: string) => unknown,
  text: string | undefined,
): Readonly<Record<string, unknown>> {
  try {
    const value = read((text ?? "{}").replace(/^\uFEFF/, ""));
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
