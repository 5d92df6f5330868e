// The registry of the libraries. Every tag `v1.2.3` of a repository is a version of its package, and `git archive` packs it.
import { startFakeRegistry } from "../../packages/testing/dist/index.js";

/**
 * Starts the registry on a free local port.
 * @param scope of every package: `@shop`
 * @param git runs git in a library's folder, and returns its output as bytes
 */
export async function startRegistry({ scope, names, git }) {
  const registry = await startFakeRegistry();
  for (const name of names) {
    const releases = git(name, [
      "for-each-ref",
      "--sort=v:refname",
      "--format=%(refname:lstrip=2) %(creatordate:iso-strict)",
      "refs/tags/v*",
    ]);
    const versions = releases
      .toString()
      .trim()
      .split("\n")
      .map((line) => {
        const [tag, time] = line.split(" ");
        return {
          version: tag.slice(1),
          at: Date.parse(time),
          manifest: JSON.parse(git(name, ["show", `${tag}:package.json`])),
          tarball: git(name, [
            ...["archive", "--format=tar.gz", "--prefix=package/", tag],
          ]),
        };
      });
    registry.packages.set(`${scope}/${name}`, versions);
  }
  return registry;
}
