import { realpath } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { readRegularText } from "@skein/reporting";
import { findProgram } from "../find-program.js";

/** The command that starts Yarn: a program and its first arguments. */
export interface YarnCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** Its version, if that is known without starting it. */
  readonly version: string | undefined;
  /** Corepack's folder, if Corepack starts Yarn. Scripts then see it as COREPACK_ROOT. */
  readonly corepackRoot?: string;
}

export interface FindYarnInput {
  /** The project's root; absolute. */
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The path of Node's own program. */
  readonly execPath: string;
  /** The text of the project's .yarnrc.yml; "" if there is none. */
  readonly rc: string;
  /** `packageManager` of the root manifest. */
  readonly packageManager: string | undefined;
}

/**
 * Finds the Yarn that would run a script of this project. The order is Yarn's own: `yarnPath` of the project, the Yarn
 * that runs us, the `yarn` on PATH, Corepack. Undefined if there is no Yarn 2 or newer.
 */
export async function findYarn(
  input: FindYarnInput,
): Promise<YarnCommand | undefined> {
  return (
    fromYarnPath(input) ??
    (await fromOuterYarn(input)) ??
    (await fromPath(input))
  );
}

function fromYarnPath(input: FindYarnInput): YarnCommand | undefined {
  const path = rcScalar(input.rc, "yarnPath");
  const ignored = input.env["YARN_IGNORE_PATH"];
  if (path === undefined || ignored === "1" || ignored === "true")
    return undefined;
  const file = resolve(input.root, path);
  const version = /yarn-(\d[^/\\]*)\.c?js$/.exec(file)?.[1];
  return {
    file: input.execPath,
    args: [file],
    version: version ?? declared(input),
  };
}

/**
 * Returns the Yarn that runs us. Under `yarn run`, npm_execpath is Yarn's temporary wrapper script, so this reads the
 * program that the wrapper starts.
 */
async function fromOuterYarn(
  input: FindYarnInput,
): Promise<YarnCommand | undefined> {
  const path = input.env["npm_execpath"];
  const version = /^yarn\/([2-9]\S*|\d{2,}\S*)/.exec(
    input.env["npm_config_user_agent"] ?? "",
  )?.[1];
  if (path === undefined || version === undefined) return undefined;
  if (/\.[cm]?js$/.test(path))
    return { file: input.execPath, args: [path], version };
  const text = await readRegularText(path).catch(() => "");
  const script = /^exec "[^"]*" '([^']*)' +"\$@"$/m.exec(text)?.[1];
  return script === undefined
    ? undefined
    : {
        file: input.execPath,
        args: [script],
        version,
        ...corepack(script),
      };
}

async function fromPath(
  input: FindYarnInput,
): Promise<YarnCommand | undefined> {
  const yarn = await findProgram("yarn", input.env["PATH"]);
  if (yarn !== undefined) {
    const file = await realpath(yarn);
    const owner = await ownerOf(file);
    if (owner?.name === "corepack")
      return {
        file: input.execPath,
        args: [file],
        version: declared(input),
        ...corepack(file),
      };
    if (owner?.name === "@yarnpkg/cli-dist")
      return { file: input.execPath, args: [file], version: owner.version };
    // Yarn Classic without `yarnPath` can't run this project.
    if (owner?.name !== "yarn")
      return { file: yarn, args: [], version: declared(input) };
  }
  const found = await findProgram("corepack", input.env["PATH"]);
  return found === undefined
    ? undefined
    : { file: found, args: ["yarn"], version: declared(input) };
}

/** Returns Corepack's folder. Only the path of Corepack's own yarn.js shows it. */
function corepack(script: string): { corepackRoot?: string } {
  return /[/\\]corepack[/\\]dist[/\\]yarn\.js$/.test(script)
    ? { corepackRoot: dirname(dirname(script)) }
    : {};
}

function declared(input: FindYarnInput): string | undefined {
  return /^yarn@(\d[^+]*)/.exec(input.packageManager ?? "")?.[1];
}

/** Returns the package that contains a program file, at most two folders above it (`bin/yarn.js`, `dist/yarn.js`). */
async function ownerOf(
  file: string,
): Promise<{ name: string; version: string } | undefined> {
  for (const dir of [dirname(file), dirname(dirname(file))]) {
    try {
      const manifest: unknown = JSON.parse(
        await readRegularText(join(dir, "package.json")),
      );
      const { name, version } = manifest as Record<string, unknown>;
      if (typeof name === "string" && typeof version === "string")
        return { name, version };
    } catch {
      continue;
    }
  }
  return undefined;
}

/**
 * Returns a plain top-level setting of a .yarnrc.yml. Yarn writes these on one line each, so reading one needs no YAML
 * parser, which would cost more than everything else here. Undefined if the setting is absent, empty or not a plain
 * scalar.
 */
export function rcScalar(rc: string, name: string): string | undefined {
  const line = new RegExp(`^${name}:[ \\t]*(.*?)[ \\t]*$`, "m").exec(rc)?.[1];
  if (line === undefined) return undefined;
  const quoted = /^(["'])(.*)\1(?:[ \t]+#.*)?$/.exec(line)?.[2];
  const plain = quoted ?? line.replace(/(^|[ \t]+)#.*$/, "");
  return plain === "" ? undefined : plain;
}
