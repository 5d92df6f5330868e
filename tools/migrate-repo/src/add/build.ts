import type { RefUpdate } from "@skein/git";
import { placeAll } from "../history/bring-history.js";
import { makeCommit, type Committer } from "../history/make-commit.js";
import type { MadeTag } from "../history/tags.js";
import type { HistoryFigures, TagPlan } from "../migration.js";
import { migrationRefs } from "../names/names.js";
import { nameOf } from "../names/source-name.js";
import type { Plan } from "../plan/plan.js";
import type { Progress } from "../words/progress.js";
import type { Quarantine } from "../quarantine/quarantine.js";
import { writeRecord, type MigrationRecord } from "../record/record.js";
import { keepTrees } from "../receipt/kept-trees.js";
import { findPacked, findResolutions, type Proof } from "../receipt/proof.js";
import { registrationSteps } from "../registration/index.js";
import type { Rewritten } from "../history/rewrite-history.js";
import { cleanUpSteps, wholeFileSteps } from "../steps/index.js";
import { runSteps, type StepResult } from "../steps/run-steps.js";
import type { StepContext } from "../steps/step.js";
import type { TargetFacts } from "../survey/target.js";
import { openDraft, type Draft } from "../tree/draft.js";

/** A migration that is ready in the quarantine. */
export interface Built {
  readonly newHead: string;
  readonly merge: string;
  /** The commits on the target's branch, oldest first. */
  readonly commits: readonly { readonly id: string; readonly title: string }[];
  readonly refs: readonly RefUpdate[];
  readonly figures: HistoryFigures;
  readonly treesCompared: number;
  readonly packed: Proof["packed"];
  /** Paths that the clean-up took away. */
  readonly removed: readonly string[];
  readonly tags: readonly MadeTag[];
  readonly leftTags: readonly TagPlan[];
  readonly branches: MigrationRecord["madeBranches"];
  readonly cleanUp: readonly StepResult[];
  readonly registration: readonly StepResult[];
}

export interface BuildOptions {
  readonly rewritten: Rewritten;
  /** Called with the branch's new commit, while the proof and the record are still to come. */
  readonly onHead: (newHead: string) => void;
  /** Whether Yarn links what it resolved, and checks the constraints. */
  readonly link: boolean;
}

/**
 * Builds what a plan says on top of the rewritten history, in the quarantine: the merge, the clean-up, the registration and
 * the record. The target is only read.
 * @throws {Failure} when the proof fails; nothing is landed then
 */
