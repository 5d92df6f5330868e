import type { AttestedUnit, Failing } from "../attestation.js";
import type { Found } from "./read-attestations.js";

/** One time that a job was given a machine. */
export interface Turn {
  readonly attempt: number;
  readonly machine: number;
  /** What was published of it; nothing where the machine was lost. */
  readonly files: readonly Found[];
}

/**
 * The turns of a job, the newest last. Pure. A job is given another machine only where the one before has failed: one of
 * which nobody has published a word was lost.
 */
export function turnsOf(found: readonly Found[]): readonly Turn[] {
  const turns = new Map<string, Turn>();
  for (const one of found) {
    const { attempt, machine } = one.attestation;
    const files = turns.get(`${attempt}.${machine}`)?.files ?? [];
    turns.set(`${attempt}.${machine}`, {
      attempt,
      machine,
      files: [...files, one],
    });
  }
  for (const { attempt, machine } of [...turns.values()].sort(inOrder))
    for (let before = 1; before < machine; before++) {
      // A re-run of failed jobs alone starts with whichever machine had failed.
      const isKnown = [...turns.values()].some(
        (turn) => turn.machine === before && turn.attempt <= attempt,
      );
      if (!isKnown)
        turns.set(`${attempt}.${before}`, {
          attempt,
          machine: before,
          files: [],
        });
    }
  return [...turns.values()].sort(inOrder);
}

function inOrder(a: Turn, b: Turn): number {
  return a.attempt - b.attempt || a.machine - b.machine;
}

/** A turn, in words. */
export function nameOf({ attempt, machine }: Turn): string {
  return machine === 1
    ? `attempt ${attempt}`
    : `attempt ${attempt} on machine ${machine}`;
}

/** What a turn attests of a unit; where files differ, the worse: missing before failed before passed. */
export function worst(id: string, { files }: Turn): AttestedUnit | undefined {
  const told = files.map(({ attestation }) =>
    attestation.units.find((unit) => unit.id === id),
  );
  if (told.includes(undefined)) return undefined;
  return told.find((unit) => unit?.verdict === "failed") ?? told[0];
}

/** Why a turn attests nothing of a unit. */
export function lossOf(turn: Turn): Failing {
  const [why] = seenFromOutside(turn);
  const running = runningIn(turn);
  const unseen =
    turn.files.length === 0
      ? "it has published no attestation"
      : running.length > 0
        ? `it was lost while ${running.join(", ")} ran`
        : "it was lost before this unit was attested";
  return { class: "infrastructure", evidence: [why ?? unseen] };
}

/** Names at most this many units: a machine runs few at a time. */
const MOST_RUNNING = 10;

/** The units that ran when a machine last wrote its attestation, and that never ended. */
export function runningIn({ files }: Turn): readonly string[] {
  const all = files.flatMap(({ attestation }) => attestation.running ?? []);
  return [...new Set(all)].slice(0, MOST_RUNNING);
}

/** What those tell of a lost machine who watched it. */
export function seenFromOutside({ files }: Turn): readonly string[] {
  return files.flatMap(({ attestation }) => attestation.lost ?? []);
}
