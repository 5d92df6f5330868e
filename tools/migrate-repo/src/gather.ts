import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { commitTree, openObjects, type Git } from "@skein/git";
import type {
  MigrationRequest,
  SourceAddress,
  SourceRef,
} from "./migration.js";
import type { Facts } from "./facts.js";
import type { Committer } from "./history/make-commit.js";
import { makePlan, planTags } from "./make-plan.js";
import { refuseRequest } from "./refusals/request.js";
import { refuseAnnouncement } from "./refusals/source.js";
import { refuseTarget } from "./refusals/target.js";
import { hasGitLfs } from "./lfs/lfs.js";
import { globMatches, mainFolder, placementsOf } from "./names.js";
import type { Plan } from "./plan.js";
import type { Refusal } from "./refusals/index.js";
import type { Progress } from "./progress.js";
import { pullSourceOf, type PullSource } from "./pulls/pull-source.js";
import type { Quarantine } from "./quarantine.js";
import { registrationSteps } from "./registration/index.js";
import { rewriteHistory, type Rewritten } from "./rewrite-history.js";
import { steps } from "./steps/index.js";
import { parseSource } from "./source-address.js";
import { announce, surveyLocalSource } from "./survey/announcement.js";
import {
  countCommits,
  openCommitSurvey,
  surveyCommits,
} from "./survey/commits.js";
import { surveyDestination } from "./survey/destination.js";
import { cloneSource } from "./survey/fetch-source.js";
import { PUSH_LIMIT, surveyHistory } from "./survey/history.js";
import type { TargetFacts } from "./survey/target.js";
import { reachableTags, tagsOfCommits } from "./survey/source-tags.js";
import { surveyTip } from "./survey/tip.js";
import type { MigrateWorld } from "./world.js";

/** A plan, or why there is none. */
export type Decision =
  | { readonly kind: "plan"; readonly plan: Plan }
  | { readonly kind: "refused"; readonly refusals: readonly Refusal[] };

/** What can be told without a quarantine: from the words, and from the target as it is. */
export async function decideEarly(
  request: MigrationRequest,
  target: TargetFacts,
  world: Pick<MigrateWorld, "cwd" | "env">,
  pendingMigration: string | undefined,
): Promise<
  | {
      readonly kind: "address";
      readonly address: SourceAddress;
      /** Undefined where nobody asked for pull requests. */
      readonly pullSource: PullSource | undefined;
    }
  | { readonly kind: "refused"; readonly refusals: readonly Refusal[] }
> {
  const folder = resolve(world.cwd, request.source);
  const isFolder = await stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  const address = parseSource(request.source, isFolder ? folder : undefined);
  const asked = request.prs || request.transplant;
  const pullSource =
    asked && !("code" in address)
      ? pullSourceOf(request.github, address.fetchFrom, world.env)
      : undefined;
  const refusals: readonly Refusal[] = [
    ...("code" in address ? [address] : []),
    ...(asked && !pullSource
      ? [{ code: "no-github" as const, given: request.github }]
      : []),
    ...refuseRequest(
      request,
      [...steps, ...registrationSteps].map(({ id }) => id),
    ),
    ...refuseTarget(target, request, pendingMigration),
  ];
  if ("code" in address || refusals.length > 0)
    return { kind: "refused", refusals };
  return { kind: "address", address, pullSource };
}

/** What is known of a source, whatever the target becomes. */
export type SourceFacts = Omit<Facts, "target" | "destinations">;

export type Gathered =
  | {
      readonly kind: "source";
      readonly facts: SourceFacts;
      /** Undefined where it was only looked at. */
      readonly rewritten: Rewritten | undefined;
    }
  | { readonly kind: "refused"; readonly refusals: readonly Refusal[] };

/**
 * Decides from what was read of the source, and from the target as it is now.
 * @param quarantine sees what the target holds
 */
export async function decide(
  facts: SourceFacts,
  target: TargetFacts,
  { git }: Pick<Quarantine, "git">,
): Promise<Decision> {
  const { topLevel, head } = target;
  if (topLevel === undefined || head === undefined)
    throw new Error("refuseTarget lets no such target through");
  const destinations = await Promise.all(
    facts.placements.map(({ to }) =>
      surveyDestination(target.git, git, topLevel, head, to),
    ),
  );
  return makePlan({ ...facts, target, destinations });
}

export interface GatherOptions {
  readonly target: Pick<TargetFacts, "commonDir" | "objectFormat" | "git">;
  readonly address: SourceAddress;
  readonly progress: Progress;
  /** Who makes the new commits; undefined: the source is only looked at. */
  readonly rewriteAs: Committer | undefined;
}

/**
 * Clones the source into the quarantine and reads it; its history is rewritten as it is read, while git still walks through
 * it for large files and secrets: whether those forbid it decides who made up the plan, and nothing has landed by then.
 * @throws {SourceError} when the source cannot be reached or read
 */
