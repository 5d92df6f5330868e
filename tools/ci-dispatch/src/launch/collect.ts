import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { strFromU8, unzipSync } from "fflate";
import type { Artifact, GitHub, RepositoryName } from "@skein/github";
import { printable } from "@skein/reporting";
import type { Attestation, AttestedUnit } from "../attestation.js";
import { Malformed } from "@skein/reporting/json";
import type { LaunchedJob, LaunchState } from "../launch.js";
import { parseAttestation, type Found } from "../verdict/read-attestations.js";
import { lossWords, type LaunchEvent } from "./event.js";

/** The prefix of the names of artifacts that contain attestations. */
const PREFIX = "ci-dispatch-attestation";
/** The maximum size of an artifact. The attestation of a job has only some kilobytes. */
const MOST_BYTES = 64 * 1024 * 1024;

export interface CollectOptions {
  readonly github: Pick<GitHub, "artifacts" | "artifact" | "newestArtifacts">;
  readonly repository: RepositoryName;
  readonly plan: string;
  /** The folder to write to, which must exist. */
  readonly folder: string;
  readonly onEvent: (event: LaunchEvent) => void;
}

/** Collects the attestations of a job's newest machine. */
export type Collect = (job: LaunchedJob) => Promise<readonly Found[]>;

/**
 * Prepares to collect the attestations of several jobs. With more than one job, a single request lists most of the
 * artifacts. Artifacts that it doesn't list yet are requested per run.
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
 * Writes a run's attestations of its job to the folder. The run has run code of a pull request, so the function accepts
 * only an attestation of this plan, this job and this attempt, and chooses the file's name itself. It replaces the
 * machine's number by that of the launch, because a run that runs again uses the same number.
 */
async function collect(
  { job, machine, attempt }: LaunchedJob,
  run: number,
  artifacts: readonly Artifact[],
  { github, repository, plan, folder, onEvent }: CollectOptions,
): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (const { id, name, size, expired } of artifacts) {
    if (!name.startsWith(PREFIX) || expired) continue;
    const refuse = (why: string) =>
      onEvent({ kind: "not-counted", run, artifact: name, why });
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
      // Attestations of earlier attempts were collected when those attempts were over.
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

/** Removes the names of logs. The logs stay in the artifact, so the folder has no such files. */
function withoutLogs(unit: AttestedUnit): AttestedUnit {
  return {
    ...unit,
    attempts: unit.attempts.map((attempt) => {
      const { log, ...kept } = attempt;
      return log === undefined ? attempt : kept;
    }),
  };
}

/** Returns the texts of the JSON files in an archive. Nothing is unpacked to a path, so their names don't matter. */
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
    if (left < 0) refuse("it unpacks to more than an attestation can contain");
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
    if (!(error instanceof Malformed)) throw error;
    refuse(
      `it isn't an attestation of version 1 (${printable(error.message)})`,
    );
    return undefined;
  }
}

/** Writes attestations without units for lost machines, so that a verdict of the folder includes them. */
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
