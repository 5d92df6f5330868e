import { spawnSync } from "node:child_process";
import { gitIn, gitTestEnv } from "../history.js";
import type { FakePull, FakeRepository } from "./state.js";

/**
 * Updates a pull request's refs to its current head. It must be called after each push. If the two sides conflict,
 * there is no trial merge, and GitHub starts no workflow for it.
 */
export function writePullRefs({ dir }: FakeRepository, pull: FakePull): void {
  const { baseSha, headSha, number } = pull;
  gitIn(dir, "update-ref", `refs/pull/${number}/head`, headSha);
  const trial = spawnSync(
    "git",
    ["merge-tree", "--write-tree", baseSha, headSha],
    { cwd: dir, env: gitTestEnv, encoding: "utf8" },
  );
  const ref = `refs/pull/${number}/merge`;
  if (trial.status !== 0) {
    gitIn(dir, "update-ref", "-d", ref);
    return;
  }
  const parents = ["-p", baseSha, "-p", headSha];
  const message = `Merge ${headSha} into ${baseSha}`;
  const tree = trial.stdout.trim();
  const merge = gitIn(dir, "commit-tree", ...parents, "-m", message, tree);
  gitIn(dir, "update-ref", ref, merge.trim());
}
