import { GitHubError, showRepository } from "@skein/github";
import type { RepositoryName, Rows } from "@skein/github";
import type { Ledger } from "../store/ledger.js";
import { dayOf } from "../store/day-files.js";
import type { Meter } from "./meter.js";
import { Stopped, type Session } from "./session.js";
import { syncActivity } from "./sync-activity.js";
import { syncAnnotations } from "./sync-annotations.js";
import { syncNpm } from "./sync-npm.js";
import { syncPublications } from "./sync-publications.js";
import { syncPulls } from "./sync-pulls.js";
import { syncRuns } from "./sync-runs.js";
import { NEW_REPOSITORY } from "./sync-state.js";

export interface SyncOptions extends Pick<
  Session,
  | "attribute"
  | "configuration"
  | "note"
  | "now"
  | "registry"
  | "rules"
  | "show"
  | "signal"
  | "since"
> {
  readonly rows: Rows;
  readonly repository: RepositoryName;
  readonly ledger: Ledger;
  readonly meter: Meter;
  /**
   * Waits until more requests are allowed, if the user asked for that.
   * @param resetAt seconds since 1970
   */
  readonly wait: ((resetAt: number) => Promise<void>) | undefined;
}

/** The result of a sync. */
export interface Synced {
  /** Undefined if everything was read. */
  readonly stopped: Stopped | undefined;
  /** The number of events that were new or changed. */
  readonly events: number;
}

/**
 * Reads new data of a repository and adds it to the store. Data that was read is always stored, so the next sync
 * continues where this one stopped.
 * @throws {GitHubError} after the data that was read is in the store
 */
export async function sync(options: SyncOptions): Promise<Synced> {
  const { ledger } = options;
  let stopped: Stopped | undefined;
  try {
    const session = openSession(options);
    await makeUpForBroken(session, ledger.broken);
    await syncPulls(session);
    await syncActivity(session);
    await syncRuns(session);
    await syncAnnotations(session);
    await syncPublications(session);
    await syncNpm(session);
  } catch (error) {
    if (!(error instanceof Stopped)) {
      await ledger.pack();
      throw error;
    }
    stopped = error;
  }
  return { stopped, events: await ledger.pack() };
}

/** Requests the events of a damaged file again, once. Later syncs don't request them. */
async function makeUpForBroken(
  session: Session,
  broken: readonly string[],
): Promise<void> {
  const { name, since, state } = session;
  const isSame = JSON.stringify(broken) === JSON.stringify(state.broken);
  if (isSame) return;
  const isNew = broken.some((file) => !state.broken.includes(file));
  await session.save(isNew ? { ...NEW_REPOSITORY, broken } : { broken });
  if (isNew)
    session.note(
      `a stored file is damaged: sync reads everything that GitHub still has of ${name} since ${dayOf({ at: since })} again`,
    );
}

function openSession(options: SyncOptions): Session {
  const { rows, repository, ledger, meter, signal, wait } = options;
  const name = showRepository(repository);
  const ask = async <T>(
    resource: "core" | "graphql",
    request: () => Promise<T>,
  ): Promise<T> => {
    for (;;) {
      try {
        if (signal.aborted) throw new Stopped("interrupted");
        meter.before(resource);
        return await request();
      } catch (error) {
        const stop = asStopped(error);
        if (stop?.why !== "rate-limit") throw stop ?? error;
        if (!wait || stop.resetAt === undefined) throw stop;
        await wait(stop.resetAt);
        meter.observe({
          cost: 0,
          resource,
          remaining: undefined,
          resetAt: undefined,
        });
      }
    }
  };
  const stateOf = () => ledger.state.repositories[name] ?? NEW_REPOSITORY;
  return {
    ...options,
    name,
    get state() {
      return stateOf();
    },
    save: (change) =>
      ledger.save({ repository: name, state: { ...stateOf(), ...change } }),
    get: (path, query, etag) =>
      ask("core", () => rows.get(repository, path, query, etag)),
    graphql: (query, variables) =>
      ask("graphql", () => rows.graphql(query, variables)),
  };
}

function asStopped(error: unknown): Stopped | undefined {
  if (error instanceof Stopped) return error;
  if (error instanceof GitHubError && error.kind === "rate-limit")
    return new Stopped("rate-limit", error.data.resetAt);
  return undefined;
}
