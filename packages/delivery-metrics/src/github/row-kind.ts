import type { Row } from "./row.js";

/** The kinds of rows of the REST API. */
export type RowKind = (typeof ROW_KINDS)[number] | "unknown";

/** The known kinds of rows of the REST API. */
export const ROW_KINDS = [
  "pull",
  "review",
  "timeline",
  "commit",
  "run",
  "job",
  "activity",
  "release",
  "deployment",
  "deployment-status",
] as const;

/** Members that only rows of this kind have, the most distinctive kind first. */
const TELLING: readonly (readonly [
  kind: RowKind,
  members: readonly string[],
])[] = [
  ["review", ["submitted_at", "pull_request_url"]],
  ["pull", ["number", "merged_at", "head", "base"]],
  ["job", ["run_id", "started_at", "name"]],
  ["run", ["run_number", "workflow_id", "head_sha"]],
  ["activity", ["activity_type", "timestamp", "ref"]],
  ["release", ["tag_name", "published_at"]],
  ["deployment-status", ["deployment_url", "state"]],
  ["deployment", ["environment", "task", "sha"]],
  ["commit", ["sha", "commit", "parents"]],
  ["timeline", ["event"]],
];

/** Returns the kind of a row, which follows from its members. */
export function kindOfRow(row: Row): RowKind {
  return TELLING.find(([, members]) => row.has(...members))?.[0] ?? "unknown";
}
