import { createHash } from "node:crypto";
import type { Via } from "@skein/runner";
import { manifestRefusal } from "./manifest.js";
import type { OutputItem } from "./manifest.js";

/** A unit that passed, as it is kept. */
export interface KeptResult {
  readonly version: 1;
  /** `package#script`. */
  readonly unit: string;
  /** Who wrote it (`scope.ts`). */
  readonly scope: string;
  readonly fingerprint: string;
  /** HEAD of the run; null before the first commit. */
  readonly commit: string | null;
  /** When the unit passed, in milliseconds since 1970. */
  readonly at: number;
  readonly durationMs: number;
  readonly via: Via;
  readonly log: KeptLog;
  /** The files that the script made, in order of path. */
  readonly outputs: readonly OutputItem[];
}

/** What the script printed, without the values of secrets. */
export interface KeptLog {
  readonly text: string;
  readonly bytes: number;
  /** SHA-256 of the whole log where `text` is shortened; else null. */
  readonly blob: string | null;
}

/** What a result is kept under. */
export interface Wanted {
  readonly unit: string;
  /** Hexadecimal. */
  readonly fingerprint: string;
  /** Globs of outputs, from the package's folder; `!glob` excludes. */
  readonly outputs: readonly string[];
  /** Seconds; undefined for no limit. */
  readonly maxAgeSeconds: number | undefined;
}

/** Returns the name of a result in the store: SHA-256 of each field after its length, in hexadecimal. */
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
 * Parses a kept result and checks every field, because a server or another program may have written the bytes.
 * @returns undefined where the bytes are no result of this version, or its outputs are unsafe
 */
export function decodeResult(bytes: Buffer): KeptResult | undefined {
  let value: Partial<KeptResult> | null;
  try {
    value = JSON.parse(bytes.toString("utf8")) as Partial<KeptResult> | null;
  } catch {
    return undefined;
  }
  if (value === null) return undefined;
  // The type is only a claim up to here: each field is compared with what it must be.
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

/** The largest that a Date holds, in milliseconds. */
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
