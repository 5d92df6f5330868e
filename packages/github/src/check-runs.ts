import type { Client } from "./client.js";
import type { RepositoryName } from "./repository-name.js";

/** A finished check of a commit, with annotations in its files. */
export interface CheckRun {
  readonly name: string;
  /** The full id of the commit. */
  readonly commit: string;
  readonly conclusion: "success" | "failure";
  readonly title: string;
  /** Markdown. */
  readonly summary: string;
  /** The page that the check's title links to; undefined for the check's own page. */
  readonly detailsUrl: string | undefined;
  readonly annotations: readonly Annotation[];
}

/** A message at a place in a file. */
export interface Annotation {
  /** The path from the top of the repository. */
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly level: "failure" | "warning" | "notice";
  readonly title: string;
  readonly message: string;
}

/** The maximum number of annotations per request. GitHub appends them to the existing ones. */
export const ANNOTATION_BATCH = 50;
/** The maximum length of a summary on GitHub, in characters. */
export const CHECK_SUMMARY_CAP = 65_535;

/**
 * Publishes a check, with its annotations in batches of 50. The check is completed only by the last batch. Until then its
 * status is "in progress", so that a part isn't mistaken for the whole.
 * @returns its id
 * @throws {GitHubError}
 */
export async function publishCheckRun(
  client: Client,
  { owner, name }: RepositoryName,
  check: CheckRun,
): Promise<number> {
  const [first = [], ...others] = batches(check.annotations);
  const { title, summary } = check;
  const finished = {
    status: "completed",
    conclusion: check.conclusion,
  } as const;
  const output = (annotations: readonly Annotation[]) => ({
    title,
    summary,
    annotations: annotations.map(describe),
  });
  const { id } = await client.ask((octokit) =>
    octokit.rest.checks.create({
      owner,
      repo: name,
      name: check.name,
      head_sha: check.commit,
      ...(check.detailsUrl !== undefined && { details_url: check.detailsUrl }),
      ...(others.length === 0 ? finished : { status: "in_progress" }),
      output: output(first),
    }),
  );
  for (const [index, batch] of others.entries()) {
    const isLast = index === others.length - 1;
    await client.ask((octokit) =>
      octokit.rest.checks.update({
        owner,
        repo: name,
        check_run_id: id,
        ...(isLast ? finished : { status: "in_progress" }),
        output: output(batch),
      }),
    );
  }
  return id;
}

function batches(
  all: readonly Annotation[],
): readonly (readonly Annotation[])[] {
  const count = Math.ceil(all.length / ANNOTATION_BATCH);
  return Array.from({ length: count }, (_, index) =>
    all.slice(index * ANNOTATION_BATCH, (index + 1) * ANNOTATION_BATCH),
  );
}

function describe({ path, line, level, title, message }: Annotation) {
  return {
    path,
    start_line: line,
    end_line: line,
    annotation_level: level,
    title,
    message,
  };
}
