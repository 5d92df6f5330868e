import { delimiter, join, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { Unit } from "../unit.js";
import type { YarnProject } from "./yarn-project.js";

/** The inputs of a unit's environment. */
export interface ScriptEnvInput {
  readonly project: YarnProject;
  readonly unit: Pick<Unit, "workspace" | "version" | "dir" | "script">;
  /** The folder of wrappers, which is first in PATH. */
  readonly binFolder: string;
  /** Yarn's version, for the user agent. */
  readonly yarnVersion: string | undefined;
}

/**
 * Returns the environment that `yarn run` gives a script, based on `makeScriptEnv` in @yarnpkg/core 4 and the hook
 * `setupScriptEnvironment` of its PnP plugin. A test compares it with the real one, variable by variable.
 */
export function scriptEnv(input: ScriptEnvInput): Record<string, string> {
  const { project, unit, binFolder, yarnVersion } = input;
  const { node, root } = project;
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(project.env))
    if (value !== undefined)
      env[name.toLowerCase() === "path" ? "PATH" : name] = value;
  const dir = join(root, unit.dir);
  const nodeOptions = withPnp(env["NODE_OPTIONS"], project);
  delete env["NODE_OPTIONS"];
  return {
    ...env,
    ...(nodeOptions !== "" && { NODE_OPTIONS: nodeOptions }),
    ...(project.yarn?.corepackRoot !== undefined && {
      COREPACK_ROOT: project.yarn.corepackRoot,
    }),
    BERRY_BIN_FOLDER: binFolder,
    PATH: env["PATH"] ? `${binFolder}${delimiter}${env["PATH"]}` : binFolder,
    // Yarn puts its starting folder here. For a script of another package, that is the package's folder.
    INIT_CWD: dir,
    PROJECT_CWD: root,
    npm_execpath: `${binFolder}${sep}yarn`,
    npm_node_execpath: `${binFolder}${sep}node`,
    npm_package_name: unit.workspace,
    npm_package_version: unit.version,
    npm_package_json: join(dir, "package.json"),
    npm_config_user_agent: `yarn/${yarnVersion ?? "?"} npm/? node/${node.version} ${node.platform} ${node.arch}`,
    npm_lifecycle_event: unit.script,
  };
}

/** Returns NODE_OPTIONS without the loaders of an outer Yarn, and with this project's. */
function withPnp(
  options: string | undefined,
  { linker, root, pnpLoader }: YarnProject,
): string {
  const own = (options ?? "")
    .replace(/\s*--require\s+\S*\.pnp\.c?js\s*/g, " ")
    .replace(/\s*--experimental-loader\s+\S*\.pnp\.loader\.mjs\s*/, " ")
    .replace(
      /\s*--experimental-package-map(?:=|\s+)(?:"[^"]*"|'[^']*'|\S+)\s*/g,
      " ",
    )
    .trim();
  if (linker === "node-modules") return own;
  const file = join(root, ".pnp.cjs");
  const loader = pathToFileURL(join(root, ".pnp.loader.mjs")).href;
  return [
    `--require ${/\s/.test(file) ? JSON.stringify(file) : file}`,
    ...(pnpLoader ? [`--experimental-loader ${loader}`] : []),
    ...(own === "" ? [] : [own]),
  ].join(" ");
}
