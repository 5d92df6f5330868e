import {
  COMMITS_QUERY,
  configurationEvents,
  migrationEvents,
  nextPage,
  Row,
} from "@skein/delivery-metrics";
import { inBatches } from "./batches.js";
import type { Session } from "./session.js";

/** The overlap with the time that was read before. A commit may be older than the merge that contains it. */
const LOOK_AGAIN_MS = 14 * 86_400_000;
/** The size of a page. Each commit includes its pull request, which is too much for GitHub in some repositories. */
const PAGE = 100;

/**
 * Reads annotations: changes of the configuration, and migrations that were pushed without a pull request. Other
 * migrations are read with their pull requests.
 */
export async function syncAnnotations(session: Session): Promise<void> {
  const { ledger, name, configuration, since, now, state } = session;
  const covered = state.annotated;
  const isNew = covered === null || since < covered.from;
  const from = isNew ? since : Math.max(since, covered.to - LOOK_AGAIN_MS);
  const byPath = new Map<string, readonly Row[]>();
  for (const path of configuration)
    byPath.set(path, await readCommits(session, path, from));
  ledger.keep([
    ...configurationEvents(name, byPath),
    ...migrationEvents(name, await readCommits(session, undefined, from)),
  ]);
  await session.save({
    annotated: { from: isNew ? since : covered.from, to: now },
  });
  session.show("configuration", 1);
}

/** Returns commits of the default branch: all for a path, and the newest hundred without a path. */
async function readCommits(
  session: Session,
  path: string | undefined,
  from: number,
): Promise<readonly Row[]> {
  const { owner, name } = session.repository;
  const since = new Date(from).toISOString();
  const commits: Row[] = [];
  let after: string | undefined;
  do {
    const of = { owner, name, path, since, after };
    const data = await inBatches(PAGE, async (first) =>
      Row.of(await session.graphql(COMMITS_QUERY, { ...of, first })),
    );
    const history = data
      ?.row("repository")
      ?.row("defaultBranchRef")
      ?.row("target")
      ?.row("history");
    commits.push(...(history?.rows("nodes") ?? []));
    after = path === undefined ? undefined : nextPage(history);
  } while (after !== undefined);
  return commits;
}
