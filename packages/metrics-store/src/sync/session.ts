import type { DeliveryEvent, MeasuringRules } from "@skein/delivery-metrics";
import type { Answer, Query, RepositoryName } from "@skein/github";
import type { Ledger } from "../store/ledger.js";
import type { Registry } from "./registry.js";
import type { RepositoryState } from "./sync-state.js";

/** The inputs of every stage of a sync. */
export interface Session {
  readonly repository: RepositoryName;
  /** `owner/name`, as events have it. */
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** How far back, at least. */
  readonly since: number;
  readonly rules: MeasuringRules;
  /** Paths whose changes charts show. */
  readonly configuration: readonly string[];
  readonly registry: Registry;
  readonly signal: AbortSignal;
  readonly ledger: Pick<Ledger, "known" | "keep">;
  readonly state: RepositoryState;
  /** Keeps what was taken in, and how far it reaches. */
  save(change: Partial<RepositoryState>): Promise<void>;
  /** @throws {Stopped} before a request that is not to be made; {GitHubError} */
  get(path: string, query: Query, etag?: string): Promise<Answer>;
  /** @throws {Stopped} before a request that is not to be made; {GitHubError} */
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
  /** Shows how far a stage has come. @param part from 0 to 1 */
  show(stage: Stage, part: number): void;
  /** Something that people should know of. */
  note(line: string): void;
}

export const STAGES = [
  "pull requests",
  "pushes",
  "runs",
  "configuration",
  "publications",
] as const;
export type Stage = (typeof STAGES)[number];

/** The sync has been stopped before its end, in order: all that was read is kept. */
export class Stopped extends Error {
  override readonly name = "Stopped";
  readonly why: "budget" | "rate-limit" | "interrupted" | "registry";
  /** Seconds since 1970: when GitHub gives more. */
  readonly resetAt: number | undefined;

  constructor(why: Stopped["why"], resetAt?: number) {
    super(why);
    this.why = why;
    this.resetAt = resetAt;
  }
}

export type Events = readonly DeliveryEvent[];
