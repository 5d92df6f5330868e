import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { iso } from "./fake-github/delivery.js";
import { listen } from "./fake-github/server.js";

/** A version of a package. */
export interface FakeVersion {
  readonly version: string;
  /** The time of its publication, in milliseconds since 1970. */
  readonly at: number;
  /** The commit that npm records. */
  readonly gitHead?: string;
  /** The other fields of its package.json. */
  readonly manifest?: object;
  /** The archive for installs. Without it, the version is listed but cannot be installed. */
  readonly tarball?: Buffer;
  /** The time that a download of the archive takes, in milliseconds. */
  readonly tarballMs?: number;
}

/** A way in which a registry fails. */
export type RegistryFault =
  | { readonly kind: "status"; readonly status: number }
  /** This body, compressed if `gzip` is set. */
  | { readonly kind: "body"; readonly body: Buffer; readonly gzip?: boolean }
  | { readonly kind: "redirect"; readonly to: string }
  | { readonly kind: "slow"; readonly ms: number }
  | { readonly kind: "reset" };

/**
 * npm's registry for tests: a real HTTP server that answers as the registry does, with whole package documents (`time`,
 * `versions`), ETags and archives. npm and Yarn install from it.
 */
export interface FakeRegistry extends AsyncDisposable {
  /** Without a slash at the end. */
  readonly url: string;
  /** By name. The server answers with what is in the map at the time of the request. */
  readonly packages: Map<string, readonly FakeVersion[]>;
  /** The requests with the status of their answers: `GET /@acme%2Fui 200`. */
  readonly requests: readonly string[];
  /** Adds a fault for the next request. Several faults apply to successive requests. */
  fail(fault: RegistryFault): void;
}

/** Starts a registry without packages. */
export async function startFakeRegistry(): Promise<FakeRegistry> {
  const packages = new Map<string, readonly FakeVersion[]>();
  const requests: string[] = [];
  const faults: RegistryFault[] = [];
  const { origin, close } = await listen((request, response) => {
    const path = request.url ?? "/";
    const end = (
      status: number,
      body: string | Buffer = "",
      headers: Readonly<Record<string, string>> = {},
    ): void => {
      requests.push(`GET ${path} ${status}`);
      response.writeHead(status, headers).end(body);
    };
    const answer = (): void => {
      const [name = "", archive] = decodeURIComponent(path.slice(1)).split(
        "/-/",
      );
      const versions = packages.get(name) ?? [];
      const found = versions.find(
        (each) => archive === archiveName(name, each.version),
      );
      if (found?.tarball) {
        const { tarball, tarballMs = 0 } = found;
        void sleep(tarballMs, undefined, { ref: false }).then(() =>
          end(200, tarball),
        );
      } else if (versions.length === 0 || archive !== undefined)
        end(404, `{"error":"Not found"}`);
      else {
        const origin = `http://${request.headers.host ?? ""}`;
        const text = JSON.stringify(packument(origin, name, versions));
        const etag = `"${createHash("sha1").update(text).digest("hex")}"`;
        if (request.headers["if-none-match"] === etag) end(304);
        else end(200, text, { etag, "content-type": "application/json" });
      }
    };
    const fault = faults.shift();
    switch (fault?.kind) {
      case undefined:
        answer();
        break;
      case "status":
        end(fault.status, "{}");
        break;
      case "redirect":
        end(302, "", { location: fault.to });
        break;
      case "body":
        if (fault.gzip)
          end(200, gzipSync(fault.body), { "content-encoding": "gzip" });
        else end(200, fault.body);
        break;
      case "slow":
        void sleep(fault.ms, undefined, { ref: false }).then(answer);
        break;
      case "reset":
        requests.push(`GET ${path} 0`);
        request.socket.resetAndDestroy();
    }
  });
  return {
    url: origin,
    packages,
    requests,
    fail: (fault) => faults.push(fault),
    [Symbol.asyncDispose]: close,
  };
}

function packument(
  origin: string,
  name: string,
  versions: readonly FakeVersion[],
) {
  const times = versions.map(({ at }) => at);
  return {
    name,
    "dist-tags": { latest: versions.at(-1)?.version },
    time: {
      created: iso(Math.min(...times)),
      modified: iso(Math.max(...times)),
      ...Object.fromEntries(
        versions.map(({ version, at }) => [version, iso(at)]),
      ),
    },
    versions: Object.fromEntries(
      versions.map(({ version, gitHead, manifest, tarball }) => [
        version,
        {
          ...manifest,
          name,
          version,
          ...(gitHead !== undefined && { gitHead }),
          ...(tarball && {
            dist: {
              tarball: `${origin}/${name}/-/${archiveName(name, version)}`,
              integrity: `sha512-${createHash("sha512").update(tarball).digest("base64")}`,
            },
          }),
        },
      ]),
    ),
  };
}

/** Returns npm's file name of an archive: the package's name without its scope, and the version. */
function archiveName(name: string, version: string): string {
  return `${name.replace(/^.*\//, "")}-${version}.tgz`;
}
