import { isRecord } from "@skein/reporting/is-record";
import { findJsonError, nestsDeeper } from "../json-error.js";
import { identOf, LockfileError, rangeOf } from "./lockfile.js";
import type { LockDependency, LockEntry, Lockfile } from "./lockfile.js";

/**
 * Returns whether a yarn.lock has the form of Yarn 6. Yarn itself checks whether it begins with a comment, as older
 * ones do.
 */
export function isJsonLockfile(text: string): boolean {
  return /^\uFEFF?\s*\{/.test(text);
}

/**
 * Parses a yarn.lock of Yarn 6: JSON with `entries`, from descriptors to a `resolution` and its checksum. It contains
 * packages from a registry, from git or by a URL. Workspaces, aliases, patches and local folders are missing
 * (`completeLockfile` adds them). Source of the format: `lockfile.rs` and `primitives_exts.rs` of yarnpkg/zpm, lockfile
 * version 9.
 * @param known another lockfile of this form; equal entries are taken from it
 * @throws {LockfileError} for merge-conflict markers, or another form
 */
export function parseJsonLockfile(text: string, known?: Lockfile): Lockfile {
  const json = text.replace(/^\uFEFF/, "");
  const value = parse(json);
  const entries = isRecord(value) ? value["entries"] : undefined;
  if (!isRecord(value) || !isRecord(value["__metadata"]) || !isRecord(entries))
    throw new LockfileError("syntax", 1);
  const byKey = new Map(known?.entries.map((entry) => [entry.key, entry]));
  return {
    leavesOutWorkspaces: true,
    entries: Object.entries(entries).map(([key, entry]) => {
      const same = byKey.get(key);
      const written = JSON.stringify(entry);
      return same?.text === written ? same : entryOf(key, entry, written, json);
    }),
  };
}

function parse(json: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    const marker = /^(<{7}|={7}|>{7}|\|{7})/m.exec(json);
    if (marker) throw new LockfileError("conflict", lineAt(json, marker.index));
    throw new LockfileError("syntax", findJsonError(json).line);
  }
  // Entries have four levels, and recursive functions process them.
  if (nestsDeeper(json, 50)) throw new LockfileError("syntax", 1);
  return value;
}

function entryOf(
  key: string,
  entry: unknown,
  text: string,
  json: string,
): LockEntry {
  const fields = isRecord(entry) ? entry["resolution"] : undefined;
  const resolution = isRecord(fields) ? fields["resolution"] : undefined;
  if (!isRecord(fields) || typeof resolution !== "string")
    throw new LockfileError(
      "syntax",
      lineAt(json, Math.max(0, json.indexOf(JSON.stringify(key)))),
    );
  const peers = pairs(fields["peerDependencies"]);
  const known = new Set(peers.map(([ident]) => ident));
  return {
    key,
    descriptors: key.split(/ *, */),
    resolution,
    dependencies: [
      ...pairs(fields["dependencies"]),
      // The builds of one package for several platforms.
      ...strings(fields["variants"]).map((variant): LockDependency => [
        identOf(variant),
        rangeOf(variant),
      ]),
    ],
    peerDependencies: [
      ...peers,
      ...strings(fields["optionalPeerDependencies"])
        .filter((ident) => !known.has(ident))
        .map((ident): LockDependency => [ident, "*"]),
    ],
    text,
  };
}

function pairs(value: unknown): LockDependency[] {
  return isRecord(value)
    ? Object.entries(value).flatMap(([ident, range]): LockDependency[] =>
        typeof range === "string" ? [[ident, range]] : [],
      )
    : [];
}

function strings(value: unknown): string[] {
  return Array.isArray(value)
    ? value.filter((each): each is string => typeof each === "string")
    : [];
}

function lineAt(text: string, position: number): number {
  return text.slice(0, position).split("\n").length;
}
