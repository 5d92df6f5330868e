import { ciOf } from "@skein/ci";
import { openRepository } from "@skein/git";
import { printable } from "@skein/reporting";
import { hashOf } from "../canonical.js";
import type { HistoryEvent } from "../history/event.js";
import { Malformed, members } from "@skein/reporting/json";
import type { Attested } from "../plan.js";
import type { DispatchWorld } from "../world.js";
import { askFingerprints } from "./ask-affected.js";
import type { Fingerprints } from "./choose-reuse.js";

/**
 * The fields of a fingerprint that are not taken as `affected` tells them: it knows the machine that plans, and a unit
 * runs on another one. `runtimeOf` stands for it.
 */
const OF_MACHINE = "runtime";

export interface FingerprintsRequest {
  /** Name of the root's package: its scripts may read any file. */
  readonly root: string;
  readonly scripts: readonly string[];
  readonly history: readonly HistoryEvent[];
  readonly recheck: number;
  /** What else decides how units run: the workflow's inputs. */
  readonly environment: string;
  readonly head: string | null;
}

/**
 * Reads the fingerprints of scripts at HEAD, and where trusted runs attested some. What can't be known is not reused.
 */
export async function readFingerprints(
  world: DispatchWorld,
  { root, scripts, history, recheck, environment, head }: FingerprintsRequest,
): Promise<Fingerprints> {
  const now = new Map<string, string>();
  const runtime = runtimeOf(world);
  const { git } = await openRepository(world);
  const tree = await git.run(["rev-parse", "HEAD^{tree}"]);
  const everything = tree.stdout.toString("latin1").trim();
  for (const script of new Set(scripts)) {
    const text = await askFingerprints(world, script);
    if (text === undefined) {
      world.stderr.write(
        `warning: nothing of ${printable(script)} is reused: its fingerprints are not known\n`,
      );
      continue;
    }
    for (const [unit, fields] of fieldsIn(text)) {
      const files = unit === `${root}#${script}` ? everything : undefined;
      const all = { version: 1, fields, files, environment, runtime };
      now.set(unit, hashOf(all));
    }
  }
  // Who runs a whole run again wants it to run.
  const own = ciOf(world.env).run.id;
  return { now, attested: attestedIn(history, own), recheck, salt: head ?? "" };
}

/** Returns what units run on, as far as a job knows it before it tests: Node, the system, the runner's image. */
export function runtimeOf({ node, env }: DispatchWorld): string {
  const { ImageOS: image = "" } = env;
  return [node.version, node.platform, node.arch, image].join(" ").trim();
}

/** Where units passed, by fingerprint; the newest counts. Pure. */
function attestedIn(
  history: readonly HistoryEvent[],
  ownRun: string | undefined,
): ReadonlyMap<string, Attested> {
  const attested = new Map<string, Attested>();
  for (const { fingerprint, run, commit, at, verdict } of history) {
    if (fingerprint === undefined || run === undefined) continue;
    if (verdict !== "passed" || run === ownRun) continue;
    const known = attested.get(fingerprint);
    if (!known || known.at < at) attested.set(fingerprint, { commit, run, at });
  }
  return attested;
}

/** The fields of each unit's fingerprint in the JSON of `affected fingerprint`, but for those of the machine. */
function fieldsIn(text: string): readonly (readonly [string, unknown])[] {
  const answer = members(JSON.parse(text) as unknown, "fingerprints");
  if (answer.number("version") !== 1)
    throw new Malformed("fingerprints.version is not 1");
  return answer
    .list("units", (unit) => {
      const hex = unit.unknown("hex");
      if (typeof hex !== "string") return undefined;
      const fields = unit
        .list("fields", (of) => [of.text("name"), of.text("hex")] as const)
        .filter(([name]) => name !== OF_MACHINE);
      return [unit.text("unit"), fields] as const;
    })
    .filter((entry) => entry !== undefined);
}
