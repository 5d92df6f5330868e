import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Draft } from "../tree/draft.js";
import { checkConstraints, LINK, saidBy } from "./install.js";
import { neededToInstall } from "./needed-files.js";
import { isYarnWorkspace } from "./steps/install-workspace.js";
import { openYarn } from "./yarn.js";

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
  const dir = join(scratch, "checkout");
  await mkdir(dir);
  try {
    const needed = await neededToInstall(draft);
    await draft.checkOut(dir, needed);
    const rc = (await draft.read(".yarnrc.yml"))?.toString("utf8") ?? "";
    const root = (await draft.read("package.json"))?.toString("utf8") ?? "{}";
    const { packageManager } = JSON.parse(root) as Record<string, unknown>;
    const yarn = await openYarn(dir, env, {
      rc,
      packageManager:
        typeof packageManager === "string" ? packageManager : undefined,
    });
    if (!yarn)
      return { ok: false, lines: ["No Yarn of version 2 or newer was found."] };
    const { ok, output } = await yarn(["install", LINK, "--immutable"]);
    if (!ok)
      return {
        ok,
        lines: [`yarn install --immutable fails: ${saidBy(output)}`],
      };
    const constraints = await checkConstraints(yarn, draft, async () => {
      if (needed) await draft.checkOut(dir, (path) => !needed(path));
    });
    return {
      ok,
      lines: [
        "yarn install --immutable: done.",
        ...(constraints === "none"
          ? []
          : constraints === "kept"
            ? ["yarn constraints: passed."]
            : [
                `yarn constraints: broken; \`yarn constraints --fix\` fixes what it can. ${saidBy(constraints.broken)}`,
              ]),
      ],
    };
  } finally {
    await rm(dir, { recursive: true, force: true, maxRetries: 3 });
  }
}