export async function build(
  plan: Plan,
  target: TargetFacts,
  quarantine: Quarantine,
  committer: Committer,
  progress: Progress,
  { rewritten, onHead, link }: BuildOptions,
): Promise<Built> {
  const { git, scratch } = quarantine;
  const { request, placements, name } = plan;
  const sourceName = nameOf(plan);
  const { brought, tags, newCommit, proved } = rewritten;
  progress.phase("merge");
  const draft = await openDraft(git, plan.target.head, scratch);
  const before = await openDraft(git, plan.target.head, scratch);
  const source = await openDraft(git, plan.tip, scratch);
  try {
    await placeAll(git, draft, placements, plan.tip);
    const merge = await makeCommit(git, committer, {
      tree: await draft.save(),
      parents: [plan.target.head, brought.tip],
      message: mergeMessage(plan, brought.tip),
    });
    const commits = [{ id: merge, title: `Migrate ${sourceName}` }];
    const context: StepContext = {
      name,
      placements,
      before,
      source,
      versions: request.versions,
      install: request.install,
      link,
      targetSlug: target.slug,
      sourceSlug: plan.source.slug,
      commits: brought.commits,
      scratch,
      env: target.git.env,
    };
    const work = async (
      list: typeof cleanUpSteps,
      title: string,
    ): Promise<readonly StepResult[]> => {
      const tree = await draft.save();
      const results = await runSteps(list, draft, context, request.skip);
      const saved = await draft.save();
      if (saved === tree) return results;
      const id = await makeCommit(git, committer, {
        tree: saved,
        parents: [commits.at(-1)?.id ?? merge],
        message: stepsMessage(title, results),
      });
      commits.push({ id, title });
      return results;
    };
    progress.phase("clean-up");
    const placedFiles = await filesOf(draft, plan);
    const where = placements.map(({ to }) => to).join(", ");
    const cleanUp = [
      ...(await work(wholeFileSteps, `Normalise line endings below ${where}`)),
      ...(await work(cleanUpSteps, `Clean up ${where} for the workspace`)),
    ];
    const kept = new Set(await filesOf(draft, plan));
    progress.phase("register");
    const registration =
      request.register && target.packages !== undefined
        ? await work(registrationSteps, `Register ${name} in the workspace`)
        : [];
    progress.phase("prove");
    const newHead = commits.at(-1)?.id ?? merge;
    onHead(newHead);
    const treesCompared = await proved;
    const proof: Proof = {
      version: 1,
      source: plan.tip,
      base: plan.target.head,
      landed: newHead,
      packed: await findPacked(source, draft, placements, scratch),
      resolutions: await findResolutions(draft, placements),
      kept: await keepTrees(git, before, draft, placements, scratch),
    };
    const record: MigrationRecord = {
      version: 1,
      name,
      names: plan.names,
      ...(plan.nested.length > 0 && { nested: plan.nested }),
      source: { fetchFrom: plan.source.fetchFrom, slug: plan.source.slug },
      branch: plan.branch,
      history: request.history,
      placements,
      branches: request.branches,
      tags: request.tags,
      tagFormat: request.tagFormat,
      qualifyRefs: request.qualifyRefs,
      trailer: request.trailer,
      keepOriginals: request.keepOriginals,
      skip: request.skip,
      versions: request.versions,
      tip: { old: plan.tip, new: brought.tip },
      tips: [
        ...new Set([
          plan.tip,
          ...plan.branches.map(({ id }) => id),
          ...plan.tags.map(({ commit }) => commit),
        ]),
      ],
      madeTags: tags.made.map(({ plan: { from, to }, id }) => ({
        from,
        to,
        id,
      })),
      madeBranches: plan.branches.flatMap(({ from, to, id: old }) => {
        const id = newCommit(old);
        return id === undefined ? [] : [{ from, to, id }];
      }),
      removed: placedFiles.filter((path) => !kept.has(path)),
      receipt: {
        figures: brought.figures,
        treesCompared,
        files: placedFiles.length,
      },
      landed: {
        branch: plan.target.branch,
        before: plan.target.head,
        after: newHead,
      },
    };
    const recordCommit = await writeRecord(
      git,
      committer,
      { record, map: brought.commits, proof },
      undefined,
    );
    return {
      newHead,
      merge,
      commits,
      refs: [
        { ref: plan.target.branch, old: plan.target.head, new: newHead },
        ...[...record.madeTags, ...record.madeBranches].map(({ to, id }) => ({
          ref: to,
          old: undefined,
          new: id,
        })),
        {
          ref: `${migrationRefs(name)}/map`,
          old: undefined,
          new: recordCommit,
        },
        ...originals(plan),
      ],
      figures: {
        ...brought.figures,
        signatures: brought.figures.signatures + tags.signatures,
      },
      treesCompared,
      packed: proof.packed,
      removed: record.removed,
      tags: tags.made,
      leftTags: tags.left,
      branches: record.madeBranches,
      cleanUp,
      registration,
    };
  } finally {
    draft.close();
    before.close();
    source.close();
  }
}

/** The source's own branches and tags, so that nothing of it is lost, and a sync fetches only what is new. */
function originals(plan: Plan): readonly RefUpdate[] {
  if (!plan.request.keepOriginals) return [];
  const base = migrationRefs(plan.name);
  return [
    { from: `refs/heads/${plan.branch}`, id: plan.tip },
    ...plan.branches,
    ...plan.tags,
  ].map(({ from, id }) => ({
    ref: from.replace(/^refs\//, `${base}/`),
    old: undefined,
    new: id,
  }));
}

function mergeMessage(plan: Plan, tip: string): string {
  const where = plan.placements.map(({ to }) => to).join(", ");
  return [
    `Migrate ${nameOf(plan)} to ${where}`,
    "",
    `${plan.commits} commits of ${plan.branch}, by ${plan.request.history}.`,
    "",
    `Migrated-Package: ${plan.name}`,
    `Migrated-From: ${nameOf(plan)}@${plan.tip}`,
    `Migrated-To: ${tip}`,
    "",
  ].join("\n");
}

function stepsMessage(title: string, results: readonly StepResult[]): string {
  const done = results.map(
    ({ plan }) => `- ${plan.what.join("; ")} (${plan.id})`,
  );
  return `${title}\n\n${done.join("\n")}\n`;
}

async function filesOf(draft: Draft, plan: Plan): Promise<readonly string[]> {
  const lists = await Promise.all(
    plan.placements.map(({ to }) => draft.list(to)),
  );
  return lists.flat().map(({ path }) => path);
}
