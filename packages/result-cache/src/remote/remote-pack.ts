import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { seal, unseal } from "../seal.js";

/** One result with the contents that it needs. */
export interface Packed {
  /** Its name in the store (`resultKey`). */
  readonly key: string;
  /** The encoded result. */
  readonly body: Buffer;
  /** By hash. */
  readonly blobs: ReadonlyMap<string, Buffer>;
}

/** Bytes that an artifact may have when it is unpacked. */
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
 * Packs results into one signed artifact: a line of JSON, and the contents behind it, each once.
 * @returns its name on the server, and its bytes
 */
export function encodePack(
  results: readonly Packed[],
  { scope, key }: { readonly scope: string; readonly key: string },
): { readonly id: string; readonly bytes: Buffer } {
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
 * Unpacks an artifact of which the signature holds.
 * @returns undefined where it does not, or anything in the artifact is not as it must be
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

/** Where the results of a scope are: by artifact, the newest first, the names of results in short. */
export type RemoteIndex = ReadonlyMap<string, readonly string[]>;

/** Artifacts that an index names; a run asks for the newest. */
const MOST_PACKS = 200;
/** Names of results that an index holds. */
const MOST_NAMES = 20_000;
/** Characters of a result's name in an index. Two that are equal there cost a miss at most. */
const SHORT = 16;

/** Shortens a result's name to what an index has of it. */
export function shortName(key: string): string {
  return key.slice(0, SHORT);
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

/** Reads an index of which the signature holds; else an empty one. */
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

/** Returns an index with further artifacts in front; the oldest go where it would be too long. */
export function withPacks(index: RemoteIndex, added: RemoteIndex): RemoteIndex {
  let names = 0;
  const all = [...new Map([...added, ...index])].slice(0, MOST_PACKS);
  return new Map(
    all.filter(([, list]) => (names += list.length) <= MOST_NAMES),
  );
}

/**
 * Chooses the artifacts that hold most of what is wanted. Pure.
 * @param wanted names in short
 * @param most artifacts that may be chosen
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
    // Of equals the newest, which stands first.
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

/** Fields after their lengths, so that no two artifacts share a name. */
function artifactId(kind: string, scope: string, name: string): string {
  const digest = createHash("sha256");
  for (const field of ["skein 1", kind, scope, name])
    digest.update(`${Buffer.byteLength(field)}:${field}`);
  return digest.digest("hex");
}
