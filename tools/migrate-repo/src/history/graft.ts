import { streamObjects, type Git } from "@skein/git";
import type { HistoryFigures, Placement } from "../migration.js";
import { parseCommit, personLine, type RawCommit } from "./commit-object.js";
import { CommitMap } from "./commit-map.js";
import { startFastImport, type TreeEntry } from "./fast-import.js";
import { IdTable } from "./id-table.js";
import { addTrailer, qualifyReferences } from "./message.js";
import { openPlacedEntries } from "./placed-entries.js";
import { Pruner } from "./prune.js";

export interface GraftRequest {
  /** The quarantine: everything is read and written there. */
  readonly git: Git;
  readonly scratch: string;
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
  /** Called now and then with the number of commits read so far. */
  readonly onProgress: (commits: number) => void;
}

export interface Grafted {
  /** Only the commits of this run. */
  readonly commits: CommitMap;
  readonly figures: HistoryFigures;
}

/**
 * Rewrites histories to live below their placements: each commit's unchanged trees are named in a new commit, by one
 * stream through `rev-list | cat-file --batch | fast-import`. No blob is read and nothing is checked out. People, dates,
 * charsets, merges with any number of parents and empty commits stay; the same input gives the same ids on every run.
 *
 * With chosen paths (`--only`) commits that touch none of them are left out, as git-filter-repo does; a merge stays
 * while its sides differ.
 * @throws {GitError}
 */
export async function graft(request: GraftRequest): Promise<Grafted> {
  const { git, placements, known, tips } = request;
  const whole = placements.length === 1 && placements[0]?.from === "";
  const importer = await startFastImport(git, request.scratch);
  const entries = openPlacedEntries(git, placements);
  const pruner = whole ? undefined : new Pruner();
  const became = new Becoming();
  const authors = new Set<string>();
  const figures = {
    merges: 0,
    signatures: 0,
    pruned: 0,
    mended: 0,
    qualified: 0,
  };
  let marks = 0;

  const parentsOf = (commit: RawCommit): string[] => {
    const mapped = commit.parents
      .map((old) => became.get(old) ?? known.get(old) ?? "")
      .filter((parent) => parent !== "");
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
        became.set(id, kept.parent);
        figures.pruned += 1;
        return;
      }
      parents = [...kept.parents];
    }
    marks += 1;
    became.set(id, `:${marks}`);
    pruner?.keep(`:${marks}`, found, parents);
    if (parents.length > 1) figures.merges += 1;
    if (commit.signed) figures.signatures += 1;
    authors.add(commit.author.toString("latin1").replace(/>[^>]*$/, ">"));
    importer.commit({
      mark: marks,
      author: person(commit.author),
      committer: person(commit.committer),
      encoding: commit.encoding,
      message: wordsOf(id, commit),
      parents,
      entries: placements.map(({ to }, index) => [to, found[index]]),
    });
  };

  /** A parent that an earlier run rewrote: what it has at the placements decides whether its child adds anything. */
  const introduceKnown = async (
    to: Pruner,
    commits: readonly { readonly commit: RawCommit }[],
  ): Promise<void> => {
    for (const old of commits.flatMap(({ commit }) => commit.parents)) {
      const name = known.get(old);
      if (name === undefined || to.knows(name)) continue;
      to.keep(name, await entries.of(old), []);
    }
  };

  try {
    const list = ["rev-list", "--topo-order", "--reverse", "--stdin"];
    const input = [...tips, ...request.exclude.map((id) => `^${id}`), ""].join(
      "\n",
    );
    for await (const batch of streamObjects(git, list, input)) {
      const commits = batch.map((object) => {
        if (object?.type !== "commit")
          throw new Error("rev-list named an object that is no commit");
        return { id: object.id, commit: parseCommit(object.content) };
      });
      const found = await Promise.all(
        commits.map(({ commit }) => entries.of(commit.tree)),
      );
      if (pruner) await introduceKnown(pruner, commits);
      commits.forEach(({ id, commit }, index) =>
        rewrite(id, commit, found[index] ?? []),
      );
      await importer.flush();
      request.onProgress(became.size);
    }
    const ids = await importer.finish();
    return {
      commits: became.resolve(ids),
      figures: { ...figures, commits: marks, authors: authors.size },
    };
  } finally {
    entries.close();
  }
}

/** What each commit of a run became: `:mark`, an id of an earlier run, or "" where nothing came along. */
class Becoming {
  readonly #olds = new CommitMap();
  #table: IdTable | undefined;
  /** Ids and "", which few commits become; the others are marks. */
  readonly #names = new Map<string, number>();
  readonly #byNumber: string[] = [];

  get size(): number {
    return this.#olds.size;
  }

  set(old: string, to: string): void {
    this.#olds.add(old, undefined);
    this.#table ??= new IdTable(old.length / 2);
    // Even numbers are marks, odd ones names.
    this.#table.set(
      old,
      to.startsWith(":") ? Number(to.slice(1)) * 2 : this.#nameOf(to) * 2 + 1,
    );
  }

  get(old: string): string | undefined {
    const value = this.#table?.get(old);
    if (value === undefined) return undefined;
    return value % 2 === 0 ? `:${value / 2}` : this.#byNumber[(value - 1) / 2];
  }

  /** @param ids the new id of each mark */
  resolve(ids: readonly string[]): CommitMap {
    const map = new CommitMap();
    for (const { old } of this.#olds) {
      const to = this.get(old) ?? "";
      if (to.startsWith(":")) map.add(old, ids[Number(to.slice(1)) - 1]);
      else map.add(old, to === "" ? undefined : to);
    }
    return map;
  }

  #nameOf(name: string): number {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    this.#names.set(name, this.#byNumber.length);
    return this.#byNumber.push(name) - 1;
  }
}
