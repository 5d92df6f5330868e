import { readFile } from "node:fs/promises";
import {
  CHECK_SUMMARY_CAP,
  explainGitHubError,
  GitHubError,
  openGitHub,
  showRepository,
} from "@skein/github";
import { count, ExitCode, Failure } from "@skein/reporting";
import type { PublishCommand } from "../command.js";
import { annotationsOf } from "../publish/annotations.js";
import { cut, postComment } from "../publish/sticky-comment.js";
import { targetOf } from "../publish/target.js";
import { renderVerdictMarkdown } from "../render/render-verdict.js";
import { readVerdict } from "../verdict/read-verdict.js";
import type { DispatchWorld } from "../world.js";

/** `ci-dispatch publish`: shows a verdict on GitHub. It judges nothing: its exit code says whether it was shown. */
export async function publish(
  world: DispatchWorld,
  command: PublishCommand,
): Promise<number> {
  const { env, cwd, stderr } = world;
  const verdict = await readVerdict(cwd, command.verdict);
  const event = env["GITHUB_EVENT_PATH"];
  const payload =
    event === undefined ? "" : await readFile(event, "utf8").catch(() => "");
  const target = targetOf(env, payload);
  if (target.kind === "none") {
    stderr.write(`nothing is published: ${target.why}\n`);
    return ExitCode.Ok;
  }
  const { repository, commit, pull } = target;
  const github = openGitHub({
    token: env["GITHUB_TOKEN"],
    baseUrl: env["GITHUB_API_URL"],
    log: (line) => stderr.write(`${line}\n`),
  });
  const markdown = renderVerdictMarkdown(verdict);
  const annotations = annotationsOf(verdict);
  try {
    await github.publishCheckRun(repository, {
      name: "ci-dispatch",
      commit,
      conclusion: verdict.colour === "green" ? "success" : "failure",
      title: `${verdict.colour}: ${verdict.counts.failed} failed, ${verdict.counts.missing} missing, ${verdict.counts.flaky} flaky`,
      summary: cut(markdown, CHECK_SUMMARY_CAP),
      annotations,
    });
    if (pull !== undefined)
      await postComment(
        github,
        { repository, number: pull },
        markdown,
        command.author,
      );
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    const { sentence, hint } = explainGitHubError(error);
    throw new Failure(sentence, { hint, cause: error });
  }
  stderr.write(
    `published at ${showRepository(repository)}: a check with ${count(annotations.length, "annotation")}${pull === undefined ? "" : `, and the comment of #${pull}`}\n`,
  );
  return ExitCode.Ok;
}
