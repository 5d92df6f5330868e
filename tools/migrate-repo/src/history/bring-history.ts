import { openObjects, type Git } from "@skein/git";
import type { HistoryFigures, HistoryMode, Placement } from "../migration.js";
import { openDraft, type Draft } from "../tree/draft.js";
import { commitMap, type CommitMap } from "./commit-map.js";
import { graft, type GraftRequest } from "./graft.js";
import { makeCommit, type Committer } from "./make-commit.js";
import type { IdList } from "../objects/id-list.js";
import { openPlacedEntries } from "./placed-entries.js";

/** A request for a history. Only the mode `graft` calls `onCount`, `onCommit` and `onProgress`. */
export interface HistoryRequest extends Omit<GraftRequest, "tips"> {
  readonly scratch: string;
  readonly mode: HistoryMode;
  /** The source's commit that will be merged. */
  readonly tip: string;
  /** Commits of further branches and tags to migrate. */
  readonly moreTips: readonly string[];
  /** The commit that the last run merged; undefined for the first run. */
  readonly previous: string | undefined;
  /** The source's name for people, in the message of a move or squash. */
  readonly sourceName: string;
  readonly committer: Committer;
}

export interface BroughtHistory {
  /** The commit to merge: the source's files at their destinations, with their history. */
  readonly tip: string;
  readonly commits: CommitMap;
  /** The originals' root trees, in the order of `commits`, if git listed them. */
  readonly trees?: IdList;
  readonly figures: HistoryFigures;
}

/** Writes a source's history into the quarantine, in the form that the mode requires. @throws {GitError} */
export async function bringHistory(
  request: HistoryRequest,
): Promise<BroughtHistory> {
  const { mode, tip } = request;
  if (mode === "graft") {
    const done = await graft({
      ...request,
      tips: [tip, ...request.moreTips],
    });
    const brought = done.commits.get(tip) ?? request.known.get(tip);
    if (brought === undefined)
      throw new Error(`the source's tip ${tip} was not rewritten`);
    return { tip: brought, ...done };
  }
  const parents = [
    ...(request.previous === undefined ? [] : [request.previous]),
    ...(mode === "move" ? [tip] : []),
  ];
  const where = request.placements.map(({ to }) => to).join(", ");
  const tree = await placedTree(request);
  const commit = await makeCommit(request.git, request.committer, {
    tree,
    parents,
    message:
      mode === "move"
        ? `Move ${request.sourceName} to ${where}\n`
        : `${request.sourceName} as of ${tip.slice(0, 12)}, for ${where}\n`,
  });
  const log = await request.git.run([
    "log",
    "--format=%P%x00%aN <%aE>",
    tip,
    ...request.exclude.map((id) => `^${id}`),
  ]);
  const lines = log.stdout.toString("utf8").split("\n").filter(Boolean);
  const merges = lines.filter((line) => line.split("\0")[0]?.includes(" "));
  return {
    tip: commit,
    commits: commitMap([{ old: tip, new: commit }]),
    figures: {
      commits: mode === "move" ? lines.length : 1,
      merges: mode === "move" ? merges.length : 0,
      authors: new Set(lines.map((line) => line.split("\0")[1])).size,
      signatures: 0,
      pruned: 0,
      mended: 0,
      qualified: 0,
    },
  };
}

/** Returns a tree with only the source's files at their destinations. */
async function placedTree(request: HistoryRequest): Promise<string> {
  const { git, scratch, placements, tip } = request;
  const { stdout } = await git.run(["mktree"], { input: "" });
  using draft = await openDraft(git, stdout.toString().trim(), scratch);
  await placeAll(git, draft, placements, tip);
  return await draft.save();
}

/** Copies the entries of a source commit at all placements into a draft that has nothing there. */
export async function placeAll(
  git: Git,
  draft: Draft,
  placements: readonly Placement[],
  commit: string,
): Promise<void> {
  using objects = openObjects(git);
  using entries = openPlacedEntries(git, placements);
  const tree = await objects.read(`${commit}^{tree}`);
  const found = await entries.of(tree?.id ?? commit);
  for (const [index, { to }] of placements.entries()) {
    const entry = found[index];
    if (entry?.mode === "040000") await draft.place(to, entry.id);
    else if (entry) await draft.link(to, entry);
  }
}
