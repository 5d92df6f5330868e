import { globMatches } from "@skein/versions";
import type { MigrationRequest, SourceAddress } from "../migration.js";
import type { Progress } from "../words/progress.js";
import type { Quarantine } from "../quarantine/quarantine.js";
import { refused, type Refused } from "../refusals/index.js";
import { refuseAnnouncement } from "../refusals/source.js";
import { announce, surveyLocalSource } from "../survey/announcement.js";
import type { SourceParts } from "../survey/facts.js";
import { cloneSource } from "../survey/fetch-source.js";
import type { TargetFacts } from "../survey/target.js";

/** A source whose history is in the quarantine. */
export interface ClonedSource extends Pick<
  SourceParts,
  "announcement" | "branch" | "tip" | "branches"
> {
  readonly kind: "cloned";
}

export interface CloneOptions {
  readonly target: Pick<TargetFacts, "commonDir" | "objectFormat" | "git">;
  readonly address: SourceAddress;
  readonly progress: Progress;
}

/**
 * Lists the source's refs, and clones the requested ones into the quarantine.
 * @throws {SourceError} if the source can't be reached, or git rejects an object
 */
export async function cloneRequested(
  request: MigrationRequest,
  quarantine: Quarantine,
  { target, address, progress }: CloneOptions,
): Promise<ClonedSource | Refused> {
  const [announcement, local] = await Promise.all([
    announce(quarantine.git, address),
    surveyLocalSource(address, target.git.env),
  ]);
  const early = refuseAnnouncement(request, announcement, local, target);
  if (early.length > 0) return refused(...early);
  const branch = request.ref ?? announcement.defaultBranch ?? "";
  const branches = announcement.branches.filter(
    ({ name }) =>
      name !== branch &&
      request.branches.some((glob) => globMatches(glob, name)),
  );
  progress.phase("fetch");
  const fetched = await cloneSource(quarantine, branch, {
    address,
    branches: branches.map(({ name }) => name),
    tags:
      request.tags === "all" ? announcement.tags.map(({ name }) => name) : [],
    follow: request.tags === "reachable",
  });
  const tip = fetched?.get(branch);
  if (!fetched || tip === undefined) return refused({ code: "shallow-source" });
  return {
    kind: "cloned",
    announcement,
    branch,
    tip,
    branches: branches.map((ref) => ({
      ...ref,
      id: fetched.get(ref.name) ?? ref.id,
    })),
  };
}
