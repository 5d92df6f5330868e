import type {
  MigrationRequest,
  Placement,
  SourceAddress,
  SourceRef,
} from "../migration.js";
import { placementsOf } from "../names/names.js";
import type { Quarantine } from "../quarantine/quarantine.js";
import type { Refusal } from "../refusals/index.js";
import { findName } from "../survey/find-name.js";
import {
  findInnerPackages,
  isAuto,
  withPackages,
  type InnerPackage,
} from "../survey/inner-packages.js";
import { tagsOfCommits } from "../survey/source-tags.js";
import type { TakenSource } from "./take-source.js";

/** A source in the quarantine, and the parts of it to migrate. */
export interface ChosenSource extends Omit<TakenSource, "kind"> {
  readonly kind: "chosen";
  /** The request, in which the packages of the source replace `--only auto`. */
  readonly request: MigrationRequest;
  readonly address: SourceAddress;
  /** The source's packages, if its root is a workspace and `--only` names no paths or all packages. */
  readonly inner: readonly InnerPackage[];
  readonly name: string;
  readonly placements: readonly Placement[];
  /** All tags of commits if the request includes all tags; otherwise none. */
  readonly everyTag: readonly SourceRef[];
}

/** Decides which packages of a source to migrate, under which name, and to which destinations. */
export async function chooseParts(
  asked: MigrationRequest,
  address: SourceAddress,
  taken: TakenSource,
  { git }: Pick<Quarantine, "git">,
): Promise<
  | ChosenSource
  | { readonly kind: "refused"; readonly refusals: readonly Refusal[] }
> {
  const { announcement, tip } = taken;
  const inner =
    asked.only.length === 0 || isAuto(asked)
      ? await findInnerPackages(git, tip)
      : [];
  const request = withPackages(asked, inner);
  if (isAuto(request))
    return { kind: "refused", refusals: [{ code: "no-packages" }] };
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
