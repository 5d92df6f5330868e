import { openRepository } from "@skein/git";
import { Failure } from "@skein/reporting";
import type { Plan } from "../plan.js";
import type { DispatchWorld } from "../world.js";

/**
 * What is attested holds for the plan's commit, so that commit must be the one that is checked out. A plan that was made
 * of a list of files (`--files-from`) knows of none.
 * @throws {Failure} where another commit is checked out
 * @throws {RepositoryError} where git cannot tell which one is
 */
export async function checkHead(
  { cwd, env, signal }: Pick<DispatchWorld, "cwd" | "env" | "signal">,
  plan: Pick<Plan, "head">,
): Promise<void> {
  if (plan.head === null) return;
  const { head } = await openRepository({ cwd, env, signal });
  if (head === plan.head) return;
  throw new Failure(
    `the plan is of the commit ${plan.head}, and ${head ?? "none"} is checked out here`,
    {
      hint: `git fetch origin ${plan.head} && git checkout --detach ${plan.head}`,
    },
  );
}
