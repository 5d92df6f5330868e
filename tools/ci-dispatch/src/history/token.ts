import { githubAccessOf, type Env } from "@skein/ci";

/**
 * Returns the environment in which git sends the workflow's token only to GitHub. The token never appears in an
 * argument, an address or a file.
 * @param env contains GITHUB_TOKEN and GITHUB_SERVER_URL in a workflow; without them, it is returned unchanged
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
    // The address in git's normal form: git sends the header only to addresses below this server.
    [`GIT_CONFIG_KEY_${count}`]: `http.${new URL(server).origin}/.extraheader`,
    [`GIT_CONFIG_VALUE_${count}`]: `AUTHORIZATION: basic ${basic}`,
  };
}
