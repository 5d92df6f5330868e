// A stand-in for GitHub Actions in a job of a pull request: variables, the event, and an API that lists its runs and artifacts.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startFakeGitHub } from "../../packages/testing/dist/index.js";
import { folder, git, write } from "./stage.mjs";

const NUMBER = 12;

/**
 * Opens a pull request of the shop's branch on a stand-in for GitHub, on this machine.
 * @returns `push`, which starts a run for the branch as it is, and `close`
 */
export async function openPullRequest(branch) {
  const server = await startFakeGitHub();
  const repository = server.addRepository("shop/shop", {
    dir: join(folder, "shop"),
  });
  git("shop", ["push", "--quiet", "origin", branch]);
  const head = { ref: branch, repo: { full_name: "shop/shop" } };
  const pull = { number: NUMBER, created_at: "2026-01-01T00:00:00Z", head };
  write("event.json", JSON.stringify({ pull_request: pull }));
  return {
    /**
     * Starts a run.
     * @returns its id, the variables of its jobs, and `keep`, which stores its verdict as upload-artifact does
     */
    push() {
      const run = server.addRun(repository, {
        headSha: git("shop", ["rev-parse", "HEAD"]).toString().trim(),
        headBranch: branch,
        event: "pull_request",
        pulls: [NUMBER],
      });
      return {
        id: run.id,
        env: {
          CI: "true",
          GITHUB_ACTIONS: "true",
          GITHUB_API_URL: server.url,
          GITHUB_EVENT_NAME: "pull_request",
          GITHUB_EVENT_PATH: join(folder, "event.json"),
          GITHUB_REPOSITORY: "shop/shop",
          GITHUB_RUN_ID: String(run.id),
          GITHUB_TOKEN: "a stand-in asks for none",
          GITHUB_WORKFLOW_REF: `shop/shop/.github/workflows/ci.yml@refs/pull/${NUMBER}/merge`,
        },
        keep(file) {
          const text = readFileSync(join(folder, file), "utf8");
          const files = { "verdict.json": text };
          server.addArtifact(run, { name: "ci-dispatch-verdict", files });
        },
      };
    },
    close: () => server[Symbol.asyncDispose](),
  };
}
