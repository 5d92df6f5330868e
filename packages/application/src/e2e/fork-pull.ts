/**
 * Returns the event of a pull request from a fork, which updates the branch `change`. For a fork, nothing is published,
 * and the verdict doesn't wait for that anyway.
 */
export function forkPull(base: string, head: string) {
  return {
    repository: { full_name: "octo/shop", default_branch: "main" },
    pull_request: {
      number: 7,
      base: { ref: "main", sha: base },
      head: { ref: "change", sha: head, repo: { full_name: "fork/shop" } },
    },
  };
}
