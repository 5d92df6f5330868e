// The registry of the libraries, with the requests that Yarn makes. Every tag `v1.2.3` of a repository is a version of
// its package, and `git archive` packs it.
import { createHash } from "node:crypto";
import { createServer } from "node:http";

/**
 * Starts the registry on a free local port; it ends with the process.
 * @param scope of every package: `@shop`
 * @param git runs git in a library's folder, and returns its output as bytes
 * @returns its address
 */
export async function startRegistry({ scope, names, git }) {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "").slice(1);
    const [, name, version] =
      /^(?:@\w+)\/(\w+)(?:\/-\/\w+-([\d.]+)\.tgz)?$/.exec(path) ?? [];
    if (!names.includes(name)) response.writeHead(404).end("{}");
    else if (version) response.end(packed(name, version));
    else response.end(JSON.stringify(packument(name)));
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  server.unref();
  const address = `http://127.0.0.1:${server.address().port}`;
  return address;

  function packed(name, version) {
    return git(name, [
      "archive",
      "--format=tar.gz",
      "--prefix=package/",
      `v${version}`,
    ]);
  }

  function packument(name) {
    const releases = git(name, [
      "for-each-ref",
      "--sort=v:refname",
      "--format=%(refname:lstrip=2) %(creatordate:iso-strict)",
      "refs/tags/v*",
    ])
      .toString()
      .trim()
      .split("\n")
      .map((line) => line.slice(1).split(" "));
    return {
      name: `${scope}/${name}`,
      "dist-tags": { latest: releases.at(-1)[0] },
      // Yarn avoids versions that are too new.
      time: Object.fromEntries(releases),
      versions: Object.fromEntries(
        releases.map(([version]) => [
          version,
          {
            ...JSON.parse(git(name, ["show", `v${version}:package.json`])),
            dist: {
              tarball: `${address}/${scope}/${name}/-/${name}-${version}.tgz`,
              shasum: createHash("sha1")
                .update(packed(name, version))
                .digest("hex"),
            },
          },
        ]),
      ),
    };
  }
}
