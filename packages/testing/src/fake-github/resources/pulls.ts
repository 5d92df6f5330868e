import type { ApiRequest, Route } from "../http.js";
import { notFound, paged } from "../http.js";
import { diff, mergeBase } from "../git-store.js";
import type { FakePull, FakeRepository, State } from "../state.js";
import { describeFile } from "./files.js";
import { describeRepository, repositoryOf } from "./repositories.js";

/** The list of a pull request's files ends here, whatever the pull request holds. */
const FILES_CAP = 3000;

function pullOf(
  request: ApiRequest,
  state: State,
): { repository: FakeRepository; pull: FakePull } {
  const repository = repositoryOf(request, state);
  const pull = repository.pulls.find(
    ({ number }) => String(number) === request.params["pull_number"],
  );
  if (!pull) throw notFound();
  return { repository, pull };
}

async function filesOf({ dir }: FakeRepository, pull: FakePull) {
  const base = await mergeBase(dir, pull.baseSha, pull.headSha);
  return base === undefined ? [] : diff(dir, base, pull.headSha);
}

export const pulls: readonly Route[] = [
  {
    operation: "GET /repos/{owner}/{repo}/pulls/{pull_number}",
    permission: "pull_requests",
    async answer(request, state) {
      const { repository, pull } = pullOf(request, state);
      const described = describeRepository(repository, state);
      const headName = pull.headRepository?.toLowerCase() ?? "";
      const headRepository = state.repositories.get(headName);
      const files = await filesOf(repository, pull);
      const total = (field: "additions" | "deletions") =>
        files.reduce((sum, file) => sum + file[field], 0);
      return {
        status: 200,
        body: {
          number: pull.number,
          title: pull.title,
          state: "open",
          draft: false,
          merged: false,
          url: `${described.url}/pulls/${pull.number}`,
          html_url: `${described.html_url}/pull/${pull.number}`,
          base: {
            label: `${repository.owner}:${pull.baseRef}`,
            ref: pull.baseRef,
            sha: pull.baseSha,
            repo: described,
          },
          head: {
            label: `${(pull.headRepository ?? "unknown").split("/")[0] ?? ""}:${pull.headRef}`,
            ref: pull.headRef,
            sha: pull.headSha,
            repo: headRepository
              ? describeRepository(headRepository, state)
              : null,
          },
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
    async answer(request, state) {
      const { repository, pull } = pullOf(request, state);
      const files = await filesOf(repository, pull);
      const { items, headers } = paged(request, files, { cap: FILES_CAP });
      return {
        status: 200,
        headers,
        body: items.map((entry) =>
          describeFile(entry, repository, pull.headSha, state),
        ),
      };
    },
  },
];
