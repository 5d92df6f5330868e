import type { Published } from "../events/event.js";
import { Row } from "../github/row.js";

/** A version that everybody gets; what comes before one (`2.0.0-rc.1`) reaches its testers only. */
const RELEASE = /^\d{1,9}\.\d{1,9}\.\d{1,9}$/;

/**
 * Returns when the versions of a package were published, as npm's registry tells it (`time`), with the commit that npm
 * and Yarn write down
 * (`gitHead`). Pure; an answer may hold anything, and what is no version is passed over.
 * @param packument the registry's whole document of the package
 * @param since milliseconds since 1970: earlier versions are left out
 * @returns undefined where the answer is no packument
 * @see https://github.com/npm/registry/blob/main/docs/responses/package-metadata.md
 */
export function readPackument(
  repository: string,
  name: string,
  packument: unknown,
  since: number,
): readonly Published[] | undefined {
  const times = Row.of(packument)?.row("time");
  if (!times) return undefined;
  const versions = Row.of(packument)?.row("versions");
  return times.names().flatMap((version): Published[] => {
    const at = times.time(version);
    if (!RELEASE.test(version) || at === undefined || at < since) return [];
    return [
      {
        kind: "published",
        at,
        repository,
        channel: "npm",
        key: `${name}@${version}`,
        sha: versions?.row(version)?.sha("gitHead") ?? null,
        environment: null,
        started: null,
        packages: [{ name, version }],
        pulls: null,
      },
    ];
  });
}
