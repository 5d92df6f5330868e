import { notFound, paged, type ApiRequest, type Route } from "../http.js";
import { aheadBehind, diff, mergeBase } from "../git-store.js";
import type { FakePull, FakeRepository } from "../state.js";
import { describeFile } from "./files.js";
import { describeRepository } from "./repositories.js";
import { describeUser } from "./users.js";

/** The maximum number of files that the list of a pull request has. */
const FILES_CAP = 3000;

function pullOf({ repository, params }: ApiRequest): FakePull {
  const pull = repository.pulls.find(
    ({ number }) => String(number) === params["pull_number"],
  );
  if (!pull) throw notFound();
  return pull;
}

async function filesOf({ dir }: FakeRepository, pull: FakePull) {
  const base = await mergeBase(dir, pull.baseSha, pull.headSha);
  return base === undefined ? [] : diff(dir, base, pull.headSha);
}

/** A fixed time, until pull requests have their own. */
const OPENED = "2026-01-01T00:00:00Z";

/** Describes a pull request as in lists. */
function describePull(pull: FakePull, { repository, state }: ApiRequest) {
  const { number } = pull;
  const described = describeRepository(repository);
  const url = `${described.url}/pulls/${number}`;
  const issue = `${described.url}/issues/${number}`;
  const page = `${described.html_url}/pull/${number}`;
  const headOwner = pull.headRepository?.split("/")[0];
  const head = state.repositories.get(pull.headRepository?.toLowerCase() ?? "");
  const links = {
    self: url,
    html: page,
    issue,
    comments: `${issue}/comments`,
    review_comments: `${url}/comments`,
    review_comment: `${described.url}/pulls/comments{/number}`,
    commits: `${url}/commits`,
    statuses: `${described.url}/statuses/${pull.headSha}`,
  };
  return {
    id: repository.id * 1_000 + number,
    node_id: `PR_${number}`,
    number,
    title: pull.title,
    body: null,
    state: pull.state,
    draft: false,
    locked: false,
    user: describeUser(pull.author),
    author_association: "CONTRIBUTOR",
    assignee: null,
    labels: [],
    milestone: null,
    auto_merge: null,
    created_at: OPENED,
    updated_at: OPENED,
    closed_at: null,
    merged_at: pull.mergedAs === undefined ? null : OPENED,
    merge_commit_sha: pull.mergedAs ?? null,
    url,
    html_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    issue_url: links.issue,
    comments_url: links.comments,
    commits_url: links.commits,
    review_comments_url: links.review_comments,
    review_comment_url: links.review_comment,
    statuses_url: links.statuses,
    _links: Object.fromEntries(
      Object.entries(links).map(([name, href]) => [name, { href }]),
    ),
    base: {
      label: `${repository.owner}:${pull.baseRef}`,
      ref: pull.baseRef,
      sha: pull.baseSha,
      repo: described,
      user: describeUser(repository.owner),
    },
    head: {
      label: `${headOwner ?? "unknown"}:${pull.headRef}`,
      ref: pull.headRef,
      sha: pull.headSha,
      repo: head ? describeRepository(head) : null,
      user: headOwner === undefined ? null : describeUser(headOwner),
    },
  };
}

/** Pull requests: lists, those of a commit, one of them, and its files. */
export const pulls: readonly Route[] = [
  {
    operation: "GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls",
    permission: "pull_requests",
    answer(request) {
      const { repository } = request;
      const commit = request.params["commit_sha"];
      const found = repository.pulls.filter(
        ({ headSha, mergedAs }) => headSha === commit || mergedAs === commit,
      );
      return {
        body: found.map((pull) => describePull(pull, request)),
      };
    },
  },
  {
    operation: "GET /repos/{owner}/{repo}/pulls",
    permission: "pull_requests",
    answer(request) {
      const { repository } = request;
      const wanted = request.query.get("state") ?? "open";
      const head = request.query.get("head");
      const listed = repository.pulls
        .filter((pull) => wanted === "all" || pull.state === wanted)
        .filter(({ headRepository, headRef }) => {
          const owner = headRepository?.split("/")[0] ?? "unknown";
          return head === null || head === `${owner}:${headRef}`;
        })
        .sort((a, b) => a.number - b.number);
      if (request.query.get("direction") !== "asc") listed.reverse();
      const { items, headers } = paged(request, listed);
      return {
        headers,
        body: items.map((pull) => describePull(pull, request)),
      };
    },
  },
  {
    operation: "GET /repos/{owner}/{repo}/pulls/{pull_number}",
    permission: "pull_requests",
    async answer(request) {
      const { repository } = request;
      const pull = pullOf(request);
      const files = await filesOf(repository, pull);
      const total = (field: "additions" | "deletions") =>
        files.reduce((sum, file) => sum + file[field], 0);
      const { ahead } = await aheadBehind(
        repository.dir,
        pull.baseSha,
        pull.headSha,
      );
      return {
        body: {
          ...describePull(pull, request),
          merged: false,
          merged_by: null,
          mergeable: true,
          mergeable_state: "clean",
          maintainer_can_modify: false,
          comments: 0,
          review_comments: 0,
          commits: ahead,
          additions: total("additions"),
          deletions: total("deletions"),
          changed_files: pull.changedFiles ?? files.length,
        },
      };
    },
  },
  {
    operation: "GET /repos/{owner}/{repo}/pulls/{pull_number}/files",
    permission: "pull_requests",
    async answer(request) {
      const { repository } = request;
      const pull = pullOf(request);
      const files = await filesOf(repository, pull);
      const { items, headers } = paged(request, files, { cap: FILES_CAP });
      return {
        headers,
        body: items.map((entry) =>
          describeFile(entry, repository, pull.headSha),
        ),
      };
    },
  },
];
