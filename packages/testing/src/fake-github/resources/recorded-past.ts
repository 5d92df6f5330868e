import { iso } from "../delivery.js";
import { paged, type Route } from "../http.js";
import { describeUser } from "./users.js";

const NONE = "0".repeat(40);

/** Lists of a repository's past pushes and deployments. */
export const recordedPast: readonly Route[] = [
  {
    operation: "GET /repos/{owner}/{repo}/activity",
    permission: "contents",
    answer(request) {
      const { pushes, clock } = request.repository.delivery;
      const size = Number(request.query.get("per_page") ?? 30);
      const after = request.query.get("after");
      const all = pushes
        .map((push, index) => ({ ...push, id: index + 1 }))
        .filter(({ at }) => at <= clock)
        .sort((a, b) => b.at - a.at || b.id - a.id);
      // A cursor contains the id of the last item of a page, so that new items don't shift the pages.
      const from =
        after === null ? 0 : all.findIndex(({ id }) => `c${id}` === after) + 1;
      const page = all.slice(from, from + size);
      const last = page.at(-1);
      const next = new URL(request.url);
      next.searchParams.set("after", `c${last?.id ?? 0}`);
      const isLast = from + size >= all.length;
      return {
        headers: isLast ? {} : { link: `<${next.href}>; rel="next"` },
        body: page.map(({ id, at, ref, after: sha, type }) => ({
          id,
          node_id: `PSH_${id}`,
          before: NONE,
          after: sha,
          ref,
          timestamp: iso(at),
          activity_type: type,
          actor: describeUser("octocat"),
        })),
      };
    },
  },
  {
    operation: "GET /repos/{owner}/{repo}/deployments",
    permission: "deployments",
    answer(request) {
      const { repository } = request;
      const { deployments, clock } = repository.delivery;
      const wanted = request.query.get("environment");
      const all = deployments
        .filter(({ at }) => at <= clock)
        .filter(({ environment }) => wanted === null || environment === wanted)
        .sort((a, b) => b.at - a.at);
      const { items, headers } = paged(request, all);
      const url = `https://api.github.com/repos/${repository.fullName}`;
      return {
        headers,
        body: items.map(({ id, environment, sha, at }) => ({
          id,
          node_id: `DE_${id}`,
          sha,
          ref: "main",
          task: "deploy",
          environment,
          creator: describeUser("octocat"),
          payload: {},
          description: null,
          url: `${url}/deployments/${id}`,
          statuses_url: `${url}/deployments/${id}/statuses`,
          repository_url: url,
          created_at: iso(at),
          updated_at: iso(at),
        })),
      };
    },
  },
];
