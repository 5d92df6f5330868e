import { parse } from "yaml";

/** A workflow of GitHub Actions, with the fields that the guards check. */
export interface Workflow {
  /** The text of the file. */
  readonly text: string;
  readonly on: Readonly<Record<string, Trigger | null>>;
  readonly permissions: unknown;
  readonly concurrency: Readonly<Record<string, unknown>> | undefined;
  readonly jobs: Readonly<Record<string, Job>>;
}

export interface Trigger {
  readonly inputs?: Readonly<Record<string, { readonly required?: boolean }>>;
}

export interface Job {
  readonly name?: string;
  readonly if?: string;
  readonly needs?: string | readonly string[];
  readonly permissions?: Readonly<Record<string, string>>;
  readonly "timeout-minutes"?: unknown;
  readonly "runs-on"?: unknown;
  readonly container?: unknown;
  readonly "continue-on-error"?: unknown;
  readonly env?: Readonly<Record<string, unknown>>;
  readonly strategy?: {
    readonly "fail-fast"?: unknown;
    readonly matrix?: unknown;
  };
  /** The called workflow. */
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly secrets?: unknown;
  readonly steps?: readonly Step[];
}

export interface Step {
  readonly id?: string;
  readonly name?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, unknown>>;
}

/** Parses a workflow; any of the three forms of `on` becomes an object. */
export function parseWorkflow(text: string): Workflow {
  const { on, permissions, concurrency, jobs } = parse(text) as Workflow & {
    on: string | readonly string[] | Workflow["on"];
  };
  const names = typeof on === "string" ? [on] : on;
  return {
    text,
    on: Array.isArray(names)
      ? Object.fromEntries(names.map((name: string) => [name, null]))
      : names,
    permissions,
    concurrency,
    jobs,
  };
}
