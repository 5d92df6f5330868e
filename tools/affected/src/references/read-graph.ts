import type { Change, Changeset } from "@skein/changes";
import type { DiffReader, Repository } from "@skein/git";
import { beginReading, readReferences } from "@skein/references";
import type {
  AsideNames,
  Reading,
  ReferenceGraph,
  ReferringWorkspace,
} from "@skein/references";
import {
  compileGlobs,
  compileTests,
  openLookupCheck,
  openSettingsCheck,
  openWorkspaceCheck,
  type AffectedSettings,
  type PackageFacts,
  type PathMatcher,
  type Project,
  type ProjectFiles,
  type Settings,
} from "@skein/workspaces";
import { isOnDisk } from "../files/files.js";

export interface ReferencesRequest {
  readonly repository: Repository;
  /** The project's folder: absolute, and relative to the top of the repository. */
  readonly root: string;
  readonly prefix: string;
  readonly changeset: Changeset;
  readonly changes: readonly Change[];
  readonly head: Project;
  readonly base: Project | undefined;
  readonly files: ProjectFiles;
  readonly settings: Settings;
  /** Selects for this script; undefined for all of them. */
  readonly script: string | undefined;
  /** Whether the caller needs all files, not only those that changed. */
  readonly wholeTree?: boolean | undefined;
  /** A key of all inputs of both projects, if there is one. */
  readonly key?: string | undefined;
  /** The folder of the index. */
  readonly cacheDir: string;
  /** The reader of differences that has started early. */
  readonly diffs?: DiffReader | undefined;
  /** The reading that started before it was known to be needed. */
  readonly reading?: Reading | undefined;
}

/** Reads the references of all files at head; undefined if there is no commit to read from. */
export async function readGraph({
  repository,
  root,
  prefix,
  changeset,
  changes,
  head,
  base,
  files,
  settings,
  key,
  cacheDir,
  diffs,
  reading,
}: ReferencesRequest): Promise<ReferenceGraph | undefined> {
  const onDisk = isOnDisk(changeset);
  const commit = onDisk ? repository.head : changeset.head?.commit;
  if (commit === undefined) return undefined;
  return readReferences({
    git: repository.git,
    diffs,
    tree: await treeOf(repository, commit, prefix),
    // References to a package that was removed must be found too.
    get workspaces() {
      return [
        ...head.packages.map((facts) => new Referring(facts, head)),
        ...(base && base !== head
          ? base.packages.map((facts) => new Referring(facts, base))
          : []),
      ];
    },
    workspacesKey: key,
    isWorkspace: openWorkspaceCheck(files, head),
    asides: asideNames(settings.affected, head),
    checkout: root,
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
    reading,
  });
}

/** Starts to read the files of a commit if no part of it is cached; undefined otherwise. */
export async function beginReferences({
  repository,
  root,
  prefix,
  head,
  cacheDir,
}: Pick<ReferencesRequest, "repository" | "root" | "prefix" | "cacheDir"> & {
  readonly head: string;
}): Promise<Reading | undefined> {
  const tree = await treeOf(repository, head, prefix);
  return beginReading({ git: repository.git, tree, checkout: root, cacheDir });
}

function asideNames(
  { tests, documentation }: AffectedSettings,
  head: Project,
): AsideNames {
  let isTest: PathMatcher | undefined;
  let isPage: PathMatcher | undefined;
  return {
    key: JSON.stringify([tests, documentation]),
    // If the edges are known already, this isn't called.
    isTest: (path) => (isTest ??= compileTests(tests))(path),
    isPage: (path) => (isPage ??= compileGlobs(documentation))(path),
    isLookedUp: openSettingsCheck(head),
    mayBeLookedUp: openLookupCheck(head),
  };
}

/** A package as the references see it. Of thousands, only few names of dependencies are ever read. */
class Referring implements ReferringWorkspace {
  readonly name: string;
  readonly dir: string;
  readonly namedByExternals: ReadonlySet<string> | undefined;
  readonly #facts: PackageFacts;
  #declared: ReadonlySet<string> | undefined;
  #optionalPeers: ReadonlySet<string> | undefined;

  constructor(facts: PackageFacts, project: Project) {
    this.name = facts.name;
    this.dir = facts.dir;
    this.namedByExternals = project.namedByExternals.get(facts.name);
    this.#facts = facts;
  }

  get declared(): ReadonlySet<string> {
    return (this.#declared ??= new Set(
      this.#facts.dependencies.map(({ ident }) => ident),
    ));
  }

  get optionalPeers(): ReadonlySet<string> {
    return (this.#optionalPeers ??= optionalPeersOf(this.#facts));
  }
}

function optionalPeersOf({ dependencies }: PackageFacts): ReadonlySet<string> {
  const firm = new Set(
    dependencies
      .filter(({ isOptional }) => !isOptional)
      .map(({ ident }) => ident),
  );
  return new Set(
    dependencies.map(({ ident }) => ident).filter((ident) => !firm.has(ident)),
  );
}

/** Returns the id of the project's tree in a commit, which is the key of the index. */
export async function treeOf(
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
