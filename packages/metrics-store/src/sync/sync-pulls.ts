import {
  FILES_QUERY,
  nextPage,
  pullEvents,
  PULLS_QUERY,
  readFiles,
  readGraphqlPull,
  readTimeline,
  Row,
  TIMELINE_QUERY,
} from "@skein/delivery-metrics";
import type { DeliveryEvent, ReadPull } from "@skein/delivery-metrics";
import { GitHubError } from "@skein/github";
import { inBatches } from "./batches.js";
import type { Session } from "./session.js";
import { walkDown, type WalkedPage } from "./walk.js";

/** The number of pull requests in one query. GitHub fails for larger queries if timelines are long. */
const PAGE = 25;

/** Reads pull requests, the most recently changed first, with their timelines, reviews and files. */
export async function syncPulls(session: Session): Promise<void> {
  const { since, now } = session;
  await walkDown(
    session.state.pulls,
    since,
    (after) => readPage(session, after),
    (pulls) => session.save({ pulls }),
    (at) => session.show("pull requests", (now - at) / (now - since)),
  );
}

async function readPage(
  session: Session,
  after: string | undefined,
): Promise<WalkedPage> {
  const { owner, name } = session.repository;
  const connection = await inBatches(PAGE, async (first) => {
    const data = Row.of(
      await session.graphql(PULLS_QUERY, { owner, name, first, after }),
    );
    const repository = data?.row("repository");
    if (!repository) throw notThere();
    return repository.row("pullRequests");
  });
  const pulls = (connection?.rows("nodes") ?? []).flatMap(
    (node) => readGraphqlPull(node) ?? [],
  );
  for (const pull of pulls) session.ledger.keep(await eventsOf(session, pull));
  return {
    newest: pulls[0]?.updated,
    oldest: pulls.at(-1)?.updated,
    next: nextPage(connection),
  };
}

/**
 * Returns a not-found error. GraphQL has no status: an object is null if it doesn't exist or this token cannot see it.
 */
function notThere(): GitHubError {
  return new GitHubError({
    kind: "not-found",
    status: 404,
    request: "POST /graphql",
    host: "GitHub",
  });
}

async function eventsOf(
  session: Session,
  pull: ReadPull,
): Promise<readonly DeliveryEvent[]> {
  const { name: repository, attribute, rules } = session;
  const timeline = await rest(session, pull, TIMELINE_QUERY, "timelineItems");
  const files = attribute
    ? await rest(session, pull, FILES_QUERY, "files")
    : [];
  const facts = {
    ...pull.facts,
    timeline: [...pull.facts.timeline, ...timeline.flatMap(readTimeline)],
  };
  const events = pullEvents(repository, facts, rules.upgrades);
  if (!attribute) return events;
  const all = [...pull.files, ...files.flatMap(readFiles)];
  const { pull: number, created: at } = facts;
  return [
    ...events,
    {
      kind: "pull-attributed",
      at,
      repository,
      pull: number,
      ...attribute(all),
    },
  ];
}

/** Returns the pages of a pull request's list that the first query did not contain. */
async function rest(
  session: Session,
  pull: ReadPull,
  query: string,
  list: "timelineItems" | "files",
): Promise<readonly Row[]> {
  const pages: Row[] = [];
  let after = list === "files" ? pull.moreFiles : pull.moreTimeline;
  while (after !== undefined) {
    const data = Row.of(await session.graphql(query, { id: pull.id, after }));
    const page = data?.row("node")?.row(list);
    if (page) pages.push(page);
    after = nextPage(page);
  }
  return pages;
}
