import { setTimeout as sleep } from "node:timers/promises";
import { githubAccessOf } from "@skein/ci";
import { openRows, showRepository } from "@skein/github";
import { count, ExitCode, formatDuration } from "@skein/reporting";
import { withGitHubFailures } from "../github-failures.js";
import type { SyncAction } from "./action.js";
import { rulesFor } from "./rules.js";
import { parseSince } from "./since.js";
import { openLedger } from "@skein/metrics-store";
import { openMeter, openRegistry, sync } from "@skein/metrics-store/sync";
import type { Meter, Stopped } from "@skein/metrics-store/sync";
import { openStore } from "./open-store.js";
import { openHere } from "./sync/attribution.js";
import { openSyncProgress, type SyncProgress } from "./sync/progress.js";
import { whichRepository } from "./which-repository.js";
import { readSettings } from "../project.js";
import type { DispatchWorld } from "../world.js";

/** Runs `ci-dispatch metrics sync`. */
export async function metricsSync(
  world: DispatchWorld,
  action: SyncAction,
): Promise<number> {
  const { env, stderr, stdout, signal } = world;
  const now = world.now();
  const since = parseSince(action.since, now);
  const remote = action.to.kind === "branch" ? action.to.remote : "origin";
  const asked = await whichRepository(world, action.repository, remote);
  const { repository, baseUrl, isHere } = asked;
  const { metrics } = await readSettings(world);
  const here = isHere ? await openHere(world) : undefined;
  const name = showRepository(repository);
  const meter = openMeter(action.budget);
  const progress = openSyncProgress(world, meter);
  const rows = openRows({
    token: githubAccessOf(env).token,
    baseUrl,
    log: (line) => progress.note(line),
    observe: (usage) => meter.observe(usage),
  });
  const ledger = await openLedger(await openStore(world, action.to));
  for (const note of ledger.notes) progress.note(note);
  const { stopped, events } = await withGitHubFailures(
    async () =>
      sync({
        rows,
        repository,
        ledger,
        meter,
        now,
        since,
        rules: await rulesFor(
          metrics,
          name,
          isHere,
          async () => (await here?.publicPackages()) ?? [],
        ),
        configuration: metrics.configuration,
        registry: openRegistry({ signal }),
        attribute: here?.attribute,
        signal,
        wait: action.wait ? waiter(world, progress) : undefined,
        show: (stage, part) => progress.show(stage, part),
        note: (line) => progress.note(line),
      }),
    "; what was read is stored",
  ).finally(() => progress.close());
  stdout.write(
    action.json
      ? `${JSON.stringify(outcomeOf(name, events, meter, stopped))}\n`
      : `${name}: ${count(events, "event")} with ${count(meter.spent, "request")}, ${meter.free} more that GitHub does not count\n`,
  );
  if (!stopped) return ExitCode.Ok;
  stderr.write(
    `${wordsFor(stopped)}; run it again, and it continues from there\n`,
  );
  return ExitCode.Unfinished;
}

/** Returns a function that waits until GitHub allows requests again. */
function waiter({ now, signal }: DispatchWorld, progress: SyncProgress) {
  return async (resetAt: number) => {
    const ms = Math.max(1000, resetAt * 1000 - now() + 1000);
    progress.note(
      `the hour's requests are used up; waiting ${formatDuration(ms)}`,
    );
    await sleep(ms, undefined, { signal }).catch(() => undefined);
  };
}

/** Returns the outcome for `--json`, version 1. */
function outcomeOf(
  repository: string,
  events: number,
  { spent, free, left }: Meter,
  stopped: Stopped | undefined,
): object {
  return {
    version: 1,
    repository,
    events,
    requests: spent,
    unchanged: free,
    left: left ?? null,
    complete: stopped === undefined,
    stopped: stopped?.why ?? null,
    resetAt: stopped?.resetAt === undefined ? null : show(stopped.resetAt),
  };
}

const show = (resetAt: number) => new Date(resetAt * 1000).toISOString();

function wordsFor({ why, resetAt }: Stopped): string {
  switch (why) {
    case "budget":
      return "stopped: the budget is spent, and not all has been read";
    case "rate-limit":
      return `stopped: GitHub allows no more requests ${resetAt === undefined ? "in this hour" : `before ${show(resetAt)}`} (--wait waits)`;
    case "registry":
      return "a registry did not answer, and not all has been read";
    case "interrupted":
      return "stopped: interrupted";
  }
}
