import { ApiError, type Route } from "../http.js";
import { describeUser } from "./users.js";

/** The maximum length of a description that GitHub accepts. */
const LONGEST = 140;

interface StatusBody {
  readonly state: string;
  readonly context?: string;
  readonly description?: string | null;
  readonly target_url?: string | null;
}

/** Commit statuses. */
export const statuses: readonly Route[] = [
  {
    operation: "POST /repos/{owner}/{repo}/statuses/{sha}",
    permission: "statuses",
    answer(request) {
      const { repository } = request;
      const { sha = "" } = request.params;
      const { context = "default", ...body } = request.body as StatusBody;
      const { description = null, target_url: targetUrl = null } = body;
      if (!/^[0-9a-f]{40}$/.test(sha) || (description?.length ?? 0) > LONGEST)
        throw new ApiError(422, "Validation Failed");
      const status = {
        sha,
        state: body.state,
        context,
        description,
        targetUrl,
      };
      repository.statuses.push(status);
      const id = repository.statuses.length;
      return {
        status: 201,
        body: {
          url: `${repository.url}/statuses/${sha}`,
          avatar_url: null,
          id,
          node_id: `SC_${id}`,
          state: body.state,
          description,
          target_url: targetUrl,
          context,
          created_at: "2026-01-01T00:00:00Z",
          updated_at: "2026-01-01T00:00:00Z",
          creator: describeUser("github-actions[bot]"),
        },
      };
    },
  },
];
