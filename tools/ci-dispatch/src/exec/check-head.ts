import { openRepository } from "@skein/git";
import { Failure } from "@skein/reporting";
import type { Plan } from "../plan.js";
import type { DispatchWorld } from "../world.js";

/**
 * Checks that the plan's commit is checked out, because attestations hold only for that commit. A plan that was made
 * from a list of files (`--files-from`) has no commit.
 * @throws {Failure} if another commit is checked out
 * @throws {RepositoryError} if git cannot determine the current commit
 */
export async function checkHead(
  { cwd, env, signal }: Pick<DispatchWorld, "cwd" | "env" | "signal">,
  plan: Pick<Plan, "head">,
): Promise<void> {
  if (plan.head === null) return;
  const { head } = await openRepository({ cwd, env, signal });
  if (head === plan.head) return;
  throw new Failure(
    `the plan is for commit ${plan.head}, but ${head ?? "none"} is checked out here`,
    {
      hint: `git fetch origin ${plan.head} && git checkout --detach ${plan.head}`,
    },
  );
}
