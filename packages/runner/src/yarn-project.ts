import { access } from "node:fs/promises";
import { join, resolve } from "node:path";
import { findYarn, rcScalar } from "./find-yarn.js";
import type { YarnCommand } from "./find-yarn.js";
import { readRegularText } from "@skein/reporting";

/** The Node that runs us and will run the scripts. `process` fits. */
export interface NodeProcess {
  readonly execPath: string;
  /** With its `v`. */
  readonly version: string;
  readonly platform: string;
  readonly arch: string;
  /** Sends a signal; a negative id is a process group. Throws where nothing has that id. */
  kill(pid: number, signal: NodeJS.Signals | 0): unknown;
}

/** What running a project's scripts needs to know of it: read once per run. */
export interface YarnProject {
  /** Its root folder; absolute, links resolved. */
  readonly root: string;
  /** The environment we were given, without the access to a shared cache; every script's is built on it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly node: NodeProcess;
  readonly yarn: YarnCommand | undefined;
  readonly linker: "node-modules" | "pnp";
  /** Whether `.pnp.loader.mjs` is there. */
  readonly pnpLoader: boolean;
  /**
   * Why Yarn's environment cannot be given exactly, so that scripts must go through `yarn run`; undefined where it
   * can be given.
   */
  readonly needsYarn: string | undefined;
}

export interface OpenYarnProjectOptions {
  /** The project's root; absolute. */
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly node: NodeProcess;
}

/**
 * Reads what running the scripts of a project needs: which Yarn, which linker, and whether something only Yarn
 * knows (a plugin's hook, injected environment files) takes part in a script's environment.
 */
export async function openYarnProject({
  root,
  env: given,
  node,
}: OpenYarnProjectOptions): Promise<YarnProject> {
  const env = withoutCacheAccess(given);
  const [rc, manifest, pnp, pnpLoader] = await Promise.all([
    readRegularText(join(root, ".yarnrc.yml")).catch(() => ""),
    readRegularText(join(root, "package.json")),
    exists(join(root, ".pnp.cjs")),
    exists(join(root, ".pnp.loader.mjs")),
  ]);
  const { packageManager } = JSON.parse(manifest) as Record<string, unknown>;
  const linker = env["YARN_NODE_LINKER"] ?? rcScalar(rc, "nodeLinker");
  const [yarn, needsYarn] = await Promise.all([
    findYarn({
      root,
      env,
      execPath: node.execPath,
      rc,
      packageManager:
        typeof packageManager === "string" ? packageManager : undefined,
    }),
    whyYarn(root, rc, env),
  ]);
  return {
    root,
    env,
    node,
    yarn,
    // An install removes .pnp.cjs when another linker is chosen, so the file itself tells where the setting does not.
    linker: pnp && (linker ?? "pnp") === "pnp" ? "pnp" : "node-modules",
    pnpLoader,
    needsYarn,
  };
}

/** Variables with which results can be read and written for others. No script gets them. */
const CACHE_ACCESS = /^SKEIN_CACHE_(?!(?:DIR|SIZE)$)/i;

function withoutCacheAccess(env: YarnProject["env"]): YarnProject["env"] {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !CACHE_ACCESS.test(name)),
  );
}

async function whyYarn(
  root: string,
  rc: string,
  env: YarnProject["env"],
): Promise<string | undefined> {
  if (
    /^injectEnvironmentFiles:/m.test(rc) ||
    env["YARN_INJECT_ENVIRONMENT_FILES"] !== undefined ||
    (await exists(join(root, ".env.yarn")))
  )
    return "Yarn injects environment files into its scripts";
  if (
    rcScalar(rc, "nodeExperimentalPackageMap") === "true" ||
    env["YARN_NODE_EXPERIMENTAL_PACKAGE_MAP"] !== undefined
  )
    return "Yarn gives Node a package map";
  if (env["YARN_PLUGINS"] !== undefined)
    return "YARN_PLUGINS adds plugins that may change a script's environment";
  for (const path of pluginPaths(rc)) {
    const text = await readRegularText(resolve(root, path)).catch(() => "");
    if (text === "" || /setupScriptEnvironment|wrapScriptExecution/.test(text))
      return `the Yarn plugin ${path} may change a script's environment`;
  }
  return undefined;
}

/**
 * Files named in the `plugins` section, which lists them as `- path` or `path: …`. The `spec` beside a path says where
 * the file came from.
 */
function pluginPaths(rc: string): readonly string[] {
  const section = /^plugins:.*\n((?:[ \t-].*\n?|\n|#.*\n?)*)/m.exec(rc)?.[0];
  return (
    section
      ?.replace(/\bspec:\s*("[^"]*"|'[^']*'|[^\s,}]*)/g, "")
      .match(/[^\s"'[\],]+\.[cm]?js(?=["'\],\s]|$)/g) ?? []
  );
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
