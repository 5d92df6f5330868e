import { readActivity, Row } from "@skein/delivery-metrics";
import { GitHubError } from "@skein/github";
import type { Session } from "./session.js";
import { walkDown, type WalkedPage } from "./walk.js";

/**
 * Reads the pushes to branches, newest first. Pull requests don't contain the time at which a change first reached the
 * server.
 */
export async function syncActivity(session: Session): Promise<void> {
  const { since, now } = session;
  try {
    await walkDown(
      session.state.activity,
      since,
      (after) => readPage(session, after),
      (activity) => session.save({ activity }),
      (at) => session.show("pushes", (now - at) / (now - since)),
    );
  } catch (error) {
    if (!(error instanceof GitHubError) || !isRefused(error)) throw error;
    session.note(
      `${error.data.host} does not provide the repository's activity (${error.data.status ?? "no answer"}): lead times begin when pull requests are opened`,
    );
  }
}

/**
 * Returns whether the API is unavailable. Enterprise Servers before 3.10 don't have it, and a token may lack the
 * permission.
 */
function isRefused({ kind }: GitHubError): boolean {
  return kind === "not-found" || kind === "forbidden" || kind === "refused";
}

async function readPage(
  session: Session,
  after: string | undefined,
): Promise<WalkedPage> {
  const answer = await session.get("/activity", {
    per_page: 100,
    ...(after !== undefined && { after }),
  });
  if (answer.kind === "unchanged") return nothing;
  const rows = Row.all(answer.body);
  session.ledger.keep(
    rows.flatMap((row) => readActivity(session.name, row) ?? []),
  );
  const times = rows.flatMap((row) => row.time("timestamp") ?? []);
  const next = answer.next?.["after"];
  return {
    newest: times[0],
    oldest: times.at(-1),
    next: next === undefined ? undefined : String(next),
  };
}

const nothing: WalkedPage = {
  newest: undefined,
  oldest: undefined,
  next: undefined,
};
