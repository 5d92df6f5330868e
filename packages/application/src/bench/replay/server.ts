import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { yarnTestEnv } from "@skein/testing";
import { installAll } from "../install.js";
import type { Tool } from "../tools/tool.js";

/** A real server with the API of Turborepo's Remote Cache, on this machine. */
export interface CacheServer extends AsyncDisposable {
  readonly url: string;
}

const REMOTE_CACHE: Tool = {
  name: "turborepo-remote-cache",
  install: ["turborepo-remote-cache@2.12.0"],
  links: [],
  settings: () => ({}),
  questions: [],
};

/** Installs and starts the server. @throws with the installer's message, or if the server doesn't answer within 30 s */
export async function startServer(
  folder: string,
  log: (line: string) => void,
): Promise<CacheServer> {
  const [installed] = await installAll(folder, [REMOTE_CACHE], log);
  if (installed?.modules === undefined)
    throw new Error(installed?.problem ?? "the server is not installed");
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const storage = join(folder, "remote-storage");
  await rm(storage, { recursive: true, force: true });
  const child = spawn(
    process.execPath,
    [join(installed.modules, "turborepo-remote-cache/dist/cli.js")],
    {
      cwd: folder,
      env: {
        ...yarnTestEnv(),
        PORT: `${port}`,
        TURBO_TOKEN: "bench",
        STORAGE_PROVIDER: "local",
        STORAGE_PATH: storage,
        STORAGE_PATH_USE_TMP_FOLDER: "false",
        LOG_LEVEL: "error",
        NODE_ENV: "production",
      },
      stdio: "ignore",
    },
  );
  const closed = once(child, "exit");
  await isUp(url);
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill();
      await closed;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

async function isUp(url: string): Promise<void> {
  for (let left = 300; left > 0; left--) {
    const answer = await fetch(`${url}/v8/artifacts/status`, {
      headers: { authorization: "Bearer bench" },
    }).catch(() => undefined);
    if (answer?.ok === true) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("the cache server does not answer");
}
