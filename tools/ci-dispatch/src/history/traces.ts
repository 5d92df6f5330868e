import { gunzipSync, gzipSync } from "node:zlib";
import type { Git } from "@skein/git";
import * as json from "@skein/reporting/json";
import type { Attested } from "../plan.js";
import { blob, type Tip } from "./branch.js";
import type { HistoryEvent } from "./event.js";

/** The evidence without the run that made it, as `ci-dispatch trace` writes it. */
export type NewTraces = json.TypeOf<typeof newTraces>;
const NEW_TRACES = {
  version: json.version(1),
  commit: json.text,
  /** A hash of the workflow's inputs and of what scripts run on. The evidence is about such machines only. */
  environment: json.text,
  script: json.text,
  /** The units that ran under trace. */
  units: json.list(
    json.object({
      /** `package#script`. */
      unit: json.text,
      /** The trace has evidence. */
      complete: json.boolean,
    }),
  ),
  /** As `affected trace --evidence` wrote it. Only `affected` reads it. */
  evidence: json.anything,
};
const newTraces = json.object(NEW_TRACES);

/** The evidence of one run of the main branch that recorded traces. Each run has a file on the branch. */
export type TraceRun = json.TypeOf<typeof traceRun>;
const traceRun = json.object({
  ...NEW_TRACES,
  /** The id of the workflow run. */
  run: json.text,
  /** ISO 8601, UTC. */
  at: json.text,
});

const NAME = /^traces-(\d{4}-\d{2}-\d{2})-\d+\.json\.gz$/;

/** Returns the day of one of the branch's files of traces; undefined for any other file. */
export function dayOfTraces(name: string): string | undefined {
  return NAME.exec(name)?.[1];
}

/** Parses traces. @throws {Malformed} if the text has another form */
export function parseNewTraces(text: string): NewTraces {
  return json.parse(text, newTraces, "traces");
}

/** Reads the branch's traces, the oldest first. It skips broken files. */
export async function readTraces(
  git: Git,
  tip: Tip,
): Promise<readonly TraceRun[]> {
  const runs: TraceRun[] = [];
  for (const [name, id] of tip.files)
    if (dayOfTraces(name) !== undefined) {
      const run = unpack(await blob(git, id));
      if (run) runs.push(run);
    }
  return runs.sort((a, b) => (a.at < b.at ? -1 : 1));
}

function unpack(bytes: Buffer): TraceRun | undefined {
  try {
    const text = gunzipSync(bytes).toString("utf8");
    const run = json.parse(text, traceRun, "traces");
    return Number.isNaN(Date.parse(run.at)) ? undefined : run;
  } catch {
    return undefined;
  }
}

/**
 * Returns the branch's changed files after adding the traces of a run. It removes runs whose units all have newer
 * evidence.
 */
export async function withTraces(
  git: Git,
  tip: Tip,
  added: TraceRun,
): Promise<ReadonlyMap<string, Buffer | undefined>> {
  const runs = [...(await readTraces(git, tip)), added];
  const known = new Map(runs.map((run) => [nameOf(run), run]));
  const changed = new Map<string, Buffer | undefined>(
    superseded(runs)
      .map(nameOf)
      .filter((name) => tip.files.has(name))
      .map((name) => [name, undefined]),
  );
  const name = nameOf(added);
  if (known.get(name) === added)
    changed.set(name, gzipSync(JSON.stringify(added), { level: 9 }));
  return changed;
}

function nameOf({ at, run }: TraceRun): string {
  return `traces-${at.slice(0, 10)}-${run}.json.gz`;
}

/** Returns the runs whose evidence was replaced: each unit has evidence of a later run. Pure. @param runs the oldest first */
export function superseded(runs: readonly TraceRun[]): readonly TraceRun[] {
  const newest = new Map<string, TraceRun>();
  for (const run of runs)
    for (const { unit, complete } of run.units)
      if (complete) newest.set(`${run.script} ${unit}`, run);
  const kept = new Set([...newest.values(), runs.at(-1)]);
  return runs.filter((run) => !kept.has(run));
}

/** The inputs that determine whether evidence counts. */
export interface ProofRules {
  readonly environment: string;
  readonly history: readonly HistoryEvent[];
  /** Returns since when results of a script are used; undefined for never, "" for no limit. */
  readonly oldest: (script: string) => string | undefined;
}

/**
 * Returns the newest run with evidence of each unit. Pure. Evidence doesn't count if its unit failed or was flaky on the
 * default branch since: its result depends on something that no trace shows.
 * @param runs the oldest first
 * @returns runs by `package#script`
 */
export function proofsOf(
  runs: readonly TraceRun[],
  { environment, history, oldest }: ProofRules,
): ReadonlyMap<string, Attested> {
  const proofs = new Map<string, Attested>();
  for (const run of runs) {
    const since = oldest(run.script);
    const isOld =
      since === undefined ||
      (since !== "" && Date.parse(run.at) < Date.parse(since));
    if (run.environment !== environment || isOld) continue;
    const { commit, at } = run;
    for (const { unit, complete } of run.units)
      if (complete && unit.endsWith(`#${run.script}`))
        proofs.set(unit, { commit, run: run.run, at, by: "trace" });
  }
  for (const { unit, verdict, at } of history) {
    const proof = proofs.get(unit);
    const isRed = verdict === "failed" || verdict === "flaky";
    if (proof && isRed && Date.parse(at) >= Date.parse(proof.at))
      proofs.delete(unit);
  }
  return proofs;
}
