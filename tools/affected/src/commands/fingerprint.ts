import {
  ExitCode,
  Failure,
  nearest,
  printable,
  usageFailure,
} from "@skein/reporting";
import {
  entriesOf,
  firstDifference,
  hashTree,
  openFinisher,
} from "@skein/fingerprint";
import type { Difference, Surroundings, TreeFacts } from "@skein/fingerprint";
import {
  factsAskedFor,
  readFilters,
  selectPackages,
  tagReader,
} from "@skein/workspaces";
import type { PackageFacts } from "@skein/workspaces";
import type { Command, FingerprintOptions } from "../command.js";
import { factsOfTree, surroundingsOf, surveyTree } from "../fingerprints.js";
import { readOwners } from "../owners.js";
import { renderFingerprints } from "../render/fingerprint.js";
import type { PrintedUnit } from "../render/fingerprint.js";
import { warn } from "../select.js";
import type { LocalSurvey } from "../survey.js";
import { wholeGraph } from "../whole-graph.js";
import type { AffectedWorld } from "../world.js";

/** One tree with its facts. */
interface ReadTree {
  readonly facts: LocalSurvey;
  readonly tree: TreeFacts;
  readonly hashed: ReturnType<typeof hashTree>;
}

/** `affected fingerprint [script]`: a line for each package that has the script. */
export async function fingerprint(
  world: AffectedWorld,
  { fingerprint: asked }: Extract<Command, { kind: "fingerprint" }>,
): Promise<number> {
  const { script } = asked;
  const now = await readTree(world, asked.head, script);
  const { facts } = now;
  warn(world, facts);
  const before =
    asked.diff === undefined
      ? undefined
      : await readTree(world, asked.diff, script);
  const surroundings = await surroundingsOf(world, facts);
  const finish = openFinisher({ script, args: [] }, surroundings);
  const packages = await packagesOf(facts, asked);
  const units = packages.map(({ name, dir }): PrintedUnit => {
    const fields = now.hashed.get(name);
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
  const unknown = units.filter((unit) => !unit.fingerprint);
  for (const { unit } of unknown)
    world.stderr.write(
      `warning: ${printable(unit)} has no fingerprint: a file that counts can't be read as git would keep it\n`,
    );
  world.stdout.write(renderFingerprints(units, { asked, facts }));
  return unknown.length > 0 ? ExitCode.Unfinished : ExitCode.Ok;
}

async function readTree(
  world: AffectedWorld,
  head: string | undefined,
  script: string,
): Promise<ReadTree> {
  const facts = await surveyTree(world, head);
  const tree = await factsOfTree(facts, script);
  if (!tree)
    throw new Failure(
      "there are no fingerprints here: files of this partial clone cannot be read, and may use any package",
      { hint: "clone without --filter" },
    );
  return { facts, tree, hashed: hashTree(tree) };
}

/** The packages that have the script, as far as the filters leave them. */
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
  if (having.length === 0)
    throw usageFailure(
      `no package has a script called ${JSON.stringify(script)}`,
    );
  if (filter.length === 0) return having;
  const filters = readFilters(filter);
  const kinds = factsAskedFor(filters);
  if (kinds.has("affected"))
    throw usageFailure("a fingerprint is of one tree: nothing is affected()", {
      hint: "affected fingerprint --diff REV compares two",
    });
  const selected = selectPackages(filters, wholeGraph(facts), {
    affected: new Set(),
    ownersOf: kinds.has("owner") ? await readOwners(facts) : () => [],
    tagsOf: tagReader(facts.settings.tags),
  });
  return having.filter(({ name }) => selected.has(name));
}

/** How a package's fingerprint differs between two trees; null where it is the same, "new" where there was none. */
function differenceOf(
  name: string,
  before: ReadTree,
  now: ReadTree,
  surroundings: Surroundings,
): Difference | "new" | null {
  const [was, is] = [before.hashed.get(name), now.hashed.get(name)];
  if (!before.tree.packages.has(name)) return "new";
  if (was && JSON.stringify(was) === JSON.stringify(is)) return null;
  return (
    firstDifference(
      entriesOf(before.tree, name, surroundings),
      entriesOf(now.tree, name, surroundings),
    ) ?? null
  );
}
