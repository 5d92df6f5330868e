import { readRun, Row, type RunFacts } from "@skein/delivery-metrics";
import { dayOf } from "../store/day-files.js";
import { daysToRead, halves, rangeOfDay, tidyDays } from "./days.js";
import { keepRuns } from "./keep-runs.js";
import type { Session } from "./session.js";
import type { DayState } from "./sync-state.js";

/** The maximum length of a filtered list on GitHub. */
const CAP = 1000;
/** The number of times that a list is read if it is shorter than its count. */
const READINGS = 3;

type WindowState = DayState["windows"][number];

/** Reads the workflow runs of each day, and their jobs. A day that can no longer change is never read again. */
export async function syncRuns(session: Session): Promise<void> {
  const { since, now } = session;
  const days = daysToRead(session.state.days, since, now);
  for (const [index, day] of days.entries()) {
    const windows = session.state.days[day]?.windows ?? [];
    const read: Reading[] = [];
    for (const known of windows.length > 0 ? windows : [fresh(rangeOfDay(day))])
      read.push(...(await readWindow(session, known)));
    const isPast = day < dayOf({ at: now });
    const state: DayState = {
      open: !isPast || read.some(({ open }) => open),
      windows: read.map(({ range, etags }) => ({ range, etags })),
    };
    await session.save({
      days: tidyDays({ ...session.state.days, [day]: state }, now),
    });
    session.show("runs", (index + 1) / days.length);
  }
}

const fresh = (range: string): WindowState => ({ range, etags: [] });

interface Reading extends WindowState {
  /** Whether a part must be read again later. */
  readonly open: boolean;
}

/**
 * Reads the runs that were created in a range. If there are more than GitHub lists, it reads the two halves of the
 * range.
 */
async function readWindow(
  session: Session,
  known: WindowState,
): Promise<readonly Reading[]> {
  for (let reading = 1; ; reading++) {
    const pages = await readPages(session, known);
    if (pages === "too many") {
      const parts = halves(known.range);
      if (!parts) {
        session.note(
          `more than ${CAP} runs began in one second (${known.range}); GitHub lists no more`,
        );
        return [{ ...known, etags: [], open: true }];
      }
      const both = [];
      for (const part of parts)
        both.push(...(await readWindow(session, fresh(part))));
      return both;
    }
    const { runs, listed, total, etags } = pages;
    const open = await keepRuns(session, runs);
    if (listed >= total)
      return [{ range: known.range, etags: open ? [] : etags, open }];
    // A page was truncated. Its missing runs must not be lost.
    if (reading === READINGS) {
      session.note(
        `GitHub lists ${listed} of ${total} runs of ${known.range}; the next sync requests them again`,
      );
      return [{ range: known.range, etags: [], open: true }];
    }
    known = fresh(known.range);
  }
}

interface Pages {
  /** The runs of the pages that have changed. */
  readonly runs: readonly RunFacts[];
  /** The number of runs that were listed, and the number that GitHub reports. */
  readonly listed: number;
  readonly total: number;
  readonly etags: readonly string[];
}

async function readPages(
  session: Session,
  { range, etags }: WindowState,
): Promise<Pages | "too many"> {
  const runs: RunFacts[] = [];
  const tags: string[] = [];
  let listed = 0;
  for (let page = 1; ; page++) {
    const known = etags[page - 1];
    const answer = await session.get(
      "/actions/runs",
      { created: range, per_page: 100, page, exclude_pull_requests: "true" },
      known === "" ? undefined : known,
    );
    if (answer.kind === "unchanged") {
      tags.push(known ?? "");
      listed += 100;
      if (page < etags.length) continue;
      // The last page, which was complete when its tag was stored.
      return { runs, listed, total: 0, etags: tags };
    }
    const body = Row.of(answer.body);
    const rows = body?.rows("workflow_runs") ?? [];
    const total = body?.whole("total_count") ?? rows.length;
    if (total > CAP) return "too many";
    runs.push(...rows.flatMap((row) => readRun(row) ?? []));
    listed += rows.length;
    tags.push(answer.etag ?? "");
    if (!answer.next) return { runs, listed, total, etags: tags };
  }
}
