import { expect, test } from "@jest/globals";
import { importRows } from "./import-rows.js";

const API = "https://api.github.com/repos/acme/old";
const rules = () => ({ publish: [], upgrades: [] });
const at = (minute: number) =>
  `2026-01-05T10:${String(minute).padStart(2, "0")}:00Z`;

const job = (attempt: number, name: string, conclusion: string) => ({
  row: {
    url: `${API}/actions/jobs/1`,
    run_id: 7,
    run_attempt: attempt,
    workflow_name: "CI",
    head_branch: "b1",
    head_sha: "a".repeat(40),
    name,
    conclusion,
    created_at: at(attempt),
    started_at: at(attempt + 1),
    completed_at: at(attempt + 5),
  },
  url: undefined,
});

test("jobs without their run make a run of each attempt, which starts with its first job", () => {
  const { events, notes } = importRows(
    [
      job(1, "lint", "success"),
      job(1, "test", "timed_out"),
      job(2, "test", "success"),
    ],
    "acme/old",
    rules,
  );
  expect(notes).toEqual(["1 runs are known only by their jobs"]);
  const started = events.filter(({ kind }) => kind === "run-started");
  expect(started).toMatchObject([
    { attempt: 1, at: Date.parse(at(1)), event: "unknown", branch: "b1" },
    { attempt: 2, at: Date.parse(at(2)), workflow: "CI" },
  ]);
  expect(events).toContainEqual(
    expect.objectContaining({ kind: "run-completed", conclusion: "failure" }),
  );
  expect(events).toContainEqual(
    expect.objectContaining({ kind: "run-completed", conclusion: "success" }),
  );
});

test("a row belongs to the pull request in its own address, in that of its list, or in its issue", () => {
  const pull = {
    url: `${API}/pulls/1`,
    number: 1,
    title: "Change",
    draft: true,
    user: { login: "bob", type: "User" },
    created_at: at(1),
    closed_at: null,
    merged_at: null,
    base: { ref: "main", repo: { full_name: "acme/old" } },
    head: {
      ref: "b1",
      sha: "a".repeat(40),
      repo: { full_name: "acme/old" },
    },
  };
  const review = {
    id: 1,
    user: { login: "ann", type: "User" },
    state: "APPROVED",
    submitted_at: at(2),
    pull_request_url: `${API}/pulls/1`,
  };
  const ready = { event: "ready_for_review", created_at: at(3) };
  const draft = { event: "convert_to_draft", created_at: at(4) };
  const { events, notes } = importRows(
    [
      { row: pull, url: undefined },
      { row: review, url: undefined },
      { row: ready, url: `${API}/issues/1/timeline` },
      { row: { ...draft, issue: { number: 1 } }, url: undefined },
      { row: ready, url: undefined },
    ],
    "acme/old",
    rules,
  );
  expect(notes).toEqual(["1 rows do not name their pull request"]);
  expect(events).toMatchObject([
    { kind: "pull-opened", pull: 1 },
    { kind: "pull-reviewed", review: 1 },
    { kind: "pull-ready", at: Date.parse(at(3)) },
    { kind: "pull-draft", at: Date.parse(at(4)) },
  ]);
});
