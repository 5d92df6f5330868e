import { openGit } from "@skein/git";
import {
  buildHistory,
  type Files,
  gitIn,
  gitTestEnv,
  json,
  tempDir,
} from "@skein/testing";
import type { ReferenceGraph } from "../graph.js";
import { readReferences } from "../read-references.js";

/** The files of each package, by their paths in its folder `packages/NAME`; `.` has the files of the root. */
export type Packages = Readonly<Record<string, Files>>;
/** Further fields of the manifests, by the same names. */
export type Manifests = Readonly<
  Record<
    string,
    { readonly dependencies?: object; readonly [field: string]: unknown }
  >
>;

/**
 * Returns the edges between the packages of a project that no manifest shows, as `a -> b`; without those of the root.
 */
export async function edgesOf(
  packages: Packages,
  manifests: Manifests = {},
): Promise<readonly string[]> {
  const graph = await graphOf(packages, manifests);
  return graph
    .edges()
    .edges.filter(({ from }) => from !== "root")
    .map(({ from, to }) => `${from} -> ${to}`)
    .sort();
}

/**
 * Reads the references of a project. The graph answers from its index: its repository is gone.
 * @param namedByExternals the packages that external packages of each package depend on
 */
export async function graphOf(
  packages: Packages,
  manifests: Manifests = {},
  namedByExternals: Readonly<Record<string, readonly string[]>> = {},
): Promise<ReferenceGraph> {
  await using dir = await tempDir();
  const all = Object.entries({ ".": {}, ...packages }).map(
    ([folder, files]) => {
      const isRoot = folder === ".";
      const name = isRoot ? "root" : folder;
      const workspaces = isRoot ? ["packages/*"] : undefined;
      const manifest = json({ name, workspaces, ...manifests[folder] });
      return {
        name,
        dir: isRoot ? "." : `packages/${name}`,
        files: { "package.json": manifest, ...files },
      };
    },
  );
  const files = all.flatMap((each) =>
    Object.entries(each.files).map(
      ([path, content]) =>
        [each.dir === "." ? path : `${each.dir}/${path}`, content] as const,
    ),
  );
  buildHistory(dir.path, [{ files: Object.fromEntries(files) }]);
  return await readReferences({
    git: openGit({ cwd: dir.path, env: gitTestEnv }),
    tree: gitIn(dir.path, "rev-parse", "HEAD^{tree}").trim(),
    workspaces: all.map(({ name, dir }) => ({
      name,
      dir,
      declared: new Set(Object.keys(manifests[name]?.dependencies ?? {})),
      namedByExternals: new Set(namedByExternals[name]),
    })),
  });
}
