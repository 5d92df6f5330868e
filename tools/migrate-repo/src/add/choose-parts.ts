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

/** A source in the quarantine, and which parts of it come along. */
export interface ChosenSource extends Omit<TakenSource, "kind"> {
  readonly kind: "chosen";
  /** The request, with the packages of the source in place of `--only auto`. */
  readonly request: MigrationRequest;
  readonly address: SourceAddress;
  /** The source's packages, where its root is a workspace and no paths of it were chosen, or all of them. */
  readonly inner: readonly InnerPackage[];
  readonly name: string;
  readonly placements: readonly Placement[];
  /** All tags of commits, if the request asks for all; else none. */
  readonly everyTag: readonly SourceRef[];
}

/** Decides which packages of a source come along, under which name, and where they go. */
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

/** Returns every commit of the source whose history is read: of the branch, of further branches, and of all tags. */
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
