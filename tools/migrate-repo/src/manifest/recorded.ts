import { defaultRequest } from "../default-request.js";
import { readRecords } from "../record.js";
import type { TargetFacts } from "../survey/target.js";
import type { Manifest } from "./manifest.js";

/**
 * What the workspace has records of, as a manifest would declare it: what `status` compares where nobody wrote one. It
 * declares no install, for only a batch owes the workspace one.
 */
export async function recordedManifest({
  git,
  refs,
}: Pick<TargetFacts, "git" | "refs">): Promise<Manifest> {
  const records = await readRecords(git, refs);
  return {
    repositories: records.map(({ name, source, branch, placements }) => ({
      ...defaultRequest(source.fetchFrom),
      name,
      ref: branch,
      only: placements
        .filter(({ from }) => from !== "")
        .map(({ from, to }) => `${from}=${to}`),
      install: false,
    })),
  };
}
