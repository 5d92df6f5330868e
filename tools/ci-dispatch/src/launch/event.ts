import { formatDuration, printable } from "@skein/reporting";
import type { LostMachine } from "../launch.js";

/** An event of a launch. `--json` prints each as a line. All strings in it are untrusted. */
export type LaunchEvent =
  /** `again`: an existing run is retried; otherwise a new run is requested. */
  | {
      readonly kind: "asked";
      readonly job: string;
      readonly machine: number;
      readonly again: boolean;
    }
  /** GitHub didn't answer. The run may have started anyway. */
  | { readonly kind: "unsure"; readonly job: string; readonly why: string }
  /** GitHub refused to retry the run, so a new one is requested. */
  | { readonly kind: "refused"; readonly job: string; readonly why: string }
  | { readonly kind: "running"; readonly job: string; readonly run: number }
  | {
      readonly kind: "lost";
      readonly job: string;
      readonly machine: number;
      readonly why: string;
    }
  /** The job will run on another machine. */
  | {
      readonly kind: "retried";
      readonly job: string;
      readonly conclusion: string;
    }
  | {
      readonly kind: "ended";
      readonly job: string;
      readonly conclusion: string;
    }
  | { readonly kind: "cancelled"; readonly job: string; readonly why: string }
  /** An abandoned run has appeared and is cancelled. */
  | { readonly kind: "stray"; readonly run: number; readonly title: string }
  /** An artifact of a run isn't an attestation of its job. */
  | {
      readonly kind: "not-counted";
      readonly run: number;
      readonly artifact: string;
      readonly why: string;
    }
  | { readonly kind: "waiting"; readonly why: string; readonly ms: number };

/** Describes an event. */
export function eventWords(event: LaunchEvent): string {
  switch (event.kind) {
    case "asked":
      return event.again
        ? `requested a retry of ${event.job}`
        : `requested ${event.job}${event.machine === 1 ? "" : ` on machine ${event.machine}`}`;
    case "unsure":
      return `${event.job} may have started (${event.why}); looking for it`;
    case "refused":
      return `${event.job} cannot be retried (${event.why}); requesting a new run`;
    case "running":
      return `${event.job} is run ${event.run}`;
    case "lost":
      return `${event.job} lost machine ${event.machine}: ${event.why}`;
    case "retried":
      return `${event.job} ${printable(event.conclusion)}; it will run on another machine`;
    case "ended":
      return `${event.job} ${printable(event.conclusion)}`;
    case "cancelled":
      return `cancelled ${event.job}: ${event.why}`;
    case "stray":
      return `cancelled an abandoned run that appeared late: ${printable(event.title)}`;
    case "not-counted":
      return `not counted: ${printable(event.artifact)} of run ${event.run}: ${event.why}`;
    case "waiting":
      return `${event.why}; looking again in ${formatDuration(event.ms)}`;
  }
}

/** Describes a machine that left no attestation. */
export function lossWords({ run, attempt, conclusion }: LostMachine): string {
  const name = `run ${run ?? ""}${attempt === 1 ? "" : `, attempt ${attempt},`}`;
  if (conclusion !== null)
    return `${name} ended as ${printable(conclusion)} and published no attestation`;
  return run === null
    ? "its run was requested and never appeared"
    : `${name} disappeared`;
}
