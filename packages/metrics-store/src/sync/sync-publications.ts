import {
  DEPLOYMENTS_QUERY,
  nextPage,
  readDeployment,
  readRelease,
  readTag,
  RELEASES_QUERY,
  Row,
  TAGS_QUERY,
} from "@skein/delivery-metrics";
import { inHalves } from "./batches.js";
import type { Session } from "./session.js";

/**
 * The overlap with the time that was read before. A draft is released later than it was created, and a deployment takes
 * a while.
 */
const LOOK_AGAIN_MS = 14 * 86_400_000;
const PAGE = 50;

/** Reads the publications that the settings define. Publications by workflows are read with the runs. */
export async function syncPublications(session: Session): Promise<void> {
  const { since, now, rules, state } = session;
  const { publish } = rules;
  const covered = state.published;
  const stop =
    covered === null || since < covered.from
      ? since
      : Math.max(since, covered.to - LOOK_AGAIN_MS);
  const has = (from: string) => publish.some((rule) => rule.from === from);
  if (has("release"))
    await readList(session, RELEASES_QUERY, "releases", stop, (row) => {
      session.ledger.keep(readRelease(session.name, row, publish));
      return row.time("createdAt");
    });
  if (has("tag"))
    await readList(session, TAGS_QUERY, "refs", stop, (row) => {
      const found = readTag(session.name, row, publish);
      session.ledger.keep(found);
      return found[0]?.at;
    });
  for (const rule of publish)
    if (rule.from === "deployment")
      await readDeployments(session, rule.environment, stop);
  const from = covered === null ? since : Math.min(since, covered.from);
  await session.save({ published: { from, to: now } });
  session.show("publications", 1);
}

/** Reads a list of the GraphQL API until a whole page is older than the stop. */
async function readList(
  session: Session,
  query: string,
  list: "releases" | "refs",
  stop: number,
  take: (row: Row) => number | undefined,
): Promise<void> {
  const { owner, name } = session.repository;
  let after: string | undefined;
  do {
    const variables = { owner, name, first: PAGE, after };
    const data = Row.of(await session.graphql(query, variables));
    const connection = data?.row("repository")?.row(list);
    const times = (connection?.rows("nodes") ?? []).map(take);
    const isOld = times.every((at) => at !== undefined && at < stop);
    after = isOld ? undefined : nextPage(connection);
  } while (after !== undefined);
}

async function readDeployments(
  session: Session,
  environment: string,
  stop: number,
): Promise<void> {
  for (let page = 1; ; page++) {
    const answer = await session.get("/deployments", {
      environment,
      per_page: 100,
      page,
    });
    if (answer.kind === "unchanged") return;
    const rows = Row.all(answer.body).filter(
      (row) => (row.time("created_at") ?? 0) >= stop,
    );
    if (rows.length === 0) return;
    const statuses = await inHalves(rows, async (part) => {
      const ids = part.map((row) => row.text("node_id"));
      const data = Row.of(await session.graphql(DEPLOYMENTS_QUERY, { ids }));
      const nodes = data?.get("nodes");
      return part.map((_, index) => {
        const node = Row.of(Array.isArray(nodes) ? nodes[index] : undefined);
        return node?.row("statuses")?.rows("nodes") ?? [];
      });
    });
    for (const [index, row] of rows.entries())
      session.ledger.keep(
        readDeployment(
          session.name,
          row,
          statuses[index] ?? [],
          session.rules.publish,
        ),
      );
    if (!answer.next) return;
  }
}
