import { printable } from "@skein/reporting";
import type { Facts } from "../survey/facts.js";
import { isPackageName, migrationRefs } from "../names/names.js";
import {
  quote,
  type ProblemOf,
  type Texts,
  type WordsByCode,
} from "../words/problem-words.js";
import { badDestination, type RequestRefusal } from "./request.js";

/** The words of each refusal. */
export const DESTINATION = {
  "destinations-overlap": ({ one, other }: Texts<"one" | "other">) => ({
    sentence: `the destinations ${quote(one)} and ${quote(other)} overlap`,
    hint: "give each its own: --only a=packages/a b=packages/b",
  }),
  "destination-tracked": ({ path }: { path: string }) => ({
    sentence: `${quote(path)} already exists in the workspace`,
    hint: "choose a different folder with --to; if it was migrated before, `migrate-repo sync` merges new commits",
  }),
  "destination-untracked": ({
    path,
    ignored,
  }: {
    path: string;
    ignored: boolean;
  }) => ({
    sentence: ignored
      ? `${quote(path)} exists on disk; the workspace's .gitignore hides it from git`
      : `${quote(path)} exists on disk with files that git does not track`,
    hint: "move the folder away, or choose a different folder with --to",
  }),
  "destination-file": ({ path, at }: Texts<"path" | "at">) => ({
    sentence: `${quote(path)} cannot be a folder: ${quote(at)} is a file`,
    hint: "choose a different folder with --to",
  }),
  "destination-symlink": ({ path, at }: Texts<"path" | "at">) => ({
    sentence: `${quote(path)} goes through the symlink ${quote(at)}; files would be written elsewhere`,
    hint: "choose a folder without symlinks with --to",
  }),
  "destination-submodule": ({ path, at }: Texts<"path" | "at">) => ({
    sentence: `${quote(path)} is in the submodule ${quote(at)}`,
    hint: "choose a different folder with --to",
  }),
  "destination-case": ({ path, twin }: Texts<"path" | "twin">) => ({
    sentence: `${quote(path)} differs from ${quote(twin)} only by case: on macOS and Windows they are one folder`,
    hint: "choose a different folder with --to",
  }),
  "destination-in-package": ({
    path,
    dir,
    name,
  }: Texts<"path" | "dir" | "name">) => ({
    sentence: `${quote(path)} is inside the package ${quote(name)} (${printable(dir)})`,
    hint: "choose a folder next to it with --to",
  }),
  "name-used": ({ name, dir }: Texts<"name" | "dir">) => ({
    sentence: `the name ${quote(name)} is already used in the workspace, by ${printable(dir)}`,
    hint: "choose a different name with --name, or rename the existing package",
  }),
  "already-migrated": ({ name }: { name: string }) => ({
    sentence: `${quote(name)} has already been migrated`,
    hint: `merge its new commits with: migrate-repo sync ${name}; if it was undone with git reset, delete its record first: git for-each-ref --format='delete %(refname)' '${migrationRefs(name)}' | git update-ref --stdin`,
  }),
} satisfies WordsByCode;

/** Refusals of a place in the workspace, or of a name. */
export type DestinationRefusal = ProblemOf<typeof DESTINATION>;

/**
 * Finds destinations that overlap. Names that differ only by case are equal: on macOS and Windows they are one folder.
 */
export function overlaps(
  destinations: readonly string[],
): readonly DestinationRefusal[] {
  return destinations.flatMap((one, index) =>
    destinations.slice(index + 1).flatMap((other) => {
      const [a, b] = [`${one}/`.toLowerCase(), `${other}/`.toLowerCase()];
      return a.startsWith(b) || b.startsWith(a)
        ? [{ code: "destinations-overlap" as const, one, other }]
        : [];
    }),
  );
}

/** Returns the refusals that follow from the packages and their destinations. */
export function refusePlacements(
  facts: Facts,
): readonly (DestinationRefusal | RequestRefusal)[] {
  const { name, target, placements, destinations, tipFacts } = facts;
  const refusals: (DestinationRefusal | RequestRefusal)[] = [];
  for (const one of [name, ...namesBeside(facts)])
    if (!isPackageName(one)) refusals.push({ code: "bad-name", name: one });
  if (target.refs.has(`${migrationRefs(name)}/map`))
    return [{ code: "already-migrated", name }];
  const wanted = placements.map(({ to }) => to);
  refusals.push(...wanted.flatMap(badDestination), ...overlaps(wanted));
  for (const { path, state } of destinations) {
    if (state.kind === "tracked")
      refusals.push({ code: "destination-tracked", path });
    else if (state.kind === "untracked")
      refusals.push({
        code: "destination-untracked",
        path,
        ignored: state.ignored,
      });
    else if (state.kind === "case")
      refusals.push({ code: "destination-case", path, twin: state.twin });
    else if (state.kind !== "free")
      refusals.push({ code: `destination-${state.kind}`, path, at: state.at });
    const around = target.packages?.find(
      ({ dir }) => dir !== "." && path.startsWith(`${dir}/`),
    );
    if (around)
      refusals.push({ code: "destination-in-package", path, ...around });
  }
  const newNames = new Set([
    name,
    ...tipFacts.manifests.flatMap((manifest) =>
      manifest.name === undefined ||
      placements.some(({ to }) => to === manifest.dir)
        ? []
        : [manifest.name],
    ),
    ...namesBeside(facts),
  ]);
  for (const { name: used, dir } of target.packages ?? [])
    if (newNames.has(used))
      refusals.push({ code: "name-used", name: used, dir });
  return refusals;
}

/** Returns the names of the migrated packages except the first, which may have another name here. */
function namesBeside({ placements, tipFacts }: Facts): readonly string[] {
  return placements
    .slice(1)
    .flatMap(
      ({ to }) => tipFacts.manifests.find(({ dir }) => dir === to)?.name ?? [],
    );
}
