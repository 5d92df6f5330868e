import type { Route } from "../http.js";
import type { FakeRepository } from "../state.js";
import { describeUser } from "./users.js";

/** URLs below a repository's own, as GitHub lists them. Those with braces are templates. */
const LINKS = {
  archive_url: "/{archive_format}{/ref}",
  assignees_url: "/assignees{/user}",
  blobs_url: "/git/blobs{/sha}",
  branches_url: "/branches{/branch}",
  collaborators_url: "/collaborators{/collaborator}",
  comments_url: "/comments{/number}",
  commits_url: "/commits{/sha}",
  compare_url: "/compare/{base}...{head}",
  contents_url: "/contents/{+path}",
  contributors_url: "/contributors",
  deployments_url: "/deployments",
  downloads_url: "/downloads",
  events_url: "/events",
  forks_url: "/forks",
  git_commits_url: "/git/commits{/sha}",
  git_refs_url: "/git/refs{/sha}",
  git_tags_url: "/git/tags{/sha}",
  hooks_url: "/hooks",
  issue_comment_url: "/issues/comments{/number}",
  issue_events_url: "/issues/events{/number}",
  issues_url: "/issues{/number}",
  keys_url: "/keys{/key_id}",
  labels_url: "/labels{/name}",
  languages_url: "/languages",
  merges_url: "/merges",
  milestones_url: "/milestones{/number}",
  notifications_url: "/notifications{?since,all,participating}",
  pulls_url: "/pulls{/number}",
  releases_url: "/releases{/id}",
  stargazers_url: "/stargazers",
  statuses_url: "/statuses/{sha}",
  subscribers_url: "/subscribers",
  subscription_url: "/subscription",
  tags_url: "/tags",
  teams_url: "/teams",
  trees_url: "/git/trees{/sha}",
} as const;

/** The time at which every repository of the fake was created and last changed. */
const MADE = "2026-01-01T00:00:00Z";

/** A cache of descriptions. Lists contain the same description hundreds of times, and it doesn't change. */
const described = new WeakMap<FakeRepository, ReturnType<typeof describe>>();

/** Describes a repository as GitHub does, on its own and inside other resources. */
export function describeRepository(repository: FakeRepository) {
  const known = described.get(repository) ?? describe(repository);
  described.set(repository, known);
  return known;
}

function describe(repository: FakeRepository) {
  const { id, name, fullName, owner, url, page } = repository;
  const links = Object.entries(LINKS).map(([key, path]) => [key, url + path]);
  return {
    ...(Object.fromEntries(links) as Record<keyof typeof LINKS, string>),
    id,
    node_id: `R_${id}`,
    name,
    full_name: fullName,
    private: repository.private,
    visibility: repository.private ? "private" : "public",
    owner: describeUser(owner),
    fork: repository.fork,
    description: null,
    homepage: null,
    language: null,
    license: null,
    mirror_url: null,
    default_branch: repository.defaultBranch,
    url,
    html_url: page,
    clone_url: `${page}.git`,
    svn_url: page,
    git_url: `git://github.com/${fullName}.git`,
    ssh_url: `git@github.com:${fullName}.git`,
    archived: false,
    disabled: false,
    has_issues: true,
    has_projects: false,
    has_wiki: false,
    has_pages: false,
    has_discussions: false,
    has_downloads: false,
    size: 1,
    forks: 0,
    forks_count: 0,
    network_count: 0,
    open_issues: 0,
    open_issues_count: 0,
    stargazers_count: 0,
    subscribers_count: 0,
    watchers: 0,
    watchers_count: 0,
    created_at: MADE,
    pushed_at: MADE,
    updated_at: MADE,
  };
}

/** Repositories. */
export const repositories: readonly Route[] = [
  {
    operation: "GET /repos/{owner}/{repo}",
    permission: "metadata",
    answer: (request) => ({
      body: describeRepository(request.repository),
    }),
  },
];
