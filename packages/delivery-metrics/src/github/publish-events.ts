import type {
  DeliveryEvent,
  Instant,
  PublishChannel,
  Published,
  RunCompleted,
  RunStarted,
} from "../events/event.js";
import { taggedPackages, type PublishRule } from "./publish-rule.js";
import type { Row } from "./row.js";

type Found = Pick<Published, "key" | "at"> &
  Partial<Pick<Published, "sha" | "environment" | "started" | "packages">>;

/** Reads a release, from either API. Drafts are skipped. */
export function readRelease(
  repository: string,
  row: Row,
  rules: readonly PublishRule[],
): readonly Published[] {
  const at = row.time("publishedAt") ?? row.time("published_at");
  const key = row.text("tagName") ?? row.text("tag_name");
  if (at === undefined || key === undefined) return [];
  if (row.flag("isDraft") || row.flag("draft")) return [];
  // The REST API returns the target of the tag: a branch, or a commit.
  const sha = row.row("tagCommit")?.sha("oid") ?? row.sha("target_commitish");
  return tagged(repository, "release", { key, at, sha: sha ?? null }, rules);
}

/**
 * Reads a tag of {@link TAGS_QUERY}. Git doesn't record when a tag was pushed. An annotated tag has its tagger's time,
 * any other tag that of its commit.
 */
export function readTag(
  repository: string,
  row: Row,
  rules: readonly PublishRule[],
): readonly Published[] {
  const key = row.text("name");
  const target = row.row("target");
  const commit = target?.row("target") ?? target;
  const at =
    target?.row("tagger")?.time("date") ?? commit?.time("committedDate");
  if (key === undefined || at === undefined) return [];
  const sha = commit?.sha("oid") ?? null;
  return tagged(repository, "tag", { key, at, sha }, rules);
}

/**
 * Reads a deployment of the REST API, with its statuses from either API. The time of publication is that of the first
 * success.
 */
export function readDeployment(
  repository: string,
  row: Row,
  statuses: readonly Row[],
  rules: readonly PublishRule[],
): readonly Published[] {
  const number = row.whole("id");
  const environment = row.text("environment");
  const times = statuses
    .filter((status) => status.text("state")?.toLowerCase() === "success")
    .flatMap(
      (status) => status.time("createdAt") ?? status.time("created_at") ?? [],
    );
  const wanted = rules.some(
    (rule) => rule.from === "deployment" && rule.environment === environment,
  );
  if (number === undefined || times.length === 0 || !wanted) return [];
  return [
    published(repository, "deployment", {
      key: String(number),
      at: Math.min(...times),
      sha: row.sha("sha") ?? null,
      environment: environment ?? null,
      started: row.time("created_at") ?? null,
    }),
  ];
}

/** Lists the publications by runs: the first attempt of a run that succeeded, or whose job did. */
export function publishedByRuns(
  events: readonly DeliveryEvent[],
  rulesOf: (repository: string) => readonly PublishRule[],
): readonly Published[] {
  const starts = new Map<string, RunStarted>();
  for (const event of events)
    if (event.kind === "run-started")
      starts.set(`${event.run} ${event.attempt}`, event);
  const first = new Map<string, Published>();
  for (const event of events) {
    if (event.kind !== "run-completed") continue;
    const start = starts.get(`${event.run} ${event.attempt}`);
    const file = start?.path?.split("/").at(-1);
    for (const rule of rulesOf(event.repository)) {
      if (!start || rule.from !== "workflow" || rule.workflow !== file)
        continue;
      const at = succeededAt(event, rule.job);
      if (at === undefined) continue;
      const key = String(event.run);
      const { sha, at: started } = start;
      const known = first.get(key);
      if (!known || at < known.at)
        first.set(
          key,
          published(event.repository, "workflow", { key, at, sha, started }),
        );
    }
  }
  return [...first.values()];
}

function succeededAt(
  run: RunCompleted,
  job: string | undefined,
): Instant | undefined {
  if (job === undefined)
    return run.conclusion === "success" ? run.at : undefined;
  const found = run.jobs.find(
    ({ name, conclusion }) => name === job && conclusion === "success",
  );
  return found?.completed ?? undefined;
}

function tagged(
  repository: string,
  channel: "release" | "tag",
  found: Found,
  rules: readonly PublishRule[],
): readonly Published[] {
  for (const rule of rules) {
    if (rule.from !== channel) continue;
    const packages = taggedPackages(rule, found.key);
    if (packages !== undefined)
      return [published(repository, channel, { ...found, packages })];
  }
  return [];
}

function published(
  repository: string,
  channel: PublishChannel,
  found: Found,
): Published {
  const { key, at, sha = null, environment = null } = found;
  const { started = null, packages = null } = found;
  return {
    kind: "published",
    at,
    repository,
    channel,
    key,
    sha,
    environment,
    started,
    packages,
    pulls: null,
  };
}
