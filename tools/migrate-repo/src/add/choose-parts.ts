import type {
  MigrationRequest,
  SourceAddress,
  SourceRef,
} from "../migration.js";
import { placementsOf } from "../names/names.js";
import type { Quarantine } from "../quarantine/quarantine.js";
import { refused, type Refused } from "../refusals/index.js";
import type { SourceParts } from "../survey/facts.js";
import { findName } from "../survey/find-name.js";
import {
  findInnerPackages,
  isAuto,
  withPackages,
} from "../survey/inner-packages.js";
import { tagsOfCommits } from "../survey/source-tags.js";
import type { ClonedSource } from "./clone-source.js";

/** A source in the quarantine, and the parts of it to migrate. */
export interface ChosenSource extends SourceParts {
  readonly kind: "chosen";
  /** All tags of commits if the request includes all tags; otherwise none. */
  readonly everyTag: readonly SourceRef[];
}

/** Decides which packages of a source to migrate, under which name, and to which destinations. */
export async function chooseParts(
  asked: MigrationRequest,
  address: SourceAddress,
  taken: ClonedSource,
  { git }: Pick<Quarantine, "git">,
): Promise<ChosenSource | Refused> {
  const { announcement, tip } = taken;
  const inner =
    asked.only.length === 0 || isAuto(asked)
      ? await findInnerPackages(git, tip)
      : [];
  const request = withPackages(asked, inner);
  if (isAuto(request)) return refused({ code: "no-packages" });
  const name = request.name ?? (await findName(git, tip, request, address));
  return {
    ...taken,
    kind: "chosen",
    request,
    address,
    inner,
    name,
    placements: placementsOf(request.only, request.to, name),
    everyTag:
      request.tags === "all" ? await tagsOfCommits(git, announcement.tags) : [],
  };
}

/**
 * Returns every commit of the source whose history is read: those of the branch, of further branches, and of all tags.
 */
export function tipsOf({
  tip,
  branches,
  everyTag,
}: ChosenSource): readonly string[] {
  return [
    tip,
    ...branches.map(({ id }) => id),
    ...everyTag.map(({ id }) => id),
  ];
}
