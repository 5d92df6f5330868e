import { count } from "@skein/reporting";
import type { Fields } from "../plan.js";

const VERDICTS = ["passed", "flaky", "recovered", "failed"] as const;

/** One run of one unit on the main branch, as a line of NDJSON. */
export interface HistoryEvent {
  readonly version: 1;
  /** The time of recording: ISO 8601, UTC. */
  readonly at: string;
  readonly commit: string;
  /** `package#script`. */
  readonly unit: string;
  /** The duration of all its shards together in milliseconds. */
  readonly ms: number;
  /** `flaky` units failed first, `recovered` ones lost a machine first. Both then passed on the same tree. */
  readonly verdict: (typeof VERDICTS)[number];
  /** Milliseconds by test file, relative to the package's folder; absent if the runner doesn't report them. */
  readonly files?: Readonly<Record<string, number>> | undefined;
  /**
   * A hash of everything that the result depends on; present only if it is known and the unit passed on the first
   * attempt.
   */
  readonly fingerprint?: string | undefined;
  /** The same hash for a unit that was flaky, recovered or failed; absent if it failed because of its machine. */
  readonly under?: string | undefined;
  /** The parts of either fingerprint: a short hash by the name of the field. */
  readonly fields?: Fields | undefined;
  /** A hash of the tree, and of the runtime of its scripts; present if the whole run was green. */
  readonly tree?: string | undefined;
  /** The id of the workflow run that attested it; present if a fingerprint or the tree is. */
  readonly run?: string | undefined;
}

/** The events of a text, and the number of its malformed lines. */
export interface ParsedEvents {
  readonly events: readonly HistoryEvent[];
  readonly malformed: number;
}

/** Parses NDJSON. It counts and skips lines that aren't events of version 1, because history is only a hint. */
export function parseEvents(text: string): ParsedEvents {
  const events: HistoryEvent[] = [];
  let malformed = 0;
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const event = parseEvent(line);
    if (event) events.push(event);
    else malformed++;
  }
  return { events, malformed };
}

/**
 * Describes malformed lines, for a warning.
 * @param where the words after their number, such as ` of the history`
 */
export function malformedWords(lines: number, where = ""): string {
  return lines === 1
    ? `skipped 1 line${where} that isn't an event`
    : `skipped ${count(lines, "line")}${where} that aren't events`;
}

/** Returns an event as a line of NDJSON, including its newline. */
export function eventLine(event: HistoryEvent): string {
  return `${JSON.stringify(event)}\n`;
}

function parseEvent(line: string): HistoryEvent | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { version, at, commit, unit, ms, verdict, files, ...others } =
    value as Partial<Record<keyof HistoryEvent, unknown>>;
  const known = VERDICTS.find((each) => each === verdict);
  if (
    version !== 1 ||
    typeof at !== "string" ||
    Number.isNaN(Date.parse(at)) ||
    typeof commit !== "string" ||
    typeof unit !== "string" ||
    !isDuration(ms) ||
    known === undefined
  )
    return undefined;
  const durations =
    typeof files === "object" && files !== null
      ? Object.entries(files).filter((entry): entry is [string, number] =>
          isDuration(entry[1]),
        )
      : [];
  return {
    version,
    at,
    commit,
    unit,
    ms,
    verdict: known,
    ...(durations.length > 0 && { files: Object.fromEntries(durations) }),
    ...readFingerprint(others),
  };
}

function readFingerprint({
  fingerprint,
  under,
  fields,
  tree,
  run,
}: Partial<Record<keyof HistoryEvent, unknown>>): Pick<
  HistoryEvent,
  "fingerprint" | "under" | "fields" | "tree" | "run"
> {
  const isPassed = typeof fingerprint === "string";
  const isOther = typeof under === "string";
  const isGreen = typeof tree === "string";
  if (typeof run !== "string" || !(isPassed || isOther || isGreen)) return {};
  const known =
    typeof fields === "object" && fields !== null
      ? Object.entries(fields).filter(
          (entry): entry is [string, string] => typeof entry[1] === "string",
        )
      : [];
  return {
    ...(isPassed && { fingerprint }),
    ...(isOther && { under }),
    ...(isGreen && { tree }),
    ...(known.length > 0 && { fields: Object.fromEntries(known) }),
    run,
  };
}

function isDuration(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
