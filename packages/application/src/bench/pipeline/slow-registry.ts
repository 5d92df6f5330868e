import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { json, writeFiles } from "@skein/testing";
import { runProgram } from "../../process.js";

/** A registry whose only package takes a known time to download. */
export interface SlowRegistry extends AsyncDisposable {
  readonly url: string;
  /**
   * The name of the package, whose version is 1.0.0. Each start uses another name, because Yarn caches answers of a registry.
   */
  readonly name: string;
}

/**
 * Starts a registry with one package.
 * @param folder the folder in which its archive is made
 * @param delayMs the time that a download takes
 */
export async function startSlowRegistry(
  folder: string,
  delayMs: number,
): Promise<SlowRegistry> {
  const name = `@slow/p${process.pid}`;
  const manifest = { name, version: "1.0.0" };
  await writeFiles(folder, { "package/package.json": json(manifest) });
  await runProgram(folder, "tar", "-czf", "slow.tgz", "package");
  const bytes = await readFile(join(folder, "slow.tgz"));
  const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
  const server = createServer(({ url = "", headers }, response) => {
    const tarball = `http://${headers.host ?? ""}/${name}/-/p${process.pid}-1.0.0.tgz`;
    if (url.endsWith(".tgz")) setTimeout(() => response.end(bytes), delayMs);
    else
      response.end(
        JSON.stringify({
          name,
          "dist-tags": { latest: "1.0.0" },
          // Yarn refuses versions that are younger than a day.
          time: { "1.0.0": "2020-01-01T00:00:00.000Z" },
          versions: { "1.0.0": { ...manifest, dist: { tarball, integrity } } },
        }),
      );
  });
  await new Promise<void>((ready) =>
    server.listen(0, "127.0.0.1", () => {
      ready();
    }),
  );
  const { port } = server.address() as AddressInfo;
  return {
    name,
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
