import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { createHash } from "node:crypto";
import { json, tempDir, yarnPath, yarnTestEnv } from "@skein/testing";
import { execa } from "execa";

/** A published version: its dependencies. `"chalk@4.1.0": { "ansi-styles": "^4.0.0" }` */
export type Published = Readonly<
  Record<string, Readonly<Record<string, string>>>
>;

/** A registry on this machine, so that versions are what a test says. */
export interface Registry extends AsyncDisposable {
  readonly url: string;
  /** A .yarnrc.yml of a project that installs from it, by the pinned Yarn. */
  readonly yarnrc: string;
  /** The environment of its Yarn: Yarn keeps what a host said whatever its port, so each registry has its own folder. */
  readonly env: Readonly<Record<string, string>>;
  /** Runs Yarn to its end. @returns its output @throws when it fails */
  yarn(dir: string, ...args: readonly string[]): Promise<string>;
}

/**
 * Starts a registry that speaks npm's protocol, as far as Yarn asks.
 * @param peers the peer dependencies of versions that have some
 */
export async function startRegistry(
  published: Published,
  peers: Published = {},
): Promise<Registry> {
  const versions = new Map<string, Map<string, Buffer>>();
  const manifests = new Map<string, object>();
  for (const [key, dependencies] of Object.entries(published)) {
    const at = key.indexOf("@", 1);
    const [name, version] = [key.slice(0, at), key.slice(at + 1)];
    const peerDependencies = peers[key];
    const manifest = {
      name,
      version,
      dependencies,
      ...(peerDependencies && { peerDependencies }),
    };
    const list = versions.get(name) ?? new Map<string, Buffer>();
    versions.set(name, list.set(version, tarball(json(manifest))));
    manifests.set(key, manifest);
  }
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "").slice(1);
    const tar = /^(.+)\/-\/.+-(\d[^/]*)\.tgz$/.exec(path);
    const list = versions.get(tar?.[1] ?? path);
    const bytes = tar ? list?.get(tar[2] ?? "") : undefined;
    if (!list || (tar && !bytes)) response.writeHead(404).end("{}");
    else if (bytes) response.end(bytes);
    else response.end(JSON.stringify(packument(path, list)));
  });
  const packument = (name: string, list: ReadonlyMap<string, Buffer>) => ({
    name,
    "dist-tags": { latest: [...list.keys()].at(-1) },
    time: Object.fromEntries(
      [...list.keys()].map((version) => [version, "2020-01-01T00:00:00Z"]),
    ),
    versions: Object.fromEntries(
      [...list].map(([version, bytes]) => [
        version,
        {
          ...manifests.get(`${name}@${version}`),
          dist: {
            tarball: `${url}/${name}/-/${name.replace(/^.*\//, "")}-${version}.tgz`,
            shasum: createHash("sha1").update(bytes).digest("hex"),
          },
        },
      ]),
    ),
  });
  // After five seconds it would close a connection under a Yarn that had no turn for so long, and tries nothing again.
  server.keepAliveTimeout = 0;
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const global = await tempDir("registry-");
  const env = { ...yarnTestEnv(), YARN_GLOBAL_FOLDER: global.path };
  return {
    url,
    env,
    yarn: async (dir, ...args) =>
      (await execa("node", [yarnPath, ...args], { cwd: dir, env, all: true }))
        .all,
    yarnrc: `yarnPath: ${yarnPath}\nnodeLinker: node-modules\nnpmRegistryServer: "${url}"\nunsafeHttpWhitelist:\n  - 127.0.0.1\nenableTelemetry: false\nhttpRetry: 0\n`,
    async [Symbol.asyncDispose]() {
      await new Promise<void>((done, fail) => {
        server.closeAllConnections();
        server.close((error) => (error ? fail(error) : done()));
      });
      await global[Symbol.asyncDispose]();
    },
  };
}

/** One file, `package/package.json`, in a gzipped ustar archive. */
function tarball(manifest: string): Buffer {
  const header = Buffer.alloc(512);
  header.write("package/package.json", 0);
  header.write("0000644\0", 100);
  header.write("0000000\0", 108);
  header.write("0000000\0", 116);
  header.write(
    `${Buffer.byteLength(manifest).toString(8).padStart(11, "0")}\0`,
    124,
  );
  header.write("00000000000\0", 136);
  header.write("        ", 148);
  header.write("0", 156);
  header.write("ustar\0", 257);
  header.write("00", 263);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  const body = Buffer.from(manifest);
  const padding = Buffer.alloc((512 - (body.length % 512)) % 512);
  return gzipSync(Buffer.concat([header, body, padding, Buffer.alloc(1024)]));
}
