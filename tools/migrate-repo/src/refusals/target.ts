import { count, some } from "@skein/reporting";
import type { MigrationRequest } from "../migration.js";
import {
  quote,
  type ProblemOf,
  type WordsByCode,
} from "../words/problem-words.js";
import type { TargetFacts } from "../survey/target.js";

/** The words of each refusal. */
export const TARGET = {
  "bare-target": () => ({
    sentence: "this is a bare repository: it has no files to add a package to",
    hint: "run this in a clone of it",
  }),
  "unborn-branch": () => ({
    sentence:
      "the workspace has no commit yet, so there is nothing to merge into",
    hint: "commit something first: git commit --allow-empty -m 'Start'",
  }),
  "detached-head": () => ({
    sentence: "HEAD is detached: the merge would belong to no branch",
    hint: "switch to a branch first: git switch -c migrate",
  }),
  "operation-in-progress": ({ operation }: { operation: string }) => ({
    sentence: `a ${operation} is in progress`,
    hint: "finish or abort it first; `git status` shows how",
  }),
  "migration-in-progress": ({ name }: { name: string }) => ({
    sentence: `a migration of ${quote(name)} has not finished`,
    hint: "finish it with `migrate-repo continue`, or undo it with `migrate-repo abort`",
  }),
  dirty: ({ paths }: { paths: readonly string[] }) => ({
    sentence: `${count(paths.length, "tracked file differs", "tracked files differ")} from the last commit: ${some(paths)}`,
    hint: "commit the changes, or stash them with `git stash`",
  }),
  "shallow-target": () => ({
    sentence:
      "the workspace is a shallow clone: a migration needs its whole history",
    hint: "fetch the rest first: git fetch --unshallow",
  }),
  "sparse-target": () => ({
    sentence:
      "the workspace is a sparse checkout: files would be missing from it",
    hint: "check everything out first: git sparse-checkout disable",
  }),
  "no-identity": () => ({
    sentence: "git has no name and email for the new commits",
    hint: "set user.name and user.email with `git config`",
  }),
  "protected-branch": ({ branch }: { branch: string }) => ({
    sentence: `${quote(branch)} is a protected branch (skein.json, migrate.protectedBranches)`,
    hint: "work on your own branch: git switch -c migrate; or --allow protected-branch",
  }),
} satisfies WordsByCode;

/** Refusals of the workspace: it must be complete, clean, and on a branch that may be committed to. */
export type TargetRefusal = ProblemOf<typeof TARGET>;

/** Returns the refusals that need no answer from the source. */
export function refuseTarget(
  target: TargetFacts,
  request: Pick<MigrationRequest, "allow">,
  pendingMigration: string | undefined,
): readonly TargetRefusal[] {
  const refusals: TargetRefusal[] = [];
  if (pendingMigration !== undefined)
    return [{ code: "migration-in-progress", name: pendingMigration }];
  if (target.topLevel === undefined) return [{ code: "bare-target" }];
  if (target.head === undefined) return [{ code: "unborn-branch" }];
  if (target.operation !== undefined)
    refusals.push({
      code: "operation-in-progress",
      operation: target.operation,
    });
  if (target.branch === undefined) refusals.push({ code: "detached-head" });
  if (target.changed.length > 0)
    refusals.push({ code: "dirty", paths: target.changed });
  if (target.shallow) refusals.push({ code: "shallow-target" });
  if (target.sparse) refusals.push({ code: "sparse-target" });
  if (!target.identity) refusals.push({ code: "no-identity" });
  const branch = target.branch?.replace(/^refs\/heads\//, "");
  if (
    branch !== undefined &&
    target.protectedBranches.includes(branch) &&
    !request.allow.includes("protected-branch")
  )
    refusals.push({ code: "protected-branch", branch });
  return refusals;
}
