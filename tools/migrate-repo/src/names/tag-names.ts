import { tagName } from "./names.js";

/** Which tags of a source come along with some of its packages, and by what names. */
export interface TagNames {
  /** Short names of the source's tags that come along. */
  readonly chosen: ReadonlySet<string>;
  /** The name a chosen tag has in the workspace. */
  readonly nameOf: (tag: string) => string;
}

/**
 * Decides over all tags of a source at once. A tag that bears a coming package's name keeps it, before any other gets one.
 * Of a repository of many packages whose tags bear names, those of others stay: they would claim versions that the
 * package never had.
 * @param names of the packages that come, the migration's own first
 * @param isPart whether only some folders of the source come
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
    // `v1.0.0` and `1.0.0` may both exist: the second keeps its own name behind the package's.
    const to = taken.has(wished) ? tagName("{name}@{tag}", name, tag) : wished;
    taken.add(to);
    given.set(tag, to);
  }
  return {
    chosen: new Set(given.keys()),
    nameOf: (tag) => given.get(tag) ?? tagName(format, name, tag),
  };
}
