import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ciOf } from "@skein/ci";
import { DAY_MS, type DeliveryEvent } from "@skein/delivery-metrics";
import { openRepository, type Git } from "@skein/git";
import { showRepository } from "@skein/github";
import { dayOf } from "@skein/metrics-store";
import { count, ExitCode, printable, usageFailure } from "@skein/reporting";
import { Malformed } from "@skein/reporting/json";
import type { HistoryCommand } from "../command.js";
import { eventPayload } from "../github-event.js";
import {
  askForTip,
  branchWords,
  readBranch,
  updateBranch,
} from "../history/branch.js";
import type { HistoryBranch } from "../history/branch.js";
import {
  deliveryOf,
  reuseOf,
  reuseOfPull,
  withDelivery,
} from "../history/delivery.js";
import { malformedWords } from "../history/event.js";
import { measure, recoveries } from "../history/measure.js";
import { mayAppend } from "../history/may-append.js";
import { readHistoryFiles } from "../history/read-files.js";
import { eventsOf, filesBefore, withEvents } from "../history/record.js";
import { parseNewTraces, withTraces } from "../history/traces.js";
import type { TraceRun } from "../history/traces.js";
import { withToken } from "../history/token.js";
import { filesOf } from "../metrics/branch-store.js";
import { readMergedPulls } from "../own-runs/read-merged-pulls.js";
import { hereRepository } from "../metrics/which-repository.js";
import { readPlainFile } from "../plain-file.js";
import { renderHistory } from "../render/render-history.js";
import type { Verdict } from "../verdict.js";
import { isDigest, withDigest } from "../plan/facts/trusted-index.js";
import { readVerdict } from "../verdict/read-verdict.js";
import type { DispatchWorld } from "../world.js";

/** Runs `ci-dispatch history …`, which maintains the branch of durations and flakes. */
export async function history(
  world: DispatchWorld,
  { remote, branch: name, action }: HistoryCommand,
): Promise<number> {
  const { git } = await openRepository({ ...world, env: withToken(world.env) });
  const branch: HistoryBranch = { remote, ref: `refs/heads/${name}` };
  const update = async (message: string, change: Change) => {
    const { stderr, random } = world;
    const commit = await updateBranch(git, branch, change, {
      message,
      sleep: (ms) => sleep(ms),
      random,
    });
    stderr.write(
      `${branchWords(branch)} is at ${commit ?? "nothing, as before"}\n`,
    );
    return ExitCode.Ok;
  };
  switch (action.kind) {
    case "show":
      return show(world, git, branch, action.unit);
    case "append": {
      const { message, change } = await append(world, git, remote, action);
      return update(message, change);
    }
    case "import": {
      const { events, malformed } = await readHistoryFiles(
        action.files.map((file) => resolve(world.cwd, file)),
      );
      if (malformed > 0)
        world.stderr.write(`warning: ${malformedWords(malformed)}\n`);
      return update(`Import ${count(events.length, "event")}`, (tip) =>
        withEvents(git, tip, events),
      );
    }
    case "prune": {
      const first = dayOf({ at: world.now() - action.days * DAY_MS });
      return update(`Remove everything before ${first}`, (tip) =>
        Promise.resolve(filesBefore(tip, first, action.metrics)),
      );
    }
  }
}

/** A change of the branch's files. */
type Change = Parameters<typeof updateBranch>[2];
type AppendAction = Extract<HistoryCommand["action"], { kind: "append" }>;

