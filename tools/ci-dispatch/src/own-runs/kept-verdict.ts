import type { Artifact, GitHub, RepositoryName } from "@skein/github";
import { Malformed } from "@skein/reporting/json";
import { strFromU8, unzipSync } from "fflate";
import type { Verdict } from "../verdict.js";
import { parseVerdict } from "../verdict/read-verdict.js";

const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Finds the artifact with the verdict of a run.
 * @param name the prefix of the names of the workflow's artifacts
 * @throws {GitHubError}
 */
export async function findVerdict(
  github: GitHub,
  repository: RepositoryName,
  { run, name }: { readonly run: number; readonly name: string },
): Promise<Artifact | undefined> {
  const wanted = `${name}-verdict`;
  const artifacts = await github.artifacts(repository, run, wanted);
  return artifacts.find(
    (each) => each.run === run && each.name === wanted && !each.expired,
  );
}

/**
 * Reads the verdict in an artifact, which may come from a pull request.
 * @returns a sentence why the artifact contains none
 * @throws {GitHubError}
 */
export async function readKeptVerdict(
  github: GitHub,
  repository: RepositoryName,
  { id, size }: Artifact,
): Promise<Verdict | string> {
  if (size > MOST_BYTES) return "its verdict is too large";
  const text = verdictIn(await github.artifact(repository, id));
  if (text === undefined) return "its artifact contains no verdict";
  try {
    return parseVerdict(strFromU8(text));
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return error.message;
  }
}

/** Returns the file `verdict.json` of an archive. It reads no other name, and unpacks nothing to a path. */
function verdictIn(archive: Uint8Array): Uint8Array | undefined {
  // An archive may contain the name many times, and each would be unpacked.
  let left = MOST_BYTES;
  try {
    return unzipSync(archive, {
      filter: ({ name, originalSize }) =>
        name === "verdict.json" && (left -= originalSize) >= 0,
    })["verdict.json"];
  } catch {
    return undefined;
  }
}
