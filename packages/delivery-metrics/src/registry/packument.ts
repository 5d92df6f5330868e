import type { Published } from "../events/event.js";
import { Row } from "../github/row.js";

/** The pattern of released versions. Pre-releases (`2.0.0-rc.1`) are ignored. */
const RELEASE = /^\d{1,9}\.\d{1,9}\.\d{1,9}$/;

/**
 * Returns the publications of a package's versions with their times from npm's registry (`time`), and with the commit
 * that npm and Yarn record (`gitHead`). Pure. The answer is untrusted, and members that aren't versions are skipped.
 * @param packument the registry's whole document of the package
 * @param since earlier versions are skipped; milliseconds since 1970
 * @returns undefined if the answer isn't a packument
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
