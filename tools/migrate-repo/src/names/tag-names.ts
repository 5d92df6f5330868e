import type { SourceRef, TagPlan } from "../migration.js";
import { tagName } from "./names.js";

/** Returns the plan for one tag of the source. @param to its short name in the target */
export function planTag({ name, id, peeled }: SourceRef, to: string): TagPlan {
  return {
    from: `refs/tags/${name}`,
    to: `refs/tags/${to}`,
    id,
    commit: peeled ?? id,
    annotated: peeled !== undefined,
  };
}

/** The tags of a source that are migrated with some of its packages, and their new names. */
export interface TagNames {
  /** The short names of the source's tags to migrate. */
  readonly chosen: ReadonlySet<string>;
  /** Returns the name of a chosen tag in the workspace. */
  readonly nameOf: (tag: string) => string;
}

/**
 * Decides about all tags of a source at once. A tag with a migrated package's name keeps its name, before any other tag
 * gets a new one. If only part of a repository is migrated and its tags have package names, tags of other packages are
 * dropped: they would claim versions that the migrated package never had.
 * @param names the names of the migrated packages; the first one is the migration's name
 * @param isPart whether only some folders of the source are migrated
 */
export function decideTagNames(
  tags: readonly string[],
  format: string,
  names: readonly string[],
  isPart: boolean,
): TagNames {
  const isOwn = (tag: string) =>
    names.some((name) => tag.startsWith(`${name}@`));
  const own = tags.filter(isOwn);
  const others = !isPart
    ? tags.filter((tag) => !isOwn(tag))
    : own.length > 0
      ? []
      : tags.filter((tag) => !/^(?:@[^/@]+\/)?[^/@]+@\d/.test(tag));
  const [name = ""] = names;
  const given = new Map(own.map((tag) => [tag, tag]));
  const taken = new Set(own);
  for (const tag of others) {
    const wished = tagName(format, name, tag);
    // `v1.0.0` and `1.0.0` may both exist: the second one gets the package's name and its own full name.
    const to = taken.has(wished) ? tagName("{name}@{tag}", name, tag) : wished;
    taken.add(to);
    given.set(tag, to);
  }
  return {
    chosen: new Set(given.keys()),
    nameOf: (tag) => given.get(tag) ?? tagName(format, name, tag),
  };
}
