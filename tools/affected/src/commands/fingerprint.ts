import {
  ExitCode,
  Failure,
  nearest,
  printable,
  usageFailure,
} from "@skein/reporting";
import { entriesOf, firstDifference, openFinisher } from "@skein/fingerprint";
import type { Difference, Surroundings, TreeFacts } from "@skein/fingerprint";
import {
  factsAskedFor,
  readFilters,
  selectPackages,
  tagReader,
} from "@skein/workspaces";
import type { PackageFacts } from "@skein/workspaces";
import type { Command, FingerprintOptions } from "../command.js";
import { surroundingsOf } from "../fingerprints/fingerprints.js";
import { lookAtTree } from "../fingerprints/look.js";
import { openTree, readTree, surveyTree } from "../fingerprints/open-tree.js";
import type { ReadTree } from "../fingerprints/open-tree.js";
import { readOwners } from "../project/owners.js";
import { renderFingerprints, type PrintedUnit } from "../render/fingerprint.js";
import { warn } from "../select.js";
import type { LocalSurvey } from "../survey.js";
import { wholeGraph } from "../project/whole-graph.js";
import type { AffectedWorld } from "../world.js";

/** Runs `affected fingerprint [script]`, which prints a line for each package that has the script. */
export async function fingerprint(
  world: AffectedWorld,
  { fingerprint: asked }: Extract<Command, { kind: "fingerprint" }>,
): Promise<number> {
  const isPlain =
    asked.filter.length === 0 &&
    asked.explain === undefined &&
    asked.diff === undefined &&
    !(asked.json && asked.head !== undefined);
  const { units, warnings, head } = isPlain
    ? { ...(await listPlainly(world, asked)), head: undefined }
    : await listInFull(world, asked);
  await warn(world, { warnings });
  const unknown = units.filter((unit) => !unit.fingerprint);
  for (const { unit } of unknown)
    world.stderr.write(
      `warning: ${printable(unit)} has no fingerprint: one of its inputs cannot be read\n`,
    );
  world.stdout.write(renderFingerprints(units, { asked, warnings, head }));
  return unknown.length > 0 ? ExitCode.Unfinished : ExitCode.Ok;
}

/** Returns every package that has the script. It uses the cached result of an earlier run if the tree is the same. */
async function listPlainly(
  world: AffectedWorld,
  { script, head }: FingerprintOptions,
) {
  const look = await lookAtTree(world, head);
  const { units, warnings, root, settings } = await openTree(
    world,
    look,
    script,
  );
  const finish = openFinisher(
    { script, args: [] },
    await surroundingsOf(world, root, settings),
  );
  const having = units.filter(({ scripts }) => Object.hasOwn(scripts, script));
  if (having.length === 0) throw noScript(script);
  return {
    warnings,
    units: having.map(({ name, dir, fingerprint: tree }): PrintedUnit => ({
      ...{ package: name, dir, unit: `${name}#${script}` },
      fingerprint: tree && finish(name, tree),
    })),
  };
}

/** Returns the packages that the options name, with all details of their fingerprints. */
async function listInFull(world: AffectedWorld, asked: FingerprintOptions) {
  const { script } = asked;
  const now = await readTreeAt(world, asked.head, script);
  const { facts } = now;
  const before =
    asked.diff === undefined
      ? undefined
      : await readTreeAt({ ...world, early: undefined }, asked.diff, script);
  const surroundings = await surroundingsOf(world, facts.root, facts.settings);
  const finish = openFinisher({ script, args: [] }, surroundings);
  const packages = await packagesOf(facts, asked);
  const units = packages.map(({ name, dir }): PrintedUnit => {
    const fields = fieldsOf(name, now);
    return {
      ...{ package: name, dir, unit: `${name}#${script}` },
      fingerprint: fields && finish(name, fields),
      ...(asked.explain !== undefined && {
        entries: entriesOf(now.tree, name, surroundings),
      }),
      ...(before && {
        difference: differenceOf(name, before, now, surroundings),
      }),
    };
  });
  const { warnings, changeset } = facts;
  return {
    ...{ units, warnings },
    head: asked.head === undefined ? undefined : changeset.head,
  };
}

/** A tree with its facts. */
type KnownTree = ReadTree & { readonly tree: TreeFacts };

async function readTreeAt(
  world: AffectedWorld,
  head: string | undefined,
  script: string,
): Promise<KnownTree> {
  const { tree, ...read } = await readTree(
    world,
    await surveyTree(world, head),
    script,
  );
  if (!tree)
    throw new Failure(
      "fingerprints are not available: this partial clone has files that cannot be read, and these may use any package",
      { hint: "clone without --filter" },
    );
  return { ...read, tree };
}

function fieldsOf(name: string, { kept }: KnownTree) {
  return kept.units.find((unit) => unit.name === name)?.fingerprint;
}

function noScript(script: string): Failure {
  return usageFailure(
    `no package has a script called ${JSON.stringify(script)}`,
  );
}

/** Returns the packages that have the script and that the filters select. */
async function packagesOf(
  facts: LocalSurvey,
  { script, filter, explain }: FingerprintOptions,
): Promise<readonly PackageFacts[]> {
  const { packages } = facts.head;
  const having = packages.filter(({ manifest }) =>
    Object.hasOwn(manifest?.scripts ?? {}, script),
  );
  if (explain !== undefined) {
    const found = having.filter(({ name }) => name === explain);
    if (found.length > 0) return found;
    const near = nearest(
      explain,
      having.map(({ name }) => name),
    );
    throw usageFailure(
      `no package called ${printable(explain)} has a script called ${JSON.stringify(script)}`,
      {
        ...(near.length > 0 && {
          hint: `did you mean ${near.map(printable).join(" or ")}?`,
        }),
      },
    );
  }
  if (having.length === 0) throw noScript(script);
  if (filter.length === 0) return having;
  const filters = readFilters(filter);
  const kinds = factsAskedFor(filters);
  if (kinds.has("affected"))
    throw usageFailure(
      "a fingerprint describes a single tree, so affected() cannot be used here",
      {
        hint: "affected fingerprint --diff REV compares two",
      },
    );
  const selected = selectPackages(filters, wholeGraph(facts), {
    affected: new Set(),
    ownersOf: kinds.has("owner") ? await readOwners(facts) : () => [],
    tagsOf: tagReader(facts.settings.tags),
  });
  return having.filter(({ name }) => selected.has(name));
}

/**
 * Returns the first difference of a package's fingerprint between two trees; null if it is the same, "new" if the
 * package is new.
 */
function differenceOf(
  name: string,
  before: KnownTree,
  now: KnownTree,
  surroundings: Surroundings,
): Difference | "new" | null {
  const [was, is] = [fieldsOf(name, before), fieldsOf(name, now)];
  if (!before.tree.packages.has(name)) return "new";
  if (was && JSON.stringify(was) === JSON.stringify(is)) return null;
  return (
    firstDifference(
      entriesOf(before.tree, name, surroundings),
      entriesOf(now.tree, name, surroundings),
    ) ?? null
  );
}
