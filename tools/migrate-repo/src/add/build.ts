import type { RefUpdate } from "@skein/git";
import type { Committer } from "../history/make-commit.js";
import type { Rewritten } from "../history/rewrite-history.js";
import type { MadeTag } from "../history/tags.js";
import type { HistoryFigures, TagPlan } from "../migration.js";
import { placeSource, type PlacedSource } from "../plan/place-source.js";
import type { Plan } from "../plan/plan.js";
import { registers } from "../plan/plan-steps.js";
import type { Quarantine } from "../quarantine/quarantine.js";
import { keepTrees } from "../receipt/kept-trees.js";
import { findPacked, findResolutions, type Proof } from "../receipt/proof.js";
import { writeRecord } from "../record/record.js";
import type { MigrationRecord } from "../record/record-format.js";
import { registrationSteps } from "../registration/index.js";
import { cleanUpSteps, wholeFileSteps } from "../steps/index.js";
import type { StepResult } from "../steps/run-steps.js";
import type { TargetFacts } from "../survey/target.js";
import type { Draft } from "../tree/draft.js";
import type { Progress } from "../words/progress.js";
import { mergeSource } from "./branch-commits.js";
import { makeRecord, refsOf } from "./make-record.js";

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
  /** Paths that the clean-up removed. */
  readonly removed: readonly string[];
  readonly tags: readonly MadeTag[];
  readonly leftTags: readonly TagPlan[];
  readonly branches: MigrationRecord["madeBranches"];
  readonly cleanUp: readonly StepResult[];
  readonly registration: readonly StepResult[];
}

/** The inputs of a build, which only reads the target. */
export interface BuildRequest {
  readonly plan: Plan;
  readonly target: TargetFacts;
  readonly quarantine: Quarantine;
  readonly committer: Committer;
  readonly progress: Progress;
  readonly rewritten: Rewritten;
  /** Called with the branch's new commit, before the proof and the record are made. */
  readonly onHead: (newHead: string) => void;
  /** Whether Yarn links resolved packages and checks the constraints. */
  readonly link: boolean;
}

/**
 * Builds a plan in the quarantine, on top of the rewritten history: the merge, the clean-up, the registration, the
 * proof and the record.
 * @throws {Failure} if the proof fails; nothing has landed then
 */
export async function build(request: BuildRequest): Promise<Built> {
  const { plan, target, quarantine, committer, progress, rewritten } = request;
  const { brought, tags } = rewritten;
  progress.phase("merge");
  using placed = await placeSource(plan, target, quarantine, {
    commits: brought.commits,
    link: request.link,
  });
  const { draft } = placed;
  const branch = await mergeSource(
    plan,
    quarantine,
    placed,
    committer,
    brought.tip,
  );
  progress.phase("clean-up");
  const placedFiles = await filesOf(draft, plan);
  const cleanUp = await cleanUpBranch(plan, branch);
  const kept = new Set(await filesOf(draft, plan));
  progress.phase("register");
  const registration = registers(plan, target)
    ? await branch.run(
        registrationSteps,
        `Register ${plan.name} in the workspace`,
      )
    : [];
  progress.phase("prove");
  const newHead = branch.head();
  request.onHead(newHead);
  const treesCompared = await rewritten.proved;
  const proof = await makeProof(plan, quarantine, placed, newHead);
  const record = makeRecord(plan, {
    rewritten,
    newHead,
    removed: placedFiles.filter((path) => !kept.has(path)),
    receipt: { treesCompared, files: placedFiles.length },
  });
  const recordCommit = await writeRecord(
    quarantine.git,
    committer,
    { record, map: brought.commits, proof },
    undefined,
  );
  const signatures = brought.figures.signatures + tags.signatures;
  return {
    newHead,
    merge: branch.merge,
    commits: branch.all,
    refs: refsOf(plan, record, recordCommit),
    figures: { ...brought.figures, signatures },
    treesCompared,
    packed: proof.packed,
    removed: record.removed,
    tags: tags.made,
    leftTags: tags.left,
    branches: record.madeBranches,
    cleanUp,
    registration,
  };
}

/** Runs the clean-up steps, in two commits. @returns their results */
async function cleanUpBranch(
  plan: Plan,
  branch: Awaited<ReturnType<typeof mergeSource>>,
): Promise<Built["cleanUp"]> {
  const where = plan.placements.map(({ to }) => to).join(", ");
  return [
    ...(await branch.run(
      wholeFileSteps,
      `Normalise line endings below ${where}`,
    )),
    ...(await branch.run(cleanUpSteps, `Clean up ${where} for the workspace`)),
  ];
}

/** Compares packed files and resolutions with the source's own, and stores the trees of this comparison. */
async function makeProof(
  { tip, target, placements }: Plan,
  { git, scratch }: Quarantine,
  { draft, context: { before, source } }: PlacedSource,
  newHead: string,
): Promise<Proof> {
  return {
    version: 1,
    source: tip,
    base: target.head,
    landed: newHead,
    packed: await findPacked(source, draft, placements, scratch),
    resolutions: await findResolutions(draft, placements),
    kept: await keepTrees(git, before, draft, placements, scratch),
  };
}

async function filesOf(draft: Draft, plan: Plan): Promise<readonly string[]> {
  const lists = await Promise.all(
    plan.placements.map(({ to }) => draft.list(to)),
  );
  return lists.flat().map(({ path }) => path);
}
