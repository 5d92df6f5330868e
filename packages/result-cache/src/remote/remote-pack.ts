import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { seal, unseal } from "../seal.js";
import type { Artifact } from "./server.js";

/** A result with the contents that it needs. */
export interface Packed {
  /** Its name in the store (`resultKey`). */
  readonly key: string;
  /** The encoded result. */
  readonly body: Buffer;
  /** The contents, by hash. */
  readonly blobs: ReadonlyMap<string, Buffer>;
}

/** The maximum size of an unpacked artifact, in bytes. */
const MOST = 512 * 2 ** 20;

interface Head {
  readonly results: readonly {
    readonly key: string;
    readonly body: string;
    readonly blobs: readonly string[];
  }[];
  readonly blobs: readonly { readonly hash: string; readonly bytes: number }[];
}

/**
 * Packs results into one signed artifact: a line of JSON, followed by the contents, each once.
 * @returns its name on the server, and its bytes
 */
export function encodePack(
  results: readonly Packed[],
  { scope, key }: { readonly scope: string; readonly key: string },
): Artifact {
  const blobs = new Map(results.flatMap((each) => [...each.blobs]));
  const head: Head = {
    results: results.map((each) => ({
      key: each.key,
      body: each.body.toString("utf8"),
      blobs: [...each.blobs.keys()],
    })),
    blobs: Array.from(blobs, ([hash, { length }]) => ({ hash, bytes: length })),
  };
  const body = gzipSync(
    Buffer.concat([
      Buffer.from(`${JSON.stringify(head)}\n`),
      ...blobs.values(),
    ]),
    { level: 1 },
  );
  const digest = createHash("sha256").update(body).digest("hex");
  const id = artifactId("pack", scope, digest);
  return { id, bytes: seal(id, body, key) };
}

/**
 * Unpacks an artifact with a valid signature.
 * @returns undefined if the signature isn't valid, or if anything in the artifact is wrong
 */
export function decodePack(
  id: string,
  bytes: Buffer,
  key: string,
): readonly Packed[] | undefined {
  const opened = unseal(id, bytes, key);
  if (opened.kind !== "open") return undefined;
  try {
    const body = gunzipSync(opened.body, { maxOutputLength: MOST });
    const end = body.indexOf("\n");
    const head = JSON.parse(body.toString("utf8", 0, end)) as Head;
    const blobs = new Map<string, Buffer>();
    let at = end + 1;
    for (const { hash, bytes: length } of head.blobs) {
      const content = body.subarray(at, at + length);
      if (createHash("sha256").update(content).digest("hex") !== hash)
        return undefined;
      blobs.set(hash, content);
      at += length;
    }
    return head.results.map((each) => ({
      key: each.key,
      body: Buffer.from(each.body),
      blobs: new Map(
        each.blobs.flatMap((hash) => {
          const content = blobs.get(hash);
          return content ? [[hash, content] as const] : [];
        }),
      ),
    }));
  } catch {
    return undefined;
  }
}

/** The locations of a scope's results: the short names of results by artifact, newest artifact first. */
export type RemoteIndex = ReadonlyMap<string, readonly string[]>;

/** The maximum number of artifacts in an index. A run fetches the newest ones. */
const MOST_PACKS = 200;
/** The maximum number of results in an index. */
const MOST_NAMES = 20_000;
/** The length of a result's name in an index. If two names are equal there, the only cost is a miss. */
const SHORT = 16;

/** Shortens a result's name to the form in an index. */
export function shortName(key: string): string {
  return key.slice(0, SHORT);
}

/** Returns the name on the server of facts that belong to a key. */
export function factsId(scope: string, key: string): string {
  return artifactId("facts", scope, key);
}

/** Returns signed facts. @param id see `factsId` */
export function encodeFacts(id: string, facts: Buffer, key: string): Buffer {
  return seal(id, gzipSync(facts, { level: 1 }), key);
}

/** Returns facts with a valid signature; undefined for any other bytes. */
export function decodeFacts(
  id: string,
  bytes: Buffer,
  key: string,
): Buffer | undefined {
  const opened = unseal(id, bytes, key);
  if (opened.kind !== "open") return undefined;
  try {
    return gunzipSync(opened.body, { maxOutputLength: MOST });
  } catch {
    return undefined;
  }
}

/** Returns the name of a scope's index on the server. */
export function indexId(scope: string): string {
  return artifactId("index", scope, "");
}

/** Returns a signed index. */
export function encodeIndex(
  index: RemoteIndex,
  { scope, key }: { readonly scope: string; readonly key: string },
): Buffer {
  const body = gzipSync(JSON.stringify([...index]));
  return seal(indexId(scope), body, key);
}

/** Reads an index with a valid signature; returns an empty one for any other bytes. */
export function decodeIndex(
  bytes: Buffer | undefined,
  { scope, key }: { readonly scope: string; readonly key: string },
): RemoteIndex {
  const opened = bytes && unseal(indexId(scope), bytes, key);
  if (opened?.kind !== "open") return new Map();
  try {
    const text = gunzipSync(opened.body, { maxOutputLength: MOST });
    return new Map(
      JSON.parse(text.toString("utf8")) as [string, readonly string[]][],
    );
  } catch {
    return new Map();
  }
}

/** Returns an index with additional artifacts at the front. If it is too long, the oldest ones are removed. */
export function withPacks(index: RemoteIndex, added: RemoteIndex): RemoteIndex {
  let names = 0;
  const all = [...new Map([...added, ...index])].slice(0, MOST_PACKS);
  return new Map(
    all.filter(([, list]) => (names += list.length) <= MOST_NAMES),
  );
}

/**
 * Chooses the artifacts that contain the most wanted results. Pure.
 * @param wanted short names
 * @param most the maximum number of artifacts
 */
export function choosePacks(
  index: RemoteIndex,
  wanted: ReadonlySet<string>,
  most: number,
): readonly string[] {
  const left = new Set(wanted);
  const chosen: string[] = [];
  while (chosen.length < most) {
    let best: { readonly id: string; readonly names: readonly string[] } = {
      ...{ id: "", names: [] },
    };
    // Of equal artifacts, the newest wins, because it comes first.
    for (const [id, list] of index) {
      const names = list.filter((name) => left.has(name));
      if (names.length > best.names.length) best = { id, names };
    }
    if (best.names.length === 0) break;
    chosen.push(best.id);
    for (const name of best.names) left.delete(name);
  }
  return chosen;
}

/** Returns an artifact's name from fields that follow their lengths, so that no two artifacts share a name. */
function artifactId(kind: string, scope: string, name: string): string {
  const digest = createHash("sha256");
  for (const field of ["skein 1", kind, scope, name])
    digest.update(`${Buffer.byteLength(field)}:${field}`);
  return digest.digest("hex");
}