/** Returns the change that records a verdict, with its message. */
async function append(
  world: DispatchWorld,
  git: Git,
  remote: string,
  action: AppendAction,
): Promise<{ readonly message: string; readonly change: Change }> {
  if (!action.anywhere) await checkMain(world);
  const { index } = action;
  if (index !== undefined && !isDigest(index))
    throw usageFailure(
      "--index isn't a digest: it must have 64 hexadecimal digits",
    );
  const verdict = await readVerdict(world.cwd, action.verdict);
  const now = world.now();
  const { run, event } = ciOf(world.env);
  const events = eventsOf(verdict, new Date(now).toISOString(), run.id);
  const traces = await readNewTraces(world, action, verdict.head);
  const repository = await hereRepository(world, remote);
  if (repository === undefined)
    world.stderr.write(
      "note: the repository is unknown, so its delivery metrics are not recorded\n",
    );
  // The selection of a merge group is that of its pull requests. It isn't recorded, because their merge is.
  const isGroup = event.name === "merge_group";
  const shown = repository && showRepository(repository);
  const delivery =
    shown === undefined
      ? []
      : [
          ...(isGroup ? [] : deliveryOf(verdict, shown, now)),
          ...(await reuseEvents(world, verdict, {
            ...{ repository: shown, at: now, name: action.name },
          })),
        ];
  return {
    message: `Record ${count(events.length, "unit")}`,
    change: async (tip) =>
      new Map([
        ...(await withEvents(git, tip, events)),
        ...(await withDelivery(filesOf(git, tip), delivery)),
        ...(await withDigest(git, tip, index)),
        ...(traces ? await withTraces(git, tip, traces) : []),
      ]),
  };
}

/**
 * Reads the evidence of this run. Only runs of commits on the default branch record evidence, so a group of the merge
 * queue has none.
 * @returns undefined for none; a file that can't be used is reported
 */
async function readNewTraces(
  { cwd, env, stderr, now }: DispatchWorld,
  { traces: file }: AppendAction,
  head: string | null,
): Promise<TraceRun | undefined> {
  const { run, event } = ciOf(env);
  if (file === undefined || run.id === undefined || event.name !== "push")
    return undefined;
  try {
    const made = parseNewTraces(await readPlainFile(resolve(cwd, file)));
    if (made.commit !== head)
      throw new Malformed("it is for a different commit than the verdict");
    return { ...made, run: run.id, at: new Date(now()).toISOString() };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT")
      stderr.write(
        `warning: the evidence in ${printable(file)} is not recorded: ${printable((error as Error).message)}\n`,
      );
    return undefined;
  }
}

/** Returns the units that this run reused, and those that the pull requests which it merged have reused. */
async function reuseEvents(
  world: DispatchWorld,
  verdict: Verdict,
  where: {
    readonly repository: string;
    readonly at: number;
    readonly name: string;
  },
): Promise<readonly DeliveryEvent[]> {
  const { repository, at, name } = where;
  const ci = ciOf(world.env);
  const { run } = ci;
  const merged = await readMergedPulls(world, await eventPayload(ci), name);
  return [
    ...(run.id === undefined
      ? []
      : reuseOf(verdict, { repository, run: run.id, at })),
    ...merged.flatMap(({ pull, pushes }) =>
      reuseOfPull(pushes, { repository, pull }),
    ),
  ];
}

async function show(
  { stdout, stderr }: DispatchWorld,
  git: Git,
  branch: HistoryBranch,
  unit: string | undefined,
): Promise<number> {
  const tip = await askForTip(git, branch);
  if (tip.commit === undefined)
    stderr.write(
      `note: ${branch.remote} doesn't have ${branchWords(branch)} yet\n`,
    );
  const { events, malformed, broken } = await readBranch(git, tip);
  for (const name of broken)
    stderr.write(`warning: ${name} is broken, and is skipped\n`);
  if (malformed > 0) stderr.write(`warning: ${malformedWords(malformed)}\n`);
  stdout.write(
    renderHistory(
      measure(events),
      recoveries(events),
      unit,
      stdout.isTTY ? stdout.columns : undefined,
    ),
  );
  return ExitCode.Ok;
}

/** Checks that this run is one of the default branch. A pull request must not poison the data that main's plans use. */
async function checkMain({ env }: DispatchWorld): Promise<void> {
  const refusal = mayAppend(env, await eventPayload(ciOf(env)));
  if (refusal !== undefined)
    throw usageFailure(
      `only the default branch writes the history: ${refusal}`,
      {
        hint: "run it in a push to the default branch; --anywhere records anyway",
      },
    );
}
