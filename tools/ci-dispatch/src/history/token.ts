import { githubAccessOf } from "@skein/ci";
import type { Env } from "@skein/ci";

/**
 * The environment in which git gives the workflow's token to GitHub, and to nobody else. It never stands in an argument,
 * an address or a file.
 * @param env holds GITHUB_TOKEN and GITHUB_SERVER_URL in a workflow; without them it comes back as it is
 */
export function withToken(env: Env): Env {
  const { token, server } = githubAccessOf(env);
  if (!token || !server || !URL.canParse(server)) return env;
  const count = Number(env["GIT_CONFIG_COUNT"] ?? 0);
  if (!Number.isInteger(count) || count < 0) return env;
  const basic = Buffer.from(`x-access-token:${token}`).toString("base64");
  return {
    ...env,
    GIT_CONFIG_COUNT: String(count + 1),
    // The address as git compares it: only what is below this server is sent the header.
    [`GIT_CONFIG_KEY_${count}`]: `http.${new URL(server).origin}/.extraheader`,
    [`GIT_CONFIG_VALUE_${count}`]: `AUTHORIZATION: basic ${basic}`,
  };
}
