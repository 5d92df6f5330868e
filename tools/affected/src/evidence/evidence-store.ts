import { createHash } from "node:crypto";
import { join } from "node:path";
import { deflateSync, inflateSync } from "node:zlib";
import { readKept, writeKept } from "@skein/git";
import { packEvidence, unpackEvidence, type Evidence } from "@skein/trace";

/** The maximum size of one script's evidence, in compressed bytes. */
const MOST_BYTES = 4 * 2 ** 20;

/** The evidence of one script, and of the units whose outputs its units used. */
export interface EvidenceStore {
  /** Evidence by unit; the latest is last. */
  readonly evidence: ReadonlyMap<string, Evidence>;
  /** Replaces the evidence of these units. If the file would become too large, the oldest evidence is removed. */
  keep(units: readonly string[], evidence: readonly Evidence[]): void;
}

/** Opens the stored evidence of one script. An unreadable file counts as empty. */
export function evidenceStore(cacheDir: string, script: string): EvidenceStore {
  const name = createHash("sha256").update(script).digest("hex").slice(0, 16);
  const file = join(cacheDir, `evidence-${name}`);
  const kept = read(file);
  return {
    evidence: kept,
    keep(units, evidence) {
      const ran = new Set(units);
      const all = [...kept.values()].filter(({ unit }) => !ran.has(unit));
      all.push(...evidence);
      let body = pack(all);
      while (body.length > MOST_BYTES && all.length > 0) {
        all.splice(0, Math.ceil(all.length / 4));
        body = pack(all);
      }
      writeKept(file, body);
    },
  };
}

function pack(evidence: readonly Evidence[]): Buffer {
  return deflateSync(JSON.stringify(packEvidence(evidence)));
}

function read(file: string): Map<string, Evidence> {
  const bytes = readKept(file);
  if (!bytes) return new Map();
  try {
    const packed: unknown = JSON.parse(inflateSync(bytes).toString("utf8"));
    return new Map(unpackEvidence(packed).map((each) => [each.unit, each]));
  } catch {
    return new Map();
  }
}
