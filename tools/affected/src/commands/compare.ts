import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Repository } from "@skein/git";
import { count, ExitCode, Failure, usageFailure } from "@skein/reporting";
import { decideAffected, withTranslatedErrors } from "@skein/workspaces";
import { DEFAULT_OPTIONS } from "../command.js";
import type { Command, SelectOptions } from "../command.js";
import { openPeer, type Other } from "../compare/ask-peer.js";
import { selectByManifests } from "../compare/by-manifests.js";
import { readCommits } from "../compare/commits.js";
import type { Commit, JudgedCommit } from "../compare/comparison.js";
import { peers } from "../compare/peer.js";
import { prefixOf } from "../files/files.js";
import { findPlace } from "../project/place.js";
import { comparisonJson, renderComparison } from "../render/compare.js";
import { reasonWords } from "../render/words.js";
import { survey } from "../survey.js";
import type { AffectedWorld } from "../world.js";

type Asked = Extract<Command, { kind: "compare" }>;

/**
 * Runs `affected compare`. It selects the packages that past commits affect, with our rules and with another tool or
 * the yardstick, and prints both.
 */
export async function compare(
  world: AffectedWorld,
  asked: Asked,
): Promise<number> {
  const { root, opening } = await findPlace(world, false);
  const repository = await opening;
  const commits = await readCommits(repository, asked.range);
  if (commits.length === 0) {
    throw usageFailure("there is no commit to compare", {
      hint: "a commit without a parent cannot be compared; in a shallow clone, fetch more history",
    });
  }
  // The user's index serves their current work. Old commits must not displace its entries.
  const cacheDir = await mkdtemp(join(tmpdir(), "skein-compare-index-"));
  try {
    await using other = await openOther(world, asked, { repository, root });
    const judged = await judgeAll(
      { ...world, env: { ...world.env, SKEIN_CACHE_DIR: cacheDir } },
      { asked, commits, other },
    );
    const comparison = {
      peer: { name: asked.peer, version: other?.version },
      script: asked.script,
      judged,
    };
    const { stdout } = world;
    const width = stdout.isTTY ? stdout.columns : undefined;
    stdout.write(
      asked.json
        ? comparisonJson(comparison)
        : renderComparison(comparison, { width }),
    );
    if (judged.every(({ kind }) => kind === "failed"))
      throw new Failure("no commit could be compared");
    return ExitCode.Ok;
  } catch (error) {
    if (!world.signal.aborted) throw error;
    throw new Failure("interrupted: nothing was compared", {
      hint: "the temporary folders were removed",
      cause: error,
    });
  } finally {
    await rm(cacheDir, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Opens the other tool. @returns undefined for the yardstick, which needs no preparation */
function openOther(
  world: AffectedWorld,
  { peer, peerBin }: Asked,
  {
    repository,
    root,
  }: { readonly repository: Repository; readonly root: string },
): Promise<Other> | undefined {
  if (peer === "manifests") return undefined;
  const prefix = prefixOf(repository.topLevel ?? repository.gitDir, root);
  const place = { repository, root, prefix, bin: peerBin };
  return openPeer(peers[peer], world, place);
}

interface Judging {
  readonly asked: Asked;
  readonly commits: readonly Commit[];
  readonly other: Other | undefined;
}

async function judgeAll(
  world: AffectedWorld,
  { asked, commits, other }: Judging,
): Promise<readonly JudgedCommit[]> {
  const { stderr, signal } = world;
  const name = `${asked.peer}${other?.version === undefined ? "" : ` ${other.version}`}`;
  stderr.write(`comparing ${count(commits.length, "commit")} with ${name}\n`);
  const judged: JudgedCommit[] = [];
  for (const commit of commits) {
    judged.push(await judge(world, commit, { asked, other }));
    if (signal.aborted) throw new Failure("interrupted");
    const done = `${judged.length} of ${commits.length}`;
    if (stderr.isTTY) stderr.write(`\r${done}`);
    else if (judged.length % REPORT_EACH === 0) stderr.write(`${done}\n`);
  }
  if (stderr.isTTY) stderr.write("\n");
  return judged;
}

/** The number of commits between two lines about the progress, if stderr isn't a terminal. */
const REPORT_EACH = 20;

/**
 * Selects for one commit by both sides. If one of them fails, the result records that, and the comparison continues.
 */
async function judge(
  world: AffectedWorld,
  commit: Commit,
  { asked, other }: Pick<Judging, "asked" | "other">,
): Promise<JudgedCommit> {
  try {
    const from = world.now();
    const facts = await withTranslatedErrors(() =>
      survey(world, {
        options: between(commit),
        complete: false,
        script: asked.script,
      }),
    );
    const decision = decideAffected({
      ...facts,
      settings: facts.settings.affected,
      pipeline: facts.settings.pipeline,
      script: asked.script,
    });
    const { root } = facts.head.graph;
    const ours = {
      packages: [...decision.packages.keys()]
        .filter((name) => name !== root)
        .toSorted(),
      everything: [...new Set(decision.everything.map(reasonWords))],
      ms: world.now() - from,
    };
    const start = world.now();
    const theirs = other
      ? await withTranslatedErrors(() => other.ask(commit, facts.head))
      : {
          packages: selectByManifests(facts),
          unmatched: [],
          ms: world.now() - start,
        };
    const packages = facts.head.packages.length - 1;
    return { kind: "compared", ...commit, packages, ours, theirs };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { kind: "failed", ...commit, failure: error.message };
  }
}

/** Returns options that compare a commit with its first parent, without the working tree. */
function between({ commit, parent }: Commit): SelectOptions {
  const range = { head: commit, since: parent, committed: true };
  return { ...DEFAULT_OPTIONS, ...range, deepen: "never" };
}
