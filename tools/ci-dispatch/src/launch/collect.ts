import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { strFromU8, unzipSync } from "fflate";
import type { GitHub, RepositoryName } from "@skein/github";
import { printable } from "@skein/reporting";
import type { Attestation } from "../attestation.js";
import { Malformed } from "../json.js";
import type { LaunchedJob } from "../launch.js";
import { parseAttestation } from "../verdict/read-attestations.js";
import type { Found } from "../verdict/read-attestations.js";

/** Artifacts whose name begins so hold attestations. */
const PREFIX = "ci-dispatch-attestation";
/** A job's attestation is some kilobytes; whoever keeps more wants something else. */
const MOST_BYTES = 64 * 1024 * 1024;

export interface CollectOptions {
  readonly github: Pick<GitHub, "artifacts" | "artifact">;
  readonly repository: RepositoryName;
  readonly plan: string;
  /** The folder that they are written to; it is there. */
  readonly folder: string;
  readonly tell: (line: string) => void;
}

/**
 * Takes what a run attests of its job into the folder. The run has run code of a pull request: only what reads as an
 * attestation of this plan, this job and this machine is taken, and written under a name of our own.
 * @throws {GitHubError}
 */
export async function collect(
  { job, machine, run }: LaunchedJob,
  { github, repository, plan, folder, tell }: CollectOptions,
): Promise<readonly Found[]> {
  if (run === null) return [];
  const found: Found[] = [];
  for (const artifact of await github.artifacts(repository, run)) {
    const { id, name, size, expired } = artifact;
    if (!name.startsWith(PREFIX) || expired) continue;
    const refuse = (why: string) =>
      tell(`not counted: ${printable(name)} of run ${run}: ${why}`);
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
        attestation.machine !== machine
      ) {
        refuse(
          `it is for machine ${attestation.machine} of ${printable(attestation.job)} and plan ${printable(attestation.plan)}`,
        );
        continue;
      }
      const file = `${job}.${attestation.attempt}.${machine}.${id}.json`;
      await writeFile(join(folder, file), text);
      found.push({ file, attestation });
    }
  }
  return found;
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
    refuse(`it is no zip archive (${(error as Error).message})`);
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
    refuse(`it is no attestation of version 1 (${printable(error.message)})`);
    return undefined;
  }
}
