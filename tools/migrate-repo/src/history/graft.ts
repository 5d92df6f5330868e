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
  /** Git in the quarantine: all reads happen there. */
  readonly git: Git;
  /** Receives the new objects; the caller finishes the pack. */
  readonly pack: PackWriter;
  /** The commits whose histories are migrated. */
  readonly tips: readonly string[];
  readonly placements: readonly Placement[];
  /** The commits that earlier runs have mapped; they aren't rewritten again. */
  readonly known: CommitMap;
  /** Old tips whose histories are in `known`. */
  readonly exclude: readonly string[];
  readonly qualifyRefs: string | undefined;
  /** The source's name in trailers; undefined if there are no trailers. */
  readonly trailer: string | undefined;
  /** Called with the number of commits to read. */
  readonly onCount?: (commits: number) => void;
  /** Called with each original commit. */
  readonly onCommit?: (commit: GitObject) => void;
  /** Called after each batch with the number of commits read so far. */
  readonly onProgress: (commits: number) => void;
}

export interface Grafted {
  /** Only the commits of this run. */
  readonly commits: CommitMap;
  /** The originals' root trees, as git listed them, in the order of `commits`. */
  readonly trees: IdList;
  readonly figures: HistoryFigures;
}

/**
 * Rewrites histories to live below their placements. Each new commit refers to the unchanged trees of its original. The
 * commits are streamed through `rev-list | cat-file --batch` into a pack; no blob is read and nothing is checked out.
 * People, dates, charsets, merges with any number of parents and empty commits stay. The same input gives the same ids
 * on every run.
 *
 * With chosen paths (`--only`), commits that touch none of them are dropped, as git-filter-repo does; a merge stays
 * while its sides differ.
 * @throws {GitError}
 */
export async function graft(request: GraftRequest): Promise<Grafted> {
  const { git, pack, placements } = request;
  const whole = placements.length === 1 && placements[0]?.from === "";
  using entries = openPlacedEntries(git, placements);
  const graft = new Graft(request, whole ? undefined : new Pruner());
  const read = (object: GitObject | undefined) => {
    if (object?.type !== "commit")
      throw new Error("rev-list named an object that isn't a commit");
    request.onCommit?.(object);
    return { id: object.id, commit: parseCommit(object.content) };
  };
  const { names, trees } = await listCommits(request);
  request.onCount?.(trees.length);
  for await (const batch of streamNamed(git, (stdin) => stdin.end(names))) {
    if (whole) {
      // Rewrite the commits one by one, to hold little memory at a time.
      for (const object of batch) {
        const { id, commit } = read(object);
        graft.rewrite(id, commit, [{ mode: FOLDER, id: commit.tree }]);
      }
    } else {
      const commits = batch.map(read);
      const found = await Promise.all(
        commits.map(({ commit }) => entries.of(commit.tree)),
      );
      const parents = commits.flatMap(({ commit }) => commit.parents);
      await graft.introduceKnown(parents, (old) => entries.of(old));
      commits.forEach(({ id, commit }, index) =>
        graft.rewrite(id, commit, found[index] ?? []),
      );
    }
    await pack.flush();
    request.onProgress(graft.became.size);
  }
  return { commits: graft.became, trees, figures: graft.figures() };
}

/**
 * Lists the commits that the tips reach, parents first, and their root trees. With `--reverse`, git prints nothing
 * before it has walked all of them, so waiting for the whole list costs nothing, and the number of commits is known.
 */
async function listCommits({
  git,
  tips,
  exclude,
}: GraftRequest): Promise<{ readonly names: Buffer; readonly trees: IdList }> {
  const list = [
    ...["rev-list", "--topo-order", "--reverse", "--stdin"],
    ...["--no-commit-header", "--format=%H %T"],
  ];
  const input = [...tips, ...exclude.map((id) => `^${id}`), ""].join("\n");
  const { stdout } = await git.run(list, { input });
  return cutList(stdout, tips[0]?.length ?? 0);
}

/** Rewrites commits and collects the results. Parents must be rewritten before their children. */
class Graft {
  readonly became = new CommitMap();
  readonly #request: GraftRequest;
  readonly #pruner: Pruner | undefined;
  readonly #trees: PlacedTrees;
  readonly #authors = new Set<string>();
  readonly #figures = {
    commits: 0,
    merges: 0,
    signatures: 0,
    pruned: 0,
    mended: 0,
    qualified: 0,
  };

  /** @param pruner drops commits that touch nothing; undefined if the whole source is migrated */
  constructor(request: GraftRequest, pruner: Pruner | undefined) {
    this.#request = request;
    this.#pruner = pruner;
    this.#trees = new PlacedTrees(request.pack, request.placements);
  }

  figures(): HistoryFigures {
    return { ...this.#figures, authors: this.#authors.size };
  }

  /** Writes one new commit. @param found the old commit's entries at the placements */
  rewrite(
    id: string,
    commit: RawCommit,
    found: readonly (TreeEntry | undefined)[],
  ): void {
    let parents = this.#parentsOf(commit);
    if (this.#pruner) {
      const kept = this.#pruner.judge(found, parents);
      if (kept.kind === "same-as") {
        this.became.add(id, kept.parent);
        this.#figures.pruned += 1;
        return;
      }
      parents = [...kept.parents];
    }
    const fresh = this.#request.pack.add(
      "commit",
      formatCommit({
        tree: this.#trees.of(found),
        parents,
        author: this.#person(commit.author),
        committer: this.#person(commit.committer),
        encoding: commit.encoding,
        message: this.#messageOf(id, commit),
      }),
    );
    this.became.add(id, fresh);
    this.#pruner?.keep(fresh, found, parents);
    this.#figures.commits += 1;
    if (parents.length > 1) this.#figures.merges += 1;
    if (commit.signed) this.#figures.signatures += 1;
    const endOfEmail = commit.author.lastIndexOf(GREATER) + 1 || undefined;
    this.#authors.add(commit.author.toString("latin1", 0, endOfEmail));
  }

  /**
   * Adds parents that an earlier run rewrote to the pruner: their content at the placements decides whether a child
   * adds anything.
   * @param entriesOf reads a commit's entries at the placements
   */
  async introduceKnown(
    parents: readonly string[],
    entriesOf: (old: string) => Promise<readonly (TreeEntry | undefined)[]>,
  ): Promise<void> {
    if (!this.#pruner) return;
    for (const old of parents) {
      const name = this.#request.known.get(old);
      if (name === undefined || this.#pruner.knows(name)) continue;
      this.#pruner.introduce(name, await entriesOf(old));
    }
  }

  #parentsOf({ parents }: RawCommit): string[] {
    const mapped = parents
      .map((old) => this.became.get(old) ?? this.#request.known.get(old))
      .filter((parent) => parent !== undefined);
    return this.#pruner ? [...new Set(mapped)] : mapped;
  }

  #person(raw: Buffer): Buffer {
    const { line, mended } = personLine(raw);
    if (mended) this.#figures.mended += 1;
    return line;
  }

  #messageOf(id: string, { message: original }: RawCommit): Buffer {
    const { qualifyRefs, trailer } = this.#request;
    const message =
      qualifyRefs === undefined
        ? original
        : qualifyReferences(original, qualifyRefs);
    if (message !== original) this.#figures.qualified += 1;
    return trailer === undefined
      ? message
      : addTrailer(message, "Migrated-From", `${trailer}@${id}`);
  }
}

/** Splits lines of `<commit> <tree>`. @returns the commits, one on each line, and the trees */
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

/** The code of `>`, which precedes the date. */
const GREATER = 62;