export async function gather(
  request: MigrationRequest,
  quarantine: Quarantine,
  { target, address, progress, rewriteAs }: GatherOptions,
): Promise<Gathered> {
  const { git } = quarantine;
  const [announcement, local] = await Promise.all([
    announce(git, address),
    surveyLocalSource(address, target.git.env),
  ]);
  const early = refuseAnnouncement(request, announcement, local, target);
  if (early.length > 0) return { kind: "refused", refusals: early };
  const branch = request.ref ?? announcement.defaultBranch ?? "";
  const branches = announcement.branches.filter(
    ({ name }) =>
      name !== branch &&
      request.branches.some((glob) => globMatches(glob, name)),
  );
  progress.phase("fetch");
  const fetched = await cloneSource(quarantine, branch, {
    address,
    branches: branches.map(({ name }) => name),
    tags:
      request.tags === "all" ? announcement.tags.map(({ name }) => name) : [],
    follow: request.tags === "reachable",
  });
  const tip = fetched?.get(branch);
  if (!fetched || tip === undefined)
    return { kind: "refused", refusals: [{ code: "shallow-source" }] };
  progress.phase("read");
  const brought = branches.map((ref) => ({
    ...ref,
    id: fetched.get(ref.name) ?? ref.id,
  }));
  const tips = [tip, ...brought.map(({ id }) => id)];
  const name = request.name ?? (await findName(git, tip, request, address));
  const placements = placementsOf(request.only, request.to, name);
  const everyTag =
    request.tags === "all" ? await tagsOfCommits(git, announcement.tags) : [];
  const survey = openCommitSurvey(
    new Set(
      [...announcement.branches, ...announcement.tags].map(
        ({ id, peeled }) => peeled ?? id,
      ),
    ),
  );
  // A graft shows all of them to the survey, unless tags bring more.
  const isShown =
    rewriteAs && request.history === "graft" && everyTag.length === 0;
  const surveyed = isShown ? undefined : surveyCommits(git, tips, survey);
  const lookedAt = surveyTip(git, tip, placements);
  const plansOf = async (tags: readonly SourceRef[]) =>
    planTags({ tags, request, placements, name, tipFacts: await lookedAt });
  const chooseTags = async () => {
    await surveyed;
    return request.tags === "reachable"
      ? reachableTags(
          quarantine,
          address,
          survey.facts().reachable,
          announcement.tags,
        )
      : everyTag;
  };
  let tags: readonly SourceRef[] | undefined;
  const rewrite = async (committer: Committer) =>
    rewriteHistory(quarantine, {
      request,
      source: address,
      placements,
      tip,
      moreTips: [
        ...brought.map(({ id }) => id),
        ...(everyTag.length === 0 ? [] : await plansOf(everyTag)).map(
          ({ commit }) => commit,
        ),
      ],
      committer,
      progress,
      ...(isShown && {
        onCommit: (commit) => survey.see(commit),
      }),
      chooseTags: async () => plansOf((tags = await chooseTags())),
    });
  const [rewritten, history, tipFacts] = await settleAll([
    rewriteAs && rewrite(rewriteAs),
    surveyHistory(
      git,
      [...tips, ...everyTag.map(({ id }) => id)],
      [],
      Math.min(request.maxFileSize, PUSH_LIMIT),
    ),
    lookedAt,
    surveyed,
  ]);
  tags ??= await chooseTags();
  const { commits, reachable, closing } = survey.facts();
  const facts: SourceFacts = {
    request,
    address,
    announcement,
    name,
    branch,
    tip,
    placements,
    tipFacts,
    history,
    gitLfs: history.lfs.length > 0 && (await hasGitLfs(git)),
    commits:
      everyTag.length > 0
        ? await countCommits(
            git,
            [...tips, ...everyTag.map(({ id }) => id)],
            [],
          )
        : commits,
    closing: request.qualifyRefs === undefined ? closing : 0,
    staying: announcement.branches
      .filter(({ id }) => !reachable.has(id))
      .map((ref) => ref.name),
    tags,
    branches: brought,
    otherTags:
      request.tags === "none" ? 0 : announcement.tags.length - tags.length,
  };
  return { kind: "source", facts, rewritten };
}

/** Waits for all, also when one fails: what goes on then finds nobody at work. @throws the first failure */
async function settleAll<T extends readonly unknown[]>(
  all: readonly [...T],
): Promise<{ [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(all);
  return Promise.all(all);
}

/** The name in the source's package.json; the source's own name where it has none. */
export async function findName(
  git: Git,
  tip: string,
  request: MigrationRequest,
  address: SourceAddress,
): Promise<string> {
  const folder = mainFolder(request.only);
  const objects = openObjects(git);
  try {
    const file = await commitTree(git, objects, tip).read(
      folder === "" ? "package.json" : `${folder}/package.json`,
    );
    const parsed = JSON.parse(file?.toString("utf8") ?? "{}") as {
      name?: unknown;
    } | null;
    if (typeof parsed?.name === "string") return parsed.name;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  } finally {
    objects.close();
  }
  const last = /([^/:]+?)(?:\.git)?\/*$/.exec(
    folder === "" ? address.fetchFrom : folder,
  );
  return last?.[1] ?? "";
}
