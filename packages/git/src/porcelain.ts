import type { SimpleGit, SimpleGitOptions } from "simple-git";
import type { Git } from "./git.js";

/** Protocols that don't run a program named in the URL, as `ext::` does. */
const PROTOCOLS = "file:git:http:https:ssh";

/**
 * simple-git refuses environments that could make git run a program. This environment is the user's own, which git
 * would get anyway: without it, GIT_SSH_COMMAND, GIT_ASKPASS and credential helpers would not work. Untrusted input
 * reaches git only as arguments that are ids or names of remotes.
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

/** Opens simple-git in the same folder and environment. The module is loaded only when a remote is needed. */
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
