import { ciOf } from "@skein/ci";
import { openRepository } from "@skein/git";
import type { CacheSettings } from "@skein/workspaces";
import { printable } from "@skein/reporting";
import { hashOf } from "../../canonical.js";
import type { HistoryEvent } from "../../history/event.js";
import * as json from "@skein/reporting/json";
import { earlierPushes, knownResults } from "../../own-runs/attested-by.js";
import { readOwnRuns } from "../../own-runs/read-own-runs.js";
import type { DispatchWorld } from "../../world.js";
import { askFingerprints } from "./ask-affected.js";
import type { Fingerprint, Fingerprints } from "../units/choose-reuse.js";

/**
 * The field of a fingerprint that describes the planning machine. Units run on other machines, so `runtimeOf` replaces it.
 */
const OF_MACHINE = "runtime";

export interface FingerprintsRequest {
  /** The name of the root's package, whose scripts may read any file. */
  readonly root: string;
  readonly scripts: readonly string[];
  readonly history: readonly HistoryEvent[];
  readonly recheck: number;
  /** Other factors that affect how units run: the workflow's inputs. */
  readonly environment: string;
  readonly head: string | null;
  /** The scripts whose results skein.json caches for a limited time, or not at all. */
  readonly cache: CacheSettings;
  /** The prefix of the names of the workflow's artifacts; undefined to read no runs of a pull request. */
  readonly artifacts: string | undefined;
}

/**
 * Reads the fingerprints of scripts at HEAD, and earlier results under them: in runs of the default branch and its merge
 * queue, and in earlier runs of this pull request. Units without a known fingerprint aren't reused.
 */
export async function readFingerprints(
  world: DispatchWorld,
  request: FingerprintsRequest,
): Promise<Fingerprints> {
  const { scripts, history, recheck, environment, head, cache } = request;
  // The settings for the cache of results apply here too.
  const asked = scripts.filter((each) => cache.scripts[each] !== false);
  const { git } = await openRepository(world);
  const parsed = await git.run(["rev-parse", "HEAD^{tree}"]);
  const files = parsed.stdout.toString("latin1").trim();
  const [own, now] = await Promise.all([
    request.artifacts === undefined
      ? []
      : readOwnRuns(world, request.artifacts),
    readNow(world, request, { scripts: new Set(asked), files }),
  ]);
  const runtime = runtimeOf(world);
  const tree = hashOf({ version: 1, files, environment, runtime });
  const ownRun = ciOf(world.env).run.id;
  const known = knownResults(history, own, { ownRun, tree });
  const earlier = earlierPushes(own);
  const oldest = oldestOf(asked, cache, world.now());
  return { now, tree, earlier, known, oldest, recheck, salt: head ?? "" };
}

/** Reads the fingerprints of scripts at HEAD, by unit. @param files the id of HEAD's tree */
async function readNow(
  world: DispatchWorld,
  { root, environment }: FingerprintsRequest,
  {
    scripts,
    files,
  }: { readonly scripts: ReadonlySet<string>; readonly files: string },
): Promise<ReadonlyMap<string, Fingerprint>> {
  const now = new Map<string, Fingerprint>();
  const runtime = runtimeOf(world);
  for (const script of scripts) {
    const text = await askFingerprints(world, script);
    if (text === undefined) {
      world.stderr.write(
        `warning: no results of ${printable(script)} are reused, because its fingerprints are unknown\n`,
      );
      continue;
    }
    for (const { unit, fields, varying } of unitsIn(text)) {
      const whole = unit === `${root}#${script}` ? files : undefined;
      const all = { version: 1, fields, files: whole, environment, runtime };
      now.set(unit, {
        hex: hashOf(all),
        fields: shortened([
          ...fields,
          ...(whole === undefined ? [] : [["tree", whole] as const]),
          ["environment", hashOf(environment)],
          ["machine", hashOf(runtime)],
        ]),
        varying,
      });
    }
  }
  return now;
}

/** Returns the scripts whose results are used for a while only, and since when. */
export function oldestOf(
  scripts: Iterable<string>,
  { scripts: rules }: CacheSettings,
  now: number,
): ReadonlyMap<string, string> {
  return new Map(
    [...scripts].flatMap((script) => {
      const rule = Object.hasOwn(rules, script) ? rules[script] : undefined;
      const seconds = rule ? rule.maxAgeSeconds : undefined;
      return seconds === undefined
        ? []
        : [[script, new Date(now - seconds * 1000).toISOString()] as const];
    }),
  );
}

/** Shortens each hash to a length that still distinguishes two values. */
function shortened(
  fields: readonly (readonly [string, string])[],
): Fingerprint["fields"] {
  return Object.fromEntries(
    fields.map(([name, hex]) => [name, hex.slice(0, 8)]),
  );
}

/** Returns the runtime of units, as far as a job knows it before it tests: Node, the system, the runner's image. */
export function runtimeOf({ node, env }: DispatchWorld): string {
  const { ImageOS: image = "" } = env;
  return [node.version, node.platform, node.arch, image].join(" ").trim();
}

/** A unit in the JSON of `affected fingerprint`, without the field of the planning machine. */
interface PrintedUnit {
  readonly unit: string;
  readonly fields: readonly (readonly [string, string])[];
  readonly varying: readonly string[];
}

const answer = json.object({
  version: json.version(1),
  units: json.list(
    json.object({
      unit: json.text,
      hex: json.orNothing(json.text),
      fields: json.optional(
        json.list(json.object({ name: json.text, hex: json.text })),
      ),
      varying: json.optional(json.list(json.text)),
    }),
  ),
});

/** Returns the units with a known fingerprint. */
function unitsIn(text: string): readonly PrintedUnit[] {
  return json
    .parse(text, answer, "fingerprints")
    .units.filter(({ hex }) => hex !== null)
    .map(({ unit, fields = [], varying = [] }) => ({
      unit,
      fields: fields
        .filter(({ name }) => name !== OF_MACHINE)
        .map(({ name, hex }) => [name, hex] as const),
      varying,
    }));
}
