import type { AttestedUnit, Failing } from "../attestation.js";
import type { Found } from "./read-attestations.js";

/** A run of a job on one machine. */
export interface JobRun {
  readonly attempt: number;
  readonly machine: number;
  /** The published attestations; empty if the machine was lost. */
  readonly files: readonly Found[];
}

/**
 * Returns the runs of a job, the newest last. Pure. A job gets another machine only if the one before failed. So an
 * earlier machine without an attestation was lost.
 */
export function jobRunsOf(found: readonly Found[]): readonly JobRun[] {
  const runs = new Map<string, JobRun>();
  for (const one of found) {
    const { attempt, machine } = one.attestation;
    const files = runs.get(`${attempt}.${machine}`)?.files ?? [];
    runs.set(`${attempt}.${machine}`, {
      attempt,
      machine,
      files: [...files, one],
    });
  }
  for (const { attempt, machine } of [...runs.values()].sort(inOrder))
    for (let before = 1; before < machine; before++) {
      // A re-run of only the failed jobs starts with the machine that had failed.
      const isKnown = [...runs.values()].some(
        (run) => run.machine === before && run.attempt <= attempt,
      );
      if (!isKnown)
        runs.set(`${attempt}.${before}`, {
          attempt,
          machine: before,
          files: [],
        });
    }
  return [...runs.values()].sort(inOrder);
}

function inOrder(a: JobRun, b: JobRun): number {
  return a.attempt - b.attempt || a.machine - b.machine;
}

/** Describes a run of a job. */
export function nameOf({ attempt, machine }: JobRun): string {
  return machine === 1
    ? `attempt ${attempt}`
    : `attempt ${attempt} on machine ${machine}`;
}

/**
 * Returns the result of a unit in a run of its job. If files differ, the worst result counts: missing, then failed, then passed.
 */
export function worst(id: string, { files }: JobRun): AttestedUnit | undefined {
  const attested = files.map(({ attestation }) =>
    attestation.units.find((unit) => unit.id === id),
  );
  if (attested.includes(undefined)) return undefined;
  return attested.find((unit) => unit?.verdict === "failed") ?? attested[0];
}

/** Returns why a run of a job has no result of a unit. */
export function lossOf(run: JobRun): Failing {
  const [why] = seenFromOutside(run);
  const running = runningIn(run);
  const unseen =
    run.files.length === 0
      ? "it has published no attestation"
      : running.length > 0
        ? `it was lost while ${running.join(", ")} ran`
        : "it was lost before this unit was attested";
  return { class: "infrastructure", evidence: [why ?? unseen] };
}

/** The maximum number of units to name. A machine runs only a few at a time. */
const MOST_RUNNING = 10;

/** Returns the units that were running when a machine last wrote its attestation, and that never ended. */
export function runningIn({ files }: JobRun): readonly string[] {
  const all = files.flatMap(({ attestation }) => attestation.running ?? []);
  return [...new Set(all)].slice(0, MOST_RUNNING);
}

/** Returns how observers of a lost machine describe its loss. */
export function seenFromOutside({ files }: JobRun): readonly string[] {
  return files.flatMap(({ attestation }) => attestation.lost ?? []);
}
