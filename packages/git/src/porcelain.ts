import type { SimpleGit, SimpleGitOptions } from "simple-git";
import type { Git } from "./git.js";

/** Protocols that fetch without running a program of the URL's choice, as `ext::` does. */
const PROTOCOLS = "file:git:http:https:ssh";

/**
 * simple-git refuses an environment that could make git run something. Here it is the user's own, the one git itself
 * would be given: without it nobody's GIT_SSH_COMMAND, GIT_ASKPASS or credential helper would work. What comes from
 * others reaches git as arguments only, and those are ids and names of remotes.
 */
const OWN_ENVIRONMENT: NonNullable<SimpleGitOptions["unsafe"]> = {
  allowUnsafeAlias: true,
  allowUnsafeAskPass: true,
  allowUnsafeConfigEnvCount: true,
  allowUnsafeConfigPaths: true,
  allowUnsafeCredentialHelper: true,
  allowUnsafeDiffExternal: true,
  allowUnsafeDiffTextConv: true,
  allowUnsafeEditor: true,
  allowUnsafeExec: true,
  allowUnsafeFilter: true,
  allowUnsafeFsMonitor: true,
  allowUnsafeGitProxy: true,
  allowUnsafeGpgProgram: true,
  allowUnsafeHooksPath: true,
  allowUnsafeInclude: true,
  allowUnsafeMergeDriver: true,
  allowUnsafePack: true,
  allowUnsafePager: true,
  allowUnsafeSshCommand: true,
  allowUnsafeSubmodule: true,
  allowUnsafeTemplateDir: true,
  allowUnsafeUrlRewrite: true,
};

/** simple-git in the same folder and environment, loaded only when somebody talks to a remote. */
export async function openPorcelain(git: Git): Promise<SimpleGit> {
  const { simpleGit } = await import("simple-git");
  const env = { GIT_ALLOW_PROTOCOL: PROTOCOLS, ...git.env };
  return simpleGit({
    baseDir: git.cwd,
    allowEnvironment: Object.keys(env),
    unsafe: OWN_ENVIRONMENT,
    ...(git.signal && { abort: git.signal }),
  }).env(env);
}
