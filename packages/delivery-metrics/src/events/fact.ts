/** Milliseconds since 1970, so independent of time zones and summer time. In files: ISO 8601, UTC. */
export type Instant = number;

/** The fields of every event. Its stable id is `eventId`: the same fact has the same id, however often it is read. */
export interface Fact<Kind extends string> {
  readonly kind: Kind;
  /** The time of the event. */
  readonly at: Instant;
  /** `owner/name`. */
  readonly repository: string;
}
