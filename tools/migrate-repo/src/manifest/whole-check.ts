import { join } from "node:path";
import { commitTree, openObjects, readKept, writeKept } from "@skein/git";
import type { MigrationRequest } from "../migration.js";
import { readRecord } from "../record/record.js";
import { isAncestor } from "../survey/commits.js";
import { surveyTarget, type TargetFacts } from "../survey/target.js";
import type { MigrateWorld } from "../world.js";
import { checkWhole, type WholeCheck } from "./check-whole.js";

/**
 * The result of the last check, and its commit. It is stored in the git folder, so that a second run can finish a
 * killed batch.
 */
interface KeptCheck extends WholeCheck {
  readonly version: 1;
  readonly commit: string;
}

export interface WholeRequest {
  readonly mode: "apply" | "status";
  readonly requests: readonly MigrationRequest[];
  /** The names of the manifest's migrations that are in the workspace. */
  readonly present: readonly string[];
  /** Whether one of them has landed in this run. */
  readonly landed: boolean;
}

/**
 * Checks the workspace with all repositories of the batch. `apply` checks it after a landing, and if the last check
 * failed or is missing, because the batch was killed before it. `status` reports the last result.
 * @returns undefined if there is nothing to check
 */
export async function reconcileWhole(
  world: MigrateWorld,
  { mode, requests, present, landed }: WholeRequest,
): Promise<WholeCheck | undefined> {
  const target = await surveyTarget(world.cwd, world.env);
  if (present.length === 0 || !(await isToBeChecked(target, requests)))
    return undefined;
  const file = join(target.commonDir, "skein", "migrate-check");
  const kept = parse(readKept(file));
  const covers = kept && (await isCovered(target, present, kept.commit));
  if (mode === "status") {
    if (!covers)
      return {
        ok: false,
        lines: ["Not checked since the last landing: migrate-repo apply"],
      };
    return kept.ok
      ? kept
      : {
          ok: false,
          lines: [...kept.lines, "To repeat the check: migrate-repo apply"],
        };
  }
  if (covers && kept.ok && !landed) return kept;
  const check = await checkWhole(world, target);
  if (check) {
    const now: KeptCheck = { version: 1, commit: target.head ?? "", ...check };
    writeKept(file, Buffer.from(JSON.stringify(now)));
  }
  return check;
}

/** Returns whether Yarn should install here at all. */
async function isToBeChecked(
  { git, head, packages }: TargetFacts,
  requests: WholeRequest["requests"],
): Promise<boolean> {
  if (head === undefined || packages === undefined) return false;
  if (
    !requests.some(
      ({ register, install, skip }) =>
        register && install && !skip.includes("install"),
    )
  )
    return false;
  using objects = openObjects(git);
  const lock = await commitTree(git, objects, head).read("yarn.lock");
  return /^__metadata:/m.test(lock?.toString("utf8") ?? "");
}

/** Returns whether the checked commit contains all of these migrations. */
async function isCovered(
  { git }: TargetFacts,
  present: readonly string[],
  commit: string,
): Promise<boolean> {
  for (const name of present) {
    const stored = await readRecord(git, name);
    if (stored && !(await isAncestor(git, stored.record.tip.new, commit)))
      return false;
  }
  return true;
}

function parse(bytes: Buffer | undefined): KeptCheck | undefined {
  if (!bytes) return undefined;
  const kept = JSON.parse(bytes.toString("utf8")) as KeptCheck;
  return (kept.version as number) === 1 ? kept : undefined;
}
