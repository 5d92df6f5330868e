import { createHash } from "node:crypto";

/**
 * Describes a user or a bot as GitHub does inside other resources.
 * @param login a bot's ends in `[bot]`
 */
export function describeUser(login: string) {
  const name = encodeURIComponent(login);
  const url = `https://api.github.com/users/${name}`;
  const id = createHash("sha256").update(login).digest().readUInt16BE();
  return {
    login,
    id,
    node_id: `U_${id}`,
    avatar_url: `https://avatars.githubusercontent.com/u/${id}?v=4`,
    gravatar_id: "",
    url,
    html_url: `https://github.com/${name}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: login.endsWith("[bot]") ? "Bot" : "User",
    site_admin: false,
  };
}
