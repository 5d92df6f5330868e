import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ciOf } from "@skein/ci";
import type { Settings } from "@skein/workspaces";
import { hashOf } from "../../canonical.js";
import type { PlanOverrides } from "../../command.js";
import { eventPayload } from "../../github-event.js";
import { mayAppend } from "../../history/may-append.js";
import { proofsOf } from "../../history/traces.js";
import type { Attested, PlannedTraces } from "../../plan.js";
import type { DispatchWorld } from "../../world.js";
import { chooseTraces, type Traceable } from "../units/choose-traces.js";
import { oldestOf, runtimeOf } from "./read-fingerprints.js";
import type { KnownHistory } from "./read-history.js";

/** The evidence that the main branch recorded, for one plan. */
export interface UsableEvidence {
  /** The runs that traced units whose evidence counts. */
  readonly proofs: ReadonlyMap<string, Attested>;
  /** Calls a function with the files of evidence, the newest last; with undefined if none is used. */
  use<T>(ask: (files: readonly string[] | undefined) => Promise<T>): Promise<T>;
  /** Returns the units whose traces this run records; undefined for none. */
  toRecord(units: readonly Traceable[]): Promise<PlannedTraces | undefined>;
}

export interface EvidenceInput extends Omit<KnownHistory, "trusted"> {
  readonly settings: Settings;
  readonly overrides: Pick<PlanOverrides, "environment">;
}

/** Opens the evidence of the main branch. If the branch isn't read, or evidence isn't used, it is empty. */
export function openEvidence(
  world: DispatchWorld,
  { settings, overrides, history, traces }: EvidenceInput,
): UsableEvidence {
  const { cache, dispatch } = settings;
  const runtime = runtimeOf(world);
  const inputs = overrides.environment ?? "";
  const environment = hashOf({ environment: inputs, runtime });
  const runs = (traces ?? []).filter((run) => run.environment === environment);
  const isKept = (script: string) => cache.scripts[script] !== false;
  const limits = oldestOf(dispatch.scripts, cache, world.now());
  return {
    proofs: proofsOf(runs, {
      environment,
      history,
      oldest: (script) =>
        isKept(script) ? (limits.get(script) ?? "") : undefined,
    }),
    async use(ask) {
      if (!traces) return ask(undefined);
      const folder = await mkdtemp(join(tmpdir(), "ci-dispatch-"));
      try {
        // Without a file, `affected` would use the evidence of this clone.
        const none = { version: 1, script: "", units: [], evidence: {} };
        const files: string[] = [];
        for (const [index, each] of [none, ...runs].entries()) {
          const file = join(folder, `${index}.json`);
          await writeFile(file, JSON.stringify(each));
          files.push(file);
        }
        return await ask(files);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
    async toRecord(units) {
      if (!traces || !(await isMain(world))) return undefined;
      const chosen = chooseTraces(
        units.filter(({ script }) => isKept(script)),
        runs,
        dispatch.traces,
        world.now(),
      );
      const [first] = chosen;
      return (
        first && {
          script: first.script,
          packages: chosen.map(({ workspace }) => workspace),
          budgetSeconds: dispatch.traces.budgetSeconds,
          environment,
          runtime,
        }
      );
    },
  };
}

/** Returns whether this is a push to the default branch. Only its runs write evidence for others. */
async function isMain({ env }: DispatchWorld): Promise<boolean> {
  const ci = ciOf(env);
  return (
    ci.event.name === "push" &&
    mayAppend(env, await eventPayload(ci)) === undefined
  );
}
