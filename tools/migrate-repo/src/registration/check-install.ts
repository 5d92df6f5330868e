import type { Draft } from "../tree/draft.js";
import { present } from "../words/problem-words.js";
import { checkOutForYarn, LINK, messageIn } from "./install.js";
import { isYarnWorkspace } from "./steps/install-workspace.js";

/**
 * Installs a tree in a temporary checkout, without changing its yarn.lock, and checks its constraints. No lifecycle
 * script runs.
 * @returns undefined if the tree isn't a workspace of Yarn 2 or newer, or has no yarn.lock
 */
export async function checkInstall(
  draft: Draft,
  scratch: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ ok: boolean; lines: readonly string[] } | undefined> {
  if (!(await isYarnWorkspace(draft)) || !(await draft.stat("yarn.lock")))
    return undefined;
  await using checkout = await checkOutForYarn(draft, scratch, env);
  const { yarn } = checkout;
  if (!yarn)
    return { ok: false, lines: ["No Yarn of version 2 or newer was found."] };
  const { ok, output } = await yarn(["install", LINK, "--immutable"]);
  if (!ok)
    return {
      ok,
      lines: [`yarn install --immutable fails: ${messageIn(output)}`],
    };
  const constraints = await checkout.constraints();
  const lines = present([
    "yarn install --immutable: done.",
    constraints === "kept" && "yarn constraints: passed.",
    typeof constraints === "object" &&
      `yarn constraints: broken; \`yarn constraints --fix\` fixes what it can. ${messageIn(constraints.broken)}`,
  ]);
  return { ok, lines };
}
