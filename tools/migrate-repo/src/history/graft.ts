import { streamNamed, type Git, type GitObject } from "@skein/git";
import type { HistoryFigures, Placement } from "../migration.js";
import { IdList } from "../objects/id-list.js";
import type { PackWriter } from "../objects/pack-writer.js";
import { FOLDER, type TreeEntry } from "../objects/tree-object.js";
import {
  formatCommit,
  parseCommit,
  personLine,
  type RawCommit,
} from "./commit-object.js";
import { CommitMap } from "./commit-map.js";
import { addTrailer, qualifyReferences } from "./message.js";
import { openPlacedEntries } from "./placed-entries.js";
import { PlacedTrees } from "./placed-trees.js";
import { Pruner } from "./prune.js";

export interface GraftRequest {
  /** The quarantine: everything is read there. */
  readonly git: Git;
  /** Takes the new objects; the caller finishes it. */
  readonly pack: PackWriter;
  /** Commits whose histories come along. */
  readonly tips: readonly string[];
  readonly placements: readonly Placement[];
  /** What earlier runs have mapped; those commits are not rewritten again. */
  readonly known: CommitMap;
  /** Old tips whose histories `known` holds. */
  readonly exclude: readonly string[];
  readonly qualifyRefs: string | undefined;
  /** The source as trailers name it; undefined: no trailers. */
  readonly trailer: string | undefined;
  /** Called with the number of commits that will be read. */
  readonly onCount?: (commits: number) => void;
  /** Called with each commit as it was. */
  readonly onCommit?: (commit: GitObject) => void;
  /** Called now and then with the number of commits read so far. */
  readonly onProgress: (commits: number) => void;
}

export interface Grafted {
  /** Only the commits of this run. */
  readonly commits: CommitMap;
  /** The originals' root trees as git told them, in the order of `commits`. */
  readonly trees: IdList;
  readonly figures: HistoryFigures;
}

/**
 * Rewrites histories to live below their placements: each commit's unchanged trees are named in a new commit, by one
 * stream through `rev-list | cat-file --batch` into a pack. No blob is read and nothing is checked out. People, dates,
 * charsets, merges with any number of parents and empty commits stay; the same input gives the same ids on every run.
 *
 * With chosen paths (`--only`) commits that touch none of them are left out, as git-filter-repo does; a merge stays
 * while its sides differ.
 * @throws {GitError}
 */
export async function graft(request: GraftRequest): Promise<Grafted> {
  const { git, pack, placements, known, tips } = request;
  const whole = placements.length === 1 && placements[0]?.from === "";
  const trees = new PlacedTrees(pack, placements);
  const entries = openPlacedEntries(git, placements);
  const pruner = whole ? undefined : new Pruner();
  const became = new CommitMap();
  const authors = new Set<string>();
  const figures = {
    commits: 0,
    merges: 0,
    signatures: 0,
    pruned: 0,
    mended: 0,
    qualified: 0,
  };

  const parentsOf = (commit: RawCommit): string[] => {
    const mapped = commit.parents
      .map((old) => became.get(old) ?? known.get(old))
      .filter((parent) => parent !== undefined);
    return whole ? mapped : [...new Set(mapped)];
  };

  const person = (raw: Buffer): Buffer => {
    const { line, mended } = personLine(raw);
    if (mended) figures.mended += 1;
    return line;
  };

  const wordsOf = (id: string, commit: RawCommit): Buffer => {
    let message = commit.message;
    if (request.qualifyRefs !== undefined) {
      const before = message;
      message = qualifyReferences(message, request.qualifyRefs);
      if (message !== before) figures.qualified += 1;
    }
    return request.trailer === undefined
      ? message
      : addTrailer(message, "Migrated-From", `${request.trailer}@${id}`);
  };

  const rewrite = (
    id: string,
    commit: RawCommit,
    found: readonly (TreeEntry | undefined)[],
  ): void => {
    let parents = parentsOf(commit);
    if (pruner) {
      const kept = pruner.judge(found, parents);
      if (kept.kind === "same-as") {
        became.add(id, kept.parent);
        figures.pruned += 1;
        return;
      }
      parents = [...kept.parents];
    }
    const fresh = pack.add(
      "commit",
      formatCommit({
        tree: trees.of(found),
        parents,
        author: person(commit.author),
        committer: person(commit.committer),
        encoding: commit.encoding,
        message: wordsOf(id, commit),
      }),
    );
    became.add(id, fresh);
    pruner?.keep(fresh, found, parents);
    figures.commits += 1;
    if (parents.length > 1) figures.merges += 1;
    if (commit.signed) figures.signatures += 1;
    const endOfEmail = commit.author.lastIndexOf(GREATER) + 1 || undefined;
    authors.add(commit.author.toString("latin1", 0, endOfEmail));
  };

  /** A parent that an earlier run rewrote: what it has at the placements decides whether its child adds anything. */
  const introduceKnown = async (
    to: Pruner,
    commits: readonly { readonly commit: RawCommit }[],
  ): Promise<void> => {
    for (const old of commits.flatMap(({ commit }) => commit.parents)) {
      const name = known.get(old);
      if (name === undefined || to.knows(name)) continue;
      to.introduce(name, await entries.of(old));
    }
  };

  const read = (object: GitObject | undefined) => {
    if (object?.type !== "commit")
      throw new Error("rev-list named an object that is no commit");
    request.onCommit?.(object);
    return { id: object.id, commit: parseCommit(object.content) };
  };

  try {
    const list = [
      ...["rev-list", "--topo-order", "--reverse", "--stdin"],
      ...["--no-commit-header", "--format=%H %T"],
    ];
    const input = [...tips, ...request.exclude.map((id) => `^${id}`), ""].join(
      "\n",
    );
    // Git names none before it has walked to the first one: nothing is lost by waiting for all, and their number is known.
    const { stdout } = await git.run(list, { input });
    const { names, trees } = cutList(stdout, tips[0]?.length ?? 0);
    request.onCount?.(trees.length);
    for await (const batch of streamNamed(git, (stdin) => stdin.end(names))) {
      if (whole) {
        // One by one, so that little is held at a time.
        for (const object of batch) {
          const { id, commit } = read(object);
          rewrite(id, commit, [{ mode: FOLDER, id: commit.tree }]);
        }
      } else {
        const commits = batch.map(read);
        const found = await Promise.all(
          commits.map(({ commit }) => entries.of(commit.tree)),
        );
        if (pruner) await introduceKnown(pruner, commits);
        commits.forEach(({ id, commit }, index) =>
          rewrite(id, commit, found[index] ?? []),
        );
      }
      await pack.flush();
      request.onProgress(became.size);
    }
    return {
      commits: became,
      trees,
      figures: { ...figures, authors: authors.size },
    };
  } finally {
    entries.close();
  }
}

/** Reads lines of `<commit> <tree>`. @returns the commits, one a line, and the trees */
function cutList(
  list: Buffer,
  idLength: number,
): { names: Buffer; trees: IdList } {
  const line = 2 * (idLength + 1);
  const count = list.length / line;
  const names = Buffer.alloc(count * (idLength + 1), "\n");
  const trees = new IdList(idLength);
  for (let index = 0; index < count; index++) {
    const at = index * line;
    list.copy(names, index * (idLength + 1), at, at + idLength);
    trees.add(list.toString("latin1", at + idLength + 1, at + line - 1));
  }
  return { names, trees };
}

/** `>`, after which comes the date. */
const GREATER = 62;
