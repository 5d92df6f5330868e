import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { strFromU8, unzipSync } from "fflate";
import type { Artifact, GitHub, RepositoryName } from "@skein/github";
import { printable } from "@skein/reporting";
import type { Attestation, AttestedUnit } from "../attestation.js";
import { Malformed } from "@skein/reporting/json";
import type { LaunchedJob, LaunchState } from "../launch.js";
import { parseAttestation } from "../verdict/read-attestations.js";
import type { Found } from "../verdict/read-attestations.js";
import { lossWords } from "./event.js";
import type { LaunchEvent } from "./event.js";

/** Artifacts whose name begins so hold attestations. */
const PREFIX = "ci-dispatch-attestation";
/** A job's attestation is some kilobytes; whoever keeps more wants something else. */
const MOST_BYTES = 64 * 1024 * 1024;

export interface CollectOptions {
  readonly github: Pick<GitHub, "artifacts" | "artifact" | "newestArtifacts">;
  readonly repository: RepositoryName;
  readonly plan: string;
  /** The folder that they are written to; it is there. */
  readonly folder: string;
  readonly tell: (event: LaunchEvent) => void;
}

/** Takes what the newest machine of a job attests. */
export type Collect = (job: LaunchedJob) => Promise<readonly Found[]>;

/**
 * Prepares for taking what several jobs attest: where there is more than one, a single list names most of what they
 * have kept. What it does not name yet is asked of the run itself.
 * @throws {GitHubError}
 */
export async function openCollection(
  jobs: readonly LaunchedJob[],
  options: CollectOptions,
): Promise<Collect> {
  const { github, repository } = options;
  const newest =
    jobs.length > 1 ? await github.newestArtifacts(repository) : [];
  return async (job) => {
    const { run } = job;
    if (run === null) return [];
    const listed = newest.filter((artifact) => artifact.run === run);
    const found = await collect(job, run, listed, options);
    if (found.length > 0) return found;
    const known = new Set(listed.map(({ id }) => id));
    const all = await github.artifacts(repository, run);
    const others = all.filter(({ id }) => !known.has(id));
    return collect(job, run, others, options);
  };
}

/**
 * Takes what a run attests of its job into the folder. The run has run code of a pull request: only what reads as an
 * attestation of this plan, this job and this attempt is taken, and written under a name of our own, as what the launch's
 * machine of this number attests: a run that runs again calls itself the same machine.
 */
async function collect(
  { job, machine, attempt }: LaunchedJob,
  run: number,
  artifacts: readonly Artifact[],
  { github, repository, plan, folder, tell }: CollectOptions,
): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (const { id, name, size, expired } of artifacts) {
    if (!name.startsWith(PREFIX) || expired) continue;
    const refuse = (why: string) =>
      tell({ kind: "not-counted", run, artifact: name, why });
    if (size > MOST_BYTES) {
      refuse(`${size} bytes`);
      continue;
    }
    for (const text of textsOf(await github.artifact(repository, id), refuse)) {
      const attestation = parse(text, refuse);
      if (!attestation) continue;
      if (
        attestation.plan !== plan ||
        attestation.job !== job ||
        attestation.machine !== machine - attempt + 1
      ) {
        refuse(
          `it is for machine ${attestation.machine} of ${printable(attestation.job)} and plan ${printable(attestation.plan)}`,
        );
        continue;
      }
      // Those of earlier attempts were taken when they were over.
      if (attestation.attempt !== attempt) continue;
      const own = {
        ...attestation,
        attempt: 1,
        machine,
        units: attestation.units.map(withoutLogs),
      };
      const file = `${job}.1.${machine}.${id}.json`;
      await writeFile(join(folder, file), `${JSON.stringify(own, null, 2)}\n`);
      found.push({ file, attestation: own });
    }
  }
  return found;
}

/** Logs stay in the artifact: what is collected has no file of that name. */
function withoutLogs(unit: AttestedUnit): AttestedUnit {
  return {
    ...unit,
    attempts: unit.attempts.map((attempt) => {
      const { log, ...kept } = attempt;
      return log === undefined ? attempt : kept;
    }),
  };
}

/** The JSON files of an archive. Their names are not read further: nothing is unpacked to a path. */
function textsOf(
  archive: Uint8Array,
  refuse: (why: string) => void,
): readonly string[] {
  let left = MOST_BYTES;
  try {
    const files = unzipSync(archive, {
      filter: ({ name, originalSize }) =>
        name.endsWith(".json") && (left -= originalSize) >= 0,
    });
    if (left < 0) refuse("it unpacks to more than an attestation holds");
    return Object.values(files).map((bytes) => strFromU8(bytes));
  } catch (error) {
    refuse(`it isn't a zip archive (${(error as Error).message})`);
    return [];
  }
}

function parse(
  text: string,
  refuse: (why: string) => void,
): Attestation | undefined {
  try {
    return parseAttestation(text);
  } catch (error) {
    if (!(error instanceof Malformed || error instanceof SyntaxError))
      throw error;
    refuse(
      `it isn't an attestation of version 1 (${printable(error.message)})`,
    );
    return undefined;
  }
}

/** Writes down the machines that told nothing, as attestations of nothing: a verdict of the folder knows of them. */
export async function writeLosses(
  { plan, jobs }: LaunchState,
  folder: string,
): Promise<void> {
  for (const { job, lost } of jobs)
    for (const each of lost) {
      const attestation: Attestation = {
        version: 1,
        plan,
        job,
        attempt: 1,
        machine: each.machine,
        finished: false,
        lost: lossWords(each),
        units: [],
      };
      await writeFile(
        join(folder, `${job}.1.${each.machine}.lost.json`),
        `${JSON.stringify(attestation, null, 2)}\n`,
      );
    }
}
