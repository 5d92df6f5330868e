import type { MeasuringRules } from "@skein/delivery-metrics";
import type { Answer, Query, RepositoryName } from "@skein/github";
import type { Ledger } from "../store/ledger.js";
import type { Registry } from "./registry.js";
import type { RepositoryState } from "./sync-state.js";

/** The inputs of every stage of a sync. */
export interface Session {
  readonly repository: RepositoryName;
  /** `owner/name`, as in events. */
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The start of the time to read, in milliseconds since 1970. Stored states may reach further back. */
  readonly since: number;
  readonly rules: MeasuringRules;
  /** The paths whose changes appear in charts. */
  readonly configuration: readonly string[];
  readonly registry: Registry;
  readonly signal: AbortSignal;
  readonly ledger: Pick<Ledger, "known" | "keep">;
  readonly state: RepositoryState;
  /** Stores the added events, together with the new state. */
  save(change: Partial<RepositoryState>): Promise<void>;
  /** @throws {Stopped} before a request that is not allowed; {GitHubError} */
  get(path: string, query: Query, etag?: string): Promise<Answer>;
  /** @throws {Stopped} before a request that is not allowed; {GitHubError} */
  graphql(
    query: string,
    variables: Readonly<Record<string, unknown>>,
  ): Promise<unknown>;
  /** Attributes files to packages and owners; undefined if that is unknown. */
  readonly attribute:
    | ((files: readonly string[]) => {
        readonly packages: readonly string[];
        readonly owners: readonly string[];
      })
    | undefined;
  /**
   * Shows the progress of a stage.
   * @param part from 0 to 1
   */
  show(stage: Stage, part: number): void;
  /** Reports a message to the user. */
  note(line: string): void;
}

/** The stages of a synchronization, in their order. */
export const STAGES = [
  "pull requests",
  "pushes",
  "runs",
  "configuration",
  "publications",
] as const;
export type Stage = (typeof STAGES)[number];

/** An error that ends a sync early in an orderly way: all data that was read is stored. */
export class Stopped extends Error {
  override readonly name = "Stopped";
  readonly why: "budget" | "rate-limit" | "interrupted" | "registry";
  /** The time at which GitHub allows more requests, in seconds since 1970. */
  readonly resetAt: number | undefined;

  constructor(why: Stopped["why"], resetAt?: number) {
    super(why);
    this.why = why;
    this.resetAt = resetAt;
  }
}
