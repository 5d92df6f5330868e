import { openObjects, type Git } from "@skein/git";
import type { SourceAddress, SourceRef } from "../migration.js";
import type { Quarantine } from "../quarantine/quarantine.js";
import { presentObjects } from "./commits.js";
import { fetchSource } from "./fetch-source.js";

/** Returns the tags that point at a commit. */
export async function tagsOfCommits(
  git: Git,
  tags: readonly SourceRef[],
): Promise<readonly SourceRef[]> {
  const peeled = tags.map(({ id }) => `${id}^{commit}`);
  const commits = new Set(await presentObjects(git, "commit", peeled));
  return tags.filter((_, index) => commits.has(peeled[index] ?? ""));
}

/** Returns tags of migrated commits. Fetches annotated tags that the earlier fetch didn't include. */
export async function reachableTags(
  quarantine: Quarantine,
  address: SourceAddress,
  reachable: ReadonlySet<string>,
  tags: readonly SourceRef[],
): Promise<readonly SourceRef[]> {
  const chosen = tags.filter(({ id, peeled }) => reachable.has(peeled ?? id));
  const annotated = chosen.filter(({ peeled }) => peeled !== undefined);
  using objects = openObjects(quarantine.git);
  const found = await Promise.all(annotated.map(({ id }) => objects.read(id)));
  const missing = annotated.filter((_, index) => found[index]?.type !== "tag");
  if (missing.length > 0)
    await fetchSource(quarantine, {
      address,
      branches: [],
      tags: missing.map(({ name }) => name),
    });
  return chosen;
}
