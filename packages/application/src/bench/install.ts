import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { json, writeFiles, yarnIn } from "@skein/testing";
import { packAll } from "../packed.js";
import { runProgram } from "../process.js";
import { inFolder } from "./env.js";
import { lastWords } from "./measure/failure.js";
import type { Tool } from "./tools/tool.js";

/** A tool and the path of its `node_modules`; or its installer's error message. */
export interface Installed {
  readonly tool: Tool;
  readonly modules?: string;
  readonly problem?: string;
}

/**
 * Installs each tool into its own folder: Skein packed from this checkout, the others from the npm registry. Tools from
 * an earlier run are reused, except Skein.
 */
export async function installAll(
  folder: string,
  tools: readonly Tool[],
  log: (line: string) => void,
): Promise<Installed[]> {
  const installed: Installed[] = [];
  for (const tool of tools) {
    const dir = join(folder, "tools", tool.name);
    const modules = join(dir, "node_modules");
    log(`install ${tool.name} ${tool.install.join(" ")}`);
    try {
      if (tool.name === "skein") await installSkein(folder, dir);
      else if (tool.install.length > 0) await installPeer(dir, tool);
      installed.push({ tool, modules });
    } catch (error) {
      installed.push({ tool, problem: lastWords((error as Error).message) });
    }
  }
  return installed;
}

async function installPeer(
  dir: string,
  { install, setUp }: Tool,
): Promise<void> {
  const done = join(dir, "installed");
  const wanted = install.join("\n");
  if (existsSync(done) && (await readFile(done, "utf8")) === wanted) return;
  await rm(dir, { recursive: true, force: true });
  await writeFiles(dir, { "package.json": json({ private: true }) });
  const npm = ["npm", "install", "--no-audit", "--no-fund", "--save-exact"];
  const commands = [
    { argv: [...npm, ...install], env: {} },
    ...(setUp ? [setUp] : []),
  ];
  for (const { argv, env } of commands) {
    const [program = "", ...args] = argv;
    const where = { cwd: dir, env: inFolder(env, dir) };
    const { exitCode, stdout, stderr } = await runProgram(
      where,
      program,
      ...args,
    );
    if (exitCode !== 0) throw new Error(`${stdout}${stderr}`);
  }
  await writeFile(done, wanted);
}

async function installSkein(folder: string, dir: string): Promise<void> {
  const tarballs = join(folder, "tarballs");
  await rm(tarballs, { recursive: true, force: true });
  await rm(dir, { recursive: true, force: true });
  const packed = await packAll(tarballs);
  const ranges = Object.fromEntries(
    packed.map(({ name, file }) => [
      name,
      `file:../../tarballs/${basename(file)}`,
    ]),
  );
  await mkdir(dir, { recursive: true });
  await writeFiles(dir, {
    "yarn.lock": "",
    ".yarnrc.yml": "nodeLinker: node-modules\n",
    "package.json": json({
      name: "consumer",
      private: true,
      dependencies: { "@skein/affected": ranges["@skein/affected"] },
      // The packages of the tools aren't on the registry at this version.
      resolutions: ranges,
    }),
  });
  await yarnIn(dir, "install");
}
