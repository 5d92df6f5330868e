import { CONCLUSIONS, type Instant, type Job } from "./event.js";
import type { Column, ColumnReader } from "./columns/column-reader.js";
import { listOf, oneOf, text, whole } from "./field.js";
import type { Packer, Unpacker } from "../log/packing.js";
import { NoField } from "./no-field.js";

/**
 * Jobs in JSON, one column per field. A workflow's job names are the same in every run, so they compress to almost
 * nothing, and durations are small numbers. 123,000 jobs take half a megabyte, a fifth of a list of objects. Durations
 * are in seconds, each from the previous time: from the attempt's start to the request, from the request to the start,
 * from the start to the end.
 */
interface JobColumns {
  readonly name: readonly string[];
  readonly created: readonly (number | null)[];
  readonly started: readonly (number | null)[];
  readonly completed: readonly (number | null)[];
  /** Left out if all succeeded. */
  readonly conclusion?: readonly string[];
}

const names = listOf(text);
const outcome = oneOf(CONCLUSIONS);
const conclusions = listOf(outcome);

/**
 * Writes jobs as columns.
 * @param start of the attempt
 * @returns undefined if there are no jobs
 */
export function writeJobs(
  jobs: readonly Job[],
  start: Instant,
): JobColumns | undefined {
  if (jobs.length === 0) return undefined;
  const spans = jobs.map(({ created, started, completed }) =>
    spansBetween(start, [created, started, completed]),
  );
  const column = (index: number) => spans.map((each) => each[index] ?? null);
  return {
    name: jobs.map(({ name }) => name),
    created: column(0),
    started: column(1),
    completed: column(2),
    ...(jobs.some(({ conclusion }) => conclusion !== "success") && {
      conclusion: jobs.map(({ conclusion }) => conclusion),
    }),
  };
}

/** Reads jobs from columns. @throws {NoField} if these aren't columns of the same length */
export function readJobs(wire: unknown, start: Instant): readonly Job[] {
  if (wire === undefined || wire === null) return [];
  if (typeof wire !== "object") throw new NoField("no jobs");
  const columns = wire as Partial<Record<keyof JobColumns, unknown>>;
  const name = names.read(columns.name);
  const created = spans(columns.created, name.length);
  const started = spans(columns.started, name.length);
  const completed = spans(columns.completed, name.length);
  const conclusion = conclusions.read(columns.conclusion);
  if (conclusion.length > 0 && conclusion.length !== name.length)
    throw new NoField("columns of several lengths");
  return name.map((each, index) => {
    const asked = after(start, created[index]);
    const taken = after(asked ?? start, started[index]);
    return {
      name: each,
      created: asked,
      started: taken,
      completed: after(taken ?? asked ?? start, completed[index]),
      conclusion: conclusion[index] ?? "success",
    };
  });
}

const SPANS = ["created", "started", "completed"] as const;

/**
 * Opens the columns of jobs.
 * @returns a function that reads the jobs of the next attempt, which started at `start`
 */
export function openJobs(
  from: ColumnReader,
): (start: Instant) => readonly Job[] {
  const takeLength = whole.open(from, "jobs");
  const takeName = text.open(from, "jobs[].name");
  const takeConclusion = outcome.open(from, "jobs[].conclusion");
  const [created, started, completed] = SPANS.map((name) =>
    from.column(`jobs[].${name}`),
  ) as [Column, Column, Column];
  const after = (last: Instant, column: Column) =>
    column.isNull() ? null : last + Math.round(column.number() * 1000);
  return (start) => {
    const length = takeLength();
    const jobs: Job[] = [];
    while (jobs.length < length) {
      const name = takeName();
      const conclusion = takeConclusion();
      const asked = after(start, created);
      const taken = after(asked ?? start, started);
      const ended = after(taken ?? asked ?? start, completed);
      jobs.push({
        name,
        created: asked,
        started: taken,
        completed: ended,
        conclusion,
      });
    }
    from.clock = lastEnd(jobs, start);
    return jobs;
  };
}

/** Writes jobs into a log in memory. @param start of the attempt */
export function packJobs(
  jobs: readonly Job[],
  start: Instant,
  to: Packer,
): void {
  to.number(jobs.length);
  for (const { name, conclusion, created, started, completed } of jobs) {
    text.pack(name, to);
    outcome.pack(conclusion, to);
    to.clock = start;
    to.instant(created);
    to.clock = created ?? start;
    to.instant(started);
    to.clock = started ?? created ?? start;
    to.instant(completed);
  }
}

/** Reads what `packJobs` wrote. */
export function unpackJobs(start: Instant, from: Unpacker): readonly Job[] {
  return Array.from({ length: from.number() }, () => {
    const name = text.unpack(from);
    const conclusion = outcome.unpack(from);
    from.clock = start;
    const created = from.instant();
    from.clock = created ?? start;
    const started = from.instant();
    from.clock = started ?? created ?? start;
    return { name, created, started, completed: from.instant(), conclusion };
  });
}

function lastEnd(jobs: readonly Job[], start: Instant): Instant {
  return jobs.reduce(
    (last, { completed }) => Math.max(last, completed ?? start),
    start,
  );
}

function after(last: Instant, span: number | null | undefined): Instant | null {
  return span === null || span === undefined
    ? null
    : last + Math.round(span * 1000);
}

function spansBetween(
  start: Instant,
  instants: readonly (Instant | null)[],
): (number | null)[] {
  let last = start;
  return instants.map((each) => {
    if (each === null) return null;
    const span = (each - last) / 1000;
    last = each;
    return span;
  });
}

function spans(wire: unknown, length: number): readonly (number | null)[] {
  if (
    !Array.isArray(wire) ||
    wire.length !== length ||
    !wire.every((each) => each === null || Number.isFinite(each))
  )
    throw new NoField("no column of spans");
  return wire as (number | null)[];
}
