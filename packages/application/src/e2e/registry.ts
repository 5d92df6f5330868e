import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Tarball } from "../packed.js";

/** A registry that npm installs packed packages from, as it does after their release. */
export interface PackageRegistry extends AsyncDisposable {
  /** Ends with a slash. */
  readonly url: string;
}

/** Starts a registry that has one version of each package: the tarball. */
export async function startPackageRegistry(
  tarballs: readonly Tarball[],
): Promise<PackageRegistry> {
  const packages = new Map(
    await Promise.all(
      tarballs.map(
        async ({ name, file, manifest }) =>
          [name, { manifest, bytes: await readFile(file) }] as const,
      ),
    ),
  );
  const server = createServer(({ url = "", headers }, response) => {
    const [name = "", tarball] = decodeURIComponent(url.slice(1)).split("/-/");
    const found = packages.get(name);
    if (!found) {
      response.writeHead(404).end("{}");
      return;
    }
    const { manifest, bytes } = found;
    const hash = createHash("sha512").update(bytes).digest("base64");
    response.end(
      tarball === undefined
        ? JSON.stringify({
            name,
            "dist-tags": { latest: manifest.version },
            versions: {
              [manifest.version]: {
                ...manifest,
                dist: {
                  tarball: `http://${headers.host ?? ""}/${name}/-/tool.tgz`,
                  integrity: `sha512-${hash}`,
                },
              },
            },
          })
        : bytes,
    );
  });
  await new Promise<void>((ready) =>
    server.listen(0, "127.0.0.1", () => {
      ready();
    }),
  );
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
