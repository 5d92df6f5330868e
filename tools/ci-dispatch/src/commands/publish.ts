import { ciOf, githubAccessOf } from "@skein/ci";
import { CHECK_SUMMARY_CAP, openGitHub, showRepository } from "@skein/github";
import type { GitHub, GitHubOptions } from "@skein/github";
import { count, ExitCode, Failure, printable } from "@skein/reporting";
import type { PublishCommand } from "../command.js";
import { withGitHubFailures } from "../github-failures.js";
import { readKeptReport } from "../metrics/read-kept-report.js";
import { readPlan } from "../plan/file/read-plan.js";
import { eventPayload } from "../github-event.js";
import { annotationsOf } from "../publish/annotations.js";
import { findPull } from "../publish/find-pull.js";
import { leadTimeLine } from "../publish/lead-time-line.js";
import type { KnownLeadTimes } from "../publish/lead-time-line.js";
import { cut, postComment } from "../publish/sticky-comment.js";
import { targetOf, type Target } from "../publish/target.js";
import { renderVerdictMarkdown } from "../render/render-verdict.js";
import type { Verdict } from "../verdict.js";
import { readVerdict } from "../verdict/read-verdict.js";
import type { DispatchWorld } from "../world.js";

/**
 * Runs `ci-dispatch publish`, which shows a verdict on GitHub. It judges nothing: its exit code only shows whether
 * publishing succeeded.
 * @param open opens a GitHub; tests use one whose seconds are short
 */
export async function publish(
  world: DispatchWorld,
  command: PublishCommand,
  open: (options: GitHubOptions) => GitHub = openGitHub,
): Promise<number> {
  const { env, cwd, stderr } = world;
  const verdict = await readVerdict(cwd, command.verdict);
  const known = await leadTimes(world, command);
  const ci = ciOf(env);
  const access = githubAccessOf(env);
  const github = open({
    token: access.token,
    baseUrl: access.apiUrl,
    log: (line) => stderr.write(`${line}\n`),
  });
  return withGitHubFailures(async () => {
    const found = targetOf(ci, await eventPayload(ci));
    const target =
      found.kind === "report" ? await findPull(github, found) : found;
    stderr.write(
      target.kind === "none"
        ? `nothing is published: ${printable(target.why)}\n`
        : await write(github, verdict, target, command, known),
    );
    return ExitCode.Ok;
  });
}

/** Reads the lead times to show. They aren't part of the verdict, so unreadable files are reported and skipped. */
async function leadTimes(
  { cwd, stderr }: DispatchWorld,
  { plan, metrics }: PublishCommand,
): Promise<KnownLeadTimes> {
  const readable = async <T>(read: Promise<T> | undefined) => {
    try {
      return await read;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      stderr.write(
        `warning: ${printable(error.place?.file ?? "")}: ${printable(error.message)}; it is ignored\n`,
      );
      return undefined;
    }
  };
  return {
    plan: await readable(plan === undefined ? undefined : readPlan(cwd, plan)),
    report: await readable(
      metrics === undefined ? undefined : readKeptReport(cwd, metrics),
    ),
  };
}

/**
 * Writes the check and the comment.
 * @returns a description of what was written
 */
async function write(
  github: GitHub,
  verdict: Verdict,
  {
    repository,
    commit,
    pull,
    detailsUrl,
    conclusion,
  }: Extract<Target, { kind: "publish" }>,
  { author, name }: PublishCommand,
  known: KnownLeadTimes,
): Promise<string> {
  const { colour, counts } = verdict;
  // A run's artifacts may be forged; GitHub's conclusion of the run can't be.
  const doubt =
    colour === "green" && conclusion !== undefined && conclusion !== "success"
      ? `the verdict is green, but GitHub reports that it ended as ${conclusion}`
      : undefined;
  const markdown = `${doubt === undefined ? "" : `### ❌ ${doubt}\n\n`}${renderVerdictMarkdown(verdict)}${leadTimeLine(known)}`;
  const annotations = annotationsOf(verdict);
  await github.publishCheckRun(repository, {
    name,
    commit,
    conclusion:
      colour === "green" && doubt === undefined ? "success" : "failure",
    title:
      doubt ??
      `${colour}: ${counts.failed} failed, ${counts.missing} missing, ${counts.flaky} flaky`,
    summary: cut(markdown, CHECK_SUMMARY_CAP),
    detailsUrl,
    annotations,
  });
  if (pull !== undefined)
    await postComment(github, { repository, number: pull }, markdown, {
      author,
      name,
    });
  return `published at ${showRepository(repository)}: a check with ${count(annotations.length, "annotation")}${pull === undefined ? "" : `, and the comment of #${pull}`}\n`;
}
