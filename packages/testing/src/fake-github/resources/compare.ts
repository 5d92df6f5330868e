import { ApiError, notFound, paged, type Route } from "../http.js";
import {
  aheadBehind,
  commitsBetween,
  diff,
  mergeBase,
  readCommit,
  resolveCommit,
} from "../git-store.js";
import { describeCommit } from "./commits.js";
import { describeFile } from "./files.js";

/** The maximum number of files of a comparison. All of them are on its first page; pages contain commits. */
const FILES_CAP = 300;

function relation(ahead: number, behind: number): string {
  if (ahead > 0) return behind > 0 ? "diverged" : "ahead";
  return behind > 0 ? "behind" : "identical";
}

/** Comparisons of two commits. */
export const compare: readonly Route[] = [
  {
    operation: "GET /repos/{owner}/{repo}/compare/{basehead}",
    permission: "contents",
    async answer(request) {
      const { repository } = request;
      const { dir } = repository;
      const basehead = request.params["basehead"] ?? "";
      const [baseName = "", headName = ""] = basehead.split("...");
      const [base, head] = await Promise.all([
        resolveCommit(dir, baseName),
        resolveCommit(dir, headName),
      ]);
      if (base === undefined || head === undefined) throw notFound();
      const common = await mergeBase(dir, base, head);
      if (common === undefined)
        throw new ApiError(
          404,
          `No common ancestor between ${baseName} and ${headName}.`,
        );
      const [{ ahead, behind }, files] = await Promise.all([
        aheadBehind(dir, base, head),
        diff(dir, common, head),
      ]);
      const describe = async (id: string) => {
        const commit = await readCommit(dir, id);
        if (!commit) throw new Error(`git lists ${id}, but can't read it`);
        return describeCommit(id, commit, repository);
      };
      const commits = paged(request, await commitsBetween(dir, base, head));
      const page = `${repository.page}/compare/${basehead}`;
      const first = Number(request.query.get("page") ?? 1) === 1;
      return {
        headers: commits.headers,
        body: {
          url: `${repository.url}/compare/${basehead}`,
          html_url: page,
          permalink_url: page,
          diff_url: `${page}.diff`,
          patch_url: `${page}.patch`,
          status: relation(ahead, behind),
          ahead_by: ahead,
          behind_by: behind,
          total_commits: ahead,
          base_commit: await describe(base),
          merge_base_commit: await describe(common),
          commits: await Promise.all(commits.items.map(describe)),
          ...(first && {
            files: files
              .slice(0, FILES_CAP)
              .map((entry) => describeFile(entry, repository, head)),
          }),
        },
      };
    },
  },
];
