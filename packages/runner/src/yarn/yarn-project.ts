import { access } from "node:fs/promises";
import { join, resolve } from "node:path";
import { findYarn, rcScalar, type YarnCommand } from "./find-yarn.js";
import { readRegularText } from "@skein/reporting";
import { fieldsIn } from "@skein/reporting/json-fields";

/** The Node that runs us and will run the scripts. `process` has this type. */
export interface NodeProcess {
  readonly execPath: string;
  /** With its `v`. */
  readonly version: string;
  readonly platform: string;
  readonly arch: string;
  /** Sends a signal; a negative id means a process group. It throws if no process has that id. */
  kill(pid: number, signal: NodeJS.Signals | 0): unknown;
}

/** The properties of a project that matter for running its scripts. They are read once per run. */
export interface YarnProject {
  /** Its root folder; absolute, links resolved. */
  readonly root: string;
  /** Our environment, without the access to a shared cache. It is the base of every script's environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly node: NodeProcess;
  readonly yarn: YarnCommand | undefined;
  readonly linker: "node-modules" | "pnp";
  /** Whether `.pnp.loader.mjs` exists. */
  readonly pnpLoader: boolean;
  /**
   * Why we can't reproduce Yarn's environment exactly, so that scripts must go through `yarn run`; undefined if we can.
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
 * Reads what is necessary to run the scripts of a project: its Yarn, its linker, and whether something only Yarn can
 * evaluate (a plugin's hook, injected environment files) affects a script's environment.
 */
export async function openYarnProject({
  root,
  env: given,
  node,
}: OpenYarnProjectOptions): Promise<YarnProject> {
  const env = withoutCacheAccess(given);
  const [rc, manifest, pnp, pnpLoader] = await Promise.all([
    readRegularText(join(root, ".yarnrc.yml")).then(
      (text) => text.replace(/^\uFEFF/, ""),
      () => "",
    ),
    readRegularText(join(root, "package.json")),
    exists(join(root, ".pnp.cjs")),
    exists(join(root, ".pnp.loader.mjs")),
  ]);
  const { packageManager } = fieldsIn(manifest);
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
    // An install removes .pnp.cjs if another linker is chosen, so the file itself decides if the setting is absent.
    linker: pnp && (linker ?? "pnp") === "pnp" ? "pnp" : "node-modules",
    pnpLoader,
    needsYarn,
  };
}

/** Variables that give access to a cache that others use. No script gets them. */
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
 * Returns the files in the `plugins` section, which lists them as `- path` or `path: …`. The `spec` beside a path is
 * the origin of the file, so it is skipped.
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
