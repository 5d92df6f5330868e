import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { ifMissing } from "@skein/reporting";
import { Malformed, parse } from "@skein/reporting/json";
import { ATTESTATION, type Attestation } from "../attestation.js";
import { readPlainFile, TooLarge } from "../plain-file.js";
import type { Refused } from "../verdict.js";
import { FILES, type Layout } from "./layout.js";

/** A file with a well-formed attestation. The plan determines whether it counts. */
export interface Found {
  readonly file: string;
  readonly attestation: Attestation;
}

/** The maximum size of all files together. The attestation of a job has only some kilobytes. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Reads all JSON files below a folder, except those of the plan's own artifact. They come from jobs that ran code of a
 * pull request, so their data is untrusted. It opens only regular files, so that a link cannot lead elsewhere. A folder
 * that doesn't exist is treated as empty.
 */
export async function readAttestations(
  folder: string,
  { name }: Layout = FILES,
): Promise<{
  readonly found: readonly Found[];
  readonly refused: readonly Refused[];
}> {
  const found: Found[] = [];
  const refused: Refused[] = [];
  const all = { recursive: true, withFileTypes: true } as const;
  const entries = (await readdir(folder, all).catch(ifMissing)) ?? [];
  const plans = ["plan.json", join(`${name}-plan`, "plan.json")];
  const paths = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !plans.includes(relative(folder, path)))
    .sort();
  let left = MOST_BYTES;
  for (const path of paths) {
    const file = relative(folder, path);
    try {
      const text = await readPlainFile(path, left);
      left -= text.length;
      found.push({ file, attestation: parseAttestation(text) });
    } catch (error) {
      if (error instanceof TooLarge) {
        const detail = `${error.size} bytes`;
        refused.push({ file, why: "too-large", detail });
        continue;
      }
      if (!(error instanceof Malformed)) throw error;
      refused.push({ file, why: "malformed", detail: error.message });
    }
  }
  return { found, refused };
}

/** Parses an attestation. @throws {Malformed} if the text isn't an attestation of version 1 */
export function parseAttestation(text: string): Attestation {
  return parse(text, ATTESTATION, "attestation");
}
