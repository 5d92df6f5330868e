import type { Change, Changeset } from "@skein/changes";
import type { Repository } from "@skein/git";
import { readReferences } from "@skein/references";
import type {
  FoundReference,
  ReferenceGraph,
  ReferenceKind,
  ReferringWorkspace,
} from "@skein/references";
import { isOnDisk } from "./files.js";
import type {
  PackageFacts,
  Project,
  ProjectFiles,
  References,
  Referrer,
} from "@skein/workspaces";

/** What a tsconfig merely takes in. */
const LISTS: ReadonlySet<ReferenceKind> = new Set<ReferenceKind>([
  "tsconfig-include",
  "tsconfig-paths",
  "tsconfig-reference",
]);

export interface ReferencesRequest {
  readonly repository: Repository;
  /** The project's folder, absolute, and from the top of the repository. */
  readonly root: string;
  readonly prefix: string;
  readonly changeset: Changeset;
  readonly changes: readonly Change[];
  readonly head: Project;
  readonly base: Project | undefined;
  readonly files: ProjectFiles;
  /** A word for all that both projects are made of, where there is one. */
  readonly key?: string | undefined;
  /** Where the index is kept. */
  readonly cacheDir: string;
}

/**
 * Reads what files refer to, at head, for the decision.
 * @returns undefined where there is no commit to read from: then nothing is taken for a mere test
 */
export async function openReferences(
  request: ReferencesRequest,
): Promise<References | undefined> {
  const graph = await readGraph(request);
  if (!graph) return undefined;
  const rootName = request.head.graph.root;
  return {
    edges: graph.sourceEdges().map(({ from, to, via }) => ({
      from,
      to,
      kind: "source",
      evidence: via.map(({ file, line }) => `${file}:${line}`).join(", "),
    })),
    usersOf: (path) =>
      graph
        .refersTo(path)
        .filter(({ from, kind }) => from !== rootName || !LISTS.has(kind))
        .map(referrer),
    loadersOf: (path) => graph.importersOf(path).map(referrer),
    tsconfigFolders: await tsconfigFolders(request),
    unreadable: graph.unreadable.length,
  };
}

/** Reads what files refer to, at head; undefined where there is no commit to read from. */
export async function readGraph({
  repository,
  root,
  prefix,
  changeset,
  changes,
  head,
  base,
  key,
  cacheDir,
}: ReferencesRequest): Promise<ReferenceGraph | undefined> {
  const onDisk = isOnDisk(changeset);
  const commit = onDisk ? repository.head : changeset.head?.commit;
  if (commit === undefined) return undefined;
  return readReferences({
    git: repository.git,
    tree: await treeOf(repository, commit, prefix),
    // What still refers to a package that is gone must be found too.
    get workspaces() {
      return [
        ...head.packages,
        ...(base && base !== head ? base.packages : []),
      ].map(referring);
    },
    workspacesKey: key,
    ...(onDisk && {
      workingTree: {
        dir: root,
        changed: changes
          .filter(
            ({ path, origin }) =>
              origin !== "committed" && !path.startsWith("../"),
          )
          .map(({ path }) => path),
      },
    }),
    cacheDir,
  });
}

function referring(facts: PackageFacts): ReferringWorkspace {
  const { name, dir } = facts;
  let declared: ReadonlySet<string> | undefined;
  return {
    name,
    dir,
    // Hardly any is asked for.
    get declared() {
      return (declared ??= new Set(
        facts.dependencies.map(({ ident }) => ident),
      ));
    },
  };
}

function referrer({ file, line, specifier }: FoundReference): Referrer {
  return { file, line, specifier };
}

/** The id of the project's tree: the index goes by it. */
async function treeOf(
  { git, head, known, prefix: asked }: Repository,
  commit: string,
  prefix: string,
): Promise<string> {
  if (known.tree !== undefined && commit === head && prefix === asked)
    return known.tree;
  const name =
    prefix === "" ? `${commit}^{tree}` : `${commit}:${prefix.slice(0, -1)}`;
  const { stdout } = await git.run([
    "rev-parse",
    "--verify",
    "--end-of-options",
    name,
  ]);
  return stdout.toString("latin1").trim();
}

/** Listing every file costs: it is done only where a tsconfig.json that no package owns may have changed in effect. */
async function tsconfigFolders({
  changes,
  head,
  files,
}: ReferencesRequest): Promise<ReadonlySet<string>> {
  const unowned = changes.some(
    ({ path }) =>
      head.graph.ownerOf(path).dir === "." && /\.jsonc?$/.test(path),
  );
  if (!unowned) return new Set();
  const suffix = "/tsconfig.json";
  const configs = (await files.list()).filter((path) => path.endsWith(suffix));
  return new Set(configs.map((path) => path.slice(0, -suffix.length)));
}
