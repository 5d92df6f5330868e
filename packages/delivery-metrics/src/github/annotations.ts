import type { EventOf } from "../events/event.js";
import { migrationOf } from "./migration.js";
import type { Row } from "./row.js";

/** A commit of the default branch that changed something that readers look for in a chart. */
interface Change {
  readonly at: number;
  readonly key: string;
  readonly title: string;
}

/**
 * Finds changes of the configuration and returns an annotation for each pull request, or for each commit without one.
 * It skips changes by programs, which upgrade actions every week. Pure.
 * @param byPath the commits of {@link COMMITS_QUERY} that change a path
 */
export function configurationEvents(
  repository: string,
  byPath: ReadonlyMap<string, readonly Row[]>,
): readonly EventOf<"annotated">[] {
  const found = new Map<string, { change: Change; paths: Set<string> }>();
  for (const [path, commits] of byPath)
    for (const commit of commits) {
      const change = readChange(commit);
      if (!change) continue;
      const known = found.get(change.key) ?? { change, paths: new Set() };
      known.paths.add(path);
      found.set(change.key, known);
    }
  return [...found.values()].map(({ change: { at, key, title }, paths }) => ({
    kind: "annotated",
    at,
    repository,
    what: "configuration",
    key,
    text: `${title} (${[...paths].sort().join(", ")})`,
  }));
}

/**
 * Returns the migrations by commits without a pull request. Migrations by a pull request are in its own events. Pure.
 */
export function migrationEvents(
  repository: string,
  commits: readonly Row[],
): readonly EventOf<"annotated">[] {
  return commits.flatMap((commit): EventOf<"annotated">[] => {
    const text = migrationOf(commit);
    const change = readChange(commit);
    if (text === undefined || !change || change.key.startsWith("#")) return [];
    const { at, key } = change;
    return [
      { kind: "annotated", at, repository, what: "migration", key, text },
    ];
  });
}

/** @returns undefined if the row is incomplete, or the author is a program */
function readChange(commit: Row): Change | undefined {
  const sha = commit.sha("oid");
  const committed = commit.time("committedDate");
  if (sha === undefined || committed === undefined) return undefined;
  const pull = commit
    .row("associatedPullRequests")
    ?.rows("nodes")
    .find((each) => each.time("mergedAt") !== undefined);
  const merged = pull?.time("mergedAt");
  const number = pull?.whole("number");
  const headline = commit.text("messageHeadline") ?? sha;
  if (merged === undefined || number === undefined)
    return isProgram(commit.row("author")?.text("name"))
      ? undefined
      : { at: committed, key: sha, title: headline };
  const author = pull?.row("author");
  if (author?.text("__typename") === "Bot" || isProgram(author?.text("login")))
    return undefined;
  const title = pull?.text("title") ?? headline;
  return { at: merged, ...pullKeyed(number, title) };
}

/** Returns the label of a pull request in a chart: `Raise the target (#12)`. */
export function pullKeyed(
  pull: number,
  title: string,
): Pick<Change, "key" | "title"> {
  const key = `#${pull}`;
  return {
    key,
    title: title.includes(`(${key})`) ? title : `${title} (${key})`,
  };
}

function isProgram(name: string | undefined): boolean {
  return name?.endsWith("[bot]") ?? false;
}
