import { createHash } from "node:crypto";
import type { Via } from "@skein/runner";
import { manifestRefusal, type OutputItem } from "./manifest.js";

/** The cached result of a unit that passed. */
export interface KeptResult {
  readonly version: 1;
  /** `package#script`. */
  readonly unit: string;
  /** The scope that wrote it (`scope.ts`). */
  readonly scope: string;
  readonly fingerprint: string;
  /** HEAD of the run; null before the first commit. */
  readonly commit: string | null;
  /** When the unit passed, in milliseconds since 1970. */
  readonly at: number;
  readonly durationMs: number;
  readonly via: Via;
  readonly log: KeptLog;
  /** The files that the script made, sorted by path. */
  readonly outputs: readonly OutputItem[];
}

/** The output of the script, without the values of secrets. */
export interface KeptLog {
  readonly text: string;
  readonly bytes: number;
  /** SHA-256 of the whole log if `text` is shortened; otherwise null. */
  readonly blob: string | null;
}

/** The properties by which a result is found in the cache. */
export interface Wanted {
  readonly unit: string;
  /** Hexadecimal. */
  readonly fingerprint: string;
  /** Globs of outputs, relative to the package's folder; `!glob` excludes. */
  readonly outputs: readonly string[];
  /** Seconds; undefined for no limit. */
  readonly maxAgeSeconds: number | undefined;
}

/** Returns the name of a result in the store: the SHA-256 of all fields, each after its length, in hexadecimal. */
export function resultKey(
  scope: string,
  { unit, fingerprint, outputs }: Omit<Wanted, "maxAgeSeconds">,
): string {
  const digest = createHash("sha256");
  for (const field of ["result 1", scope, unit, fingerprint, ...outputs])
    digest.update(`${Buffer.byteLength(field)}:${field}`);
  return digest.digest("hex");
}

/** Returns a result as bytes. */
export function encodeResult(result: KeptResult): Buffer {
  return Buffer.from(JSON.stringify(result));
}

const HASH = /^[0-9a-f]{64}$/;

/**
 * Parses a cached result and checks every field, because a server or another program may have written the bytes.
 * @returns undefined if the bytes aren't a result of this version, or if its outputs are unsafe
 */
export function decodeResult(bytes: Buffer): KeptResult | undefined {
  let value: Partial<KeptResult> | null;
  try {
    value = JSON.parse(bytes.toString("utf8")) as Partial<KeptResult> | null;
  } catch {
    return undefined;
  }
  if (value === null) return undefined;
  // The type is only a claim so far. The code below checks each field.
  const { log, outputs, at, durationMs, commit, via } = value;
  const isWhole =
    value.version === 1 &&
    [value.unit, value.scope, value.fingerprint].every(isText) &&
    (commit === null || isText(commit)) &&
    [at, durationMs, log?.bytes].every(isAmount) &&
    (via === "shell" || via === "yarn" || via === "batch") &&
    isText(log?.text) &&
    (log.blob === null || HASH.test(log.blob)) &&
    Array.isArray(outputs) &&
    manifestRefusal(outputs) === undefined;
  return isWhole ? (value as KeptResult) : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** The largest time of a Date, in milliseconds. */
const MOST = 8.64e15;

function isAmount(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= MOST;
}

/** Returns every blob that a result needs. */
export function blobsOf({
  log,
  outputs,
}: Pick<KeptResult, "log" | "outputs">): string[] {
  return [
    ...(log.blob === null ? [] : [log.blob]),
    ...outputs.flatMap((item) => (item.kind === "file" ? [item.hash] : [])),
  ];
}
