import type { Fields } from "../plan.js";

const VERDICTS = ["passed", "flaky", "recovered", "failed"] as const;

/** One run of one unit on the main branch, as a line of NDJSON. */
export interface HistoryEvent {
  readonly version: 1;
  /** When it was recorded: ISO 8601, UTC. */
  readonly at: string;
  readonly commit: string;
  /** `package#script`. */
  readonly unit: string;
  /** All its shards together; milliseconds. */
  readonly ms: number;
  /** `flaky` failed first, `recovered` lost a machine first, and passed then on the same tree. */
  readonly verdict: (typeof VERDICTS)[number];
  /** Milliseconds by test file, from the package's folder; left out where the runner does not tell. */
  readonly files?: Readonly<Record<string, number>>;
  /** A hash of all that its result hangs on; left out unless it passed at once and that is known. */
  readonly fingerprint?: string;
  /** The same, where it was flaky, recovered or failed; left out where a machine made it fail. */
  readonly under?: string;
  /** What either fingerprint is made of: a short hash by the field's name. */
  readonly fields?: Fields;
  /** A hash of the tree, and of what its scripts ran on, where the whole run was green. */
  readonly tree?: string;
  /** Id of the workflow run that attested it; there where one of the fingerprints or the tree is. */
  readonly run?: string;
}

/** Events of one text, and how many of its lines were none. */
export interface ParsedEvents {
  readonly events: readonly HistoryEvent[];
  readonly malformed: number;
}

/** Parses NDJSON. A line that is no event of version 1 is counted and passed over: history is only ever a hint. */
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

/** One line of NDJSON, its newline included. */
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
