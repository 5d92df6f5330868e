import { defaultRequest } from "../default-request.js";
import { readRecords } from "../record/record.js";
import { recordedFields } from "../record/record-format.js";
import type { TargetFacts } from "../survey/target.js";
import type { Manifest } from "./manifest.js";

/**
 * Returns the recorded migrations as a manifest, so that `status` can compare without a manifest. It declares no
 * install, because only a batch has to install the workspace.
 */
export async function recordedManifest({
  git,
  refs,
}: Pick<TargetFacts, "git" | "refs">): Promise<Manifest> {
  const records = await readRecords(git, refs);
  return {
    repositories: records.map((record) => {
      const { source, branch, placements, name } = record;
      const base = defaultRequest(source.fetchFrom);
      return {
        ...base,
        ...recordedFields(record),
        name,
        skip: record.skip ?? base.skip,
        versions: record.versions ?? base.versions,
        to: placements[0]?.to,
        ref: branch,
        only: placements
          .filter(({ from }) => from !== "")
          .map(({ from, to }) => `${from}=${to}`),
        install: false,
      };
    }),
  };
}
