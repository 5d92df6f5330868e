/** The query for a pull request's timeline. */
const TIMELINE = `
  pageInfo { hasNextPage endCursor }
  nodes {
    __typename
    ... on ReadyForReviewEvent { createdAt }
    ... on ConvertToDraftEvent { createdAt }
    ... on ClosedEvent { createdAt }
    ... on ReopenedEvent { createdAt }
    ... on AddedToMergeQueueEvent { createdAt }
    ... on RemovedFromMergeQueueEvent { createdAt reason }
    ... on HeadRefForcePushedEvent { createdAt afterCommit { oid } }
    ... on ReviewDismissedEvent { createdAt previousReviewState review { fullDatabaseId } }
    ... on PullRequestReview { fullDatabaseId submittedAt state author { __typename login } }
  }`;
const TYPES = `[READY_FOR_REVIEW_EVENT, CONVERT_TO_DRAFT_EVENT, CLOSED_EVENT, REOPENED_EVENT, ADDED_TO_MERGE_QUEUE_EVENT,
  REMOVED_FROM_MERGE_QUEUE_EVENT, HEAD_REF_FORCE_PUSHED_EVENT, REVIEW_DISMISSED_EVENT, PULL_REQUEST_REVIEW]`;
const FILES = `pageInfo { hasNextPage endCursor } nodes { path }`;

/**
 * The query for pull requests, the most recently changed first, each with its timeline, its reviews and its files. The
 * REST API would need three requests for each pull request.
 */
export const PULLS_QUERY = `query ($owner: String!, $name: String!, $first: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequests(first: $first, after: $after, orderBy: { field: UPDATED_AT, direction: DESC }) {
      pageInfo { hasNextPage endCursor }
      nodes {
        id number title body isDraft isCrossRepository createdAt updatedAt closedAt mergedAt
        baseRefName headRefName headRefOid
        author { __typename login }
        mergeCommit { oid messageHeadline parents(first: 1) { totalCount } }
        commits(last: 10) { nodes { commit { messageHeadline message parents(first: 1) { totalCount } } } }
        files(first: 100) { ${FILES} }
        timelineItems(first: 100, itemTypes: ${TYPES}) { ${TIMELINE} }
      }
    }
  }
}`;

/** The query for the rest of one pull request's timeline. */
export const TIMELINE_QUERY = `query ($id: ID!, $after: String) {
  node(id: $id) {
    ... on PullRequest { timelineItems(first: 100, after: $after, itemTypes: ${TYPES}) { ${TIMELINE} } }
  }
}`;

/** The query for the rest of one pull request's files. */
export const FILES_QUERY = `query ($id: ID!, $after: String) {
  node(id: $id) { ... on PullRequest { files(first: 100, after: $after) { ${FILES} } } }
}`;

/**
 * The query for the jobs of many runs at once: each run has its own check suite, and each job is a check in it. Numeric
 * ids are not queried, because GitHub's exceed the 32 bits that GraphQL has for them.
 */
export const JOBS_QUERY = `query ($ids: [ID!]!) {
  nodes(ids: $ids) {
    ... on CheckSuite {
      checkRuns(first: 100, filterBy: { checkType: ALL }) {
        pageInfo { hasNextPage }
        nodes { name status conclusion startedAt completedAt detailsUrl }
      }
    }
  }
}`;

/** The query for the statuses of deployments. */
export const DEPLOYMENTS_QUERY = `query ($ids: [ID!]!) {
  nodes(ids: $ids) {
    ... on Deployment { statuses(first: 30) { nodes { state createdAt } } }
  }
}`;

/** The query for releases, newest first, with the commits of their tags. */
export const RELEASES_QUERY = `query ($owner: String!, $name: String!, $first: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    releases(first: $first, after: $after, orderBy: { field: CREATED_AT, direction: DESC }) {
      pageInfo { hasNextPage endCursor }
      nodes { tagName isDraft createdAt publishedAt tagCommit { oid } }
    }
  }
}`;

/** The query for tags, those of the newest commits first. */
export const TAGS_QUERY = `query ($owner: String!, $name: String!, $first: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    refs(refPrefix: "refs/tags/", first: $first, after: $after, orderBy: { field: TAG_COMMIT_DATE, direction: DESC }) {
      pageInfo { hasNextPage endCursor }
      nodes {
        name
        target {
          oid
          ... on Commit { committedDate }
          ... on Tag { tagger { date } target { oid ... on Commit { committedDate } } }
        }
      }
    }
  }
}`;

/** The query for commits of the default branch, for one path or for all, newest first, each with its pull request. */
export const COMMITS_QUERY = `query ($owner: String!, $name: String!, $path: String, $since: GitTimestamp!, $first: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    defaultBranchRef {
      target {
        ... on Commit {
          history(first: $first, after: $after, since: $since, path: $path) {
            pageInfo { hasNextPage endCursor }
            nodes {
              oid committedDate messageHeadline message
              author { name }
              parents(first: 1) { totalCount }
              associatedPullRequests(first: 3) { nodes { number title mergedAt author { __typename login } } }
            }
          }
        }
      }
    }
  }
}`;
