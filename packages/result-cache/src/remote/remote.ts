import { blobsOf, decodeResult, resultKey } from "../kept-result.js";
import type { Wanted } from "../kept-result.js";
import type { Scope } from "../scope.js";
import type { Store } from "../store.js";
import { RemoteClient } from "./remote-client.js";
import {
  choosePacks,
  decodeFacts,
  decodeIndex,
  decodePack,
  encodeFacts,
  encodeIndex,
  encodePack,
  factsId,
  indexId,
  shortName,
  withPacks,
} from "./remote-pack.js";
import type { Packed, RemoteIndex } from "./remote-pack.js";
import type { RemoteSettings } from "./remote-settings.js";
import { LARGEST_ARTIFACT, type Artifact } from "./server.js";
import { TurborepoServer } from "./turborepo-server.js";

/**
 * The maximum number of artifacts with results that one run fetches. With two indexes and four requests for writing,
 * ten requests are enough.
 */
const MOST_FETCHED = 4;
/** The maximum number of artifacts that one run writes: one for all small results, and one for each larger result. */
const MOST_WRITTEN = 16;
/** A result with more bytes is large. */
const LARGE = 2 ** 20;
/** The maximum number of bytes of small results in one artifact. */
const MOST_PACKED = 32 * 2 ** 20;
/** If a run read at least this many artifacts, it writes their small results again as part of one. */
const SCATTERED = 3;

export interface RemoteOptions {
  readonly settings: RemoteSettings;
  readonly store: Store;
  readonly scope: Scope;
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number;
  /** The time budget of the server in one run, in milliseconds. Default: 2,000. */
  readonly budgetMs?: number;
}

/**
 * Shares results between machines through a server with the API of Turborepo's Remote Cache. It fills the store before a
 * run, and sends new results after it. The run continues whatever the server does.
 *
 * Each scope has an index, which lists the artifacts and the results in each. A run writes its small results as one
 * artifact. If it had to read several artifacts, it also writes their small results there, so that the next run reads
 * only one.
 */
export class Remote {
  readonly #options: RemoteOptions;
  readonly #client: RemoteClient;
  readonly #facts: Artifact[] = [];
  #index: RemoteIndex | undefined;
  #gathered: readonly Packed[] = [];

  constructor(options: RemoteOptions) {
    this.#options = options;
    const { settings, now, budgetMs = 2_000 } = options;
    const server = new TurborepoServer(settings);
    this.#client = new RemoteClient(server, now, budgetMs);
  }

  /** Why the server was no longer used at some point; undefined if there was no problem. */
  get failure(): string | undefined {
    return this.#client.failure;
  }

  /**
   * Reads facts that an earlier run of these scopes computed. The indexes, which are needed next, come in the same round.
   * @param key names everything that the facts depend on
   * @returns undefined if the server has none
   */
  async readFacts(key: string): Promise<Buffer | undefined> {
    const { scope, settings } = this.#options;
    const ids = scope.reads.map((name) => factsId(name, key));
    const asked = [...ids, ...scope.reads.map(indexId)];
    const answers = await this.#client.get(asked);
    this.#index = this.#mergeIndexes(scope.reads, answers.slice(ids.length));
    for (const [at, id] of ids.entries()) {
      const bytes = answers[at];
      const facts = bytes && decodeFacts(id, bytes, settings.key);
      if (facts) return facts;
    }
    return undefined;
  }

  /** Sends facts with the results of this run. */
  offerFacts(key: string, facts: Buffer): void {
    const { scope, settings } = this.#options;
    const id = factsId(scope.own, key);
    this.#facts.push({ id, bytes: encodeFacts(id, facts, settings.key) });
  }

  /** Downloads wanted results with valid signatures into the store. */
  async fill(wanted: readonly Wanted[]): Promise<void> {
    const { scope, store, settings } = this.#options;
    const keys = new Set(
      wanted.flatMap((want) =>
        scope.reads.map((name) => resultKey(name, want)),
      ),
    );
    if (keys.size === 0) return;
    const index = this.#index ?? (await this.#indexes(scope.reads));
    const short = new Set([...keys].map(shortName));
    const ids = choosePacks(index, short, MOST_FETCHED);
    if (ids.length === 0) return;
    const answers = await this.#client.get(ids);
    const found = answers.flatMap((bytes, at) => {
      const id = ids[at];
      return bytes && id !== undefined
        ? (decodePack(id, bytes, settings.key) ?? [])
        : [];
    });
    const mine = found.filter((each) => keys.has(each.key) && isWhole(each));
    for (const { key, body, blobs } of mine) {
      for (const content of blobs.values()) store.putBytes(content);
      store.write(key, body, [...blobs.keys()]);
    }
    if (ids.length >= SCATTERED) this.#gathered = mine.filter(isSmall);
  }

  /** Sends the new results of this run. @param keys their names in the store */
  async send(keys: readonly string[]): Promise<void> {
    const { settings, scope } = this.#options;
    if (settings.isReadOnly || this.#client.failure !== undefined) return;
    const fresh = keys.flatMap((key) => this.#pack(key) ?? []);
    const artifacts = this.#artifacts(fresh);
    const packs = Array.from(artifacts, ([id, { bytes }]) => ({ id, bytes }));
    const facts = this.#facts.filter(
      ({ bytes }) => bytes.length <= LARGEST_ARTIFACT,
    );
    if (packs.length + facts.length === 0) return;
    if (!(await this.#client.put([...packs, ...facts]))) return;
    if (packs.length === 0) return;
    const added = new Map(
      Array.from(artifacts, ([id, { names }]) => [id, names] as const),
    );
    // Another job may overwrite the index at the same time. The second turn then adds our artifacts again.
    for (let turn = 0; turn < 2; turn++) {
      const index = await this.#indexes([scope.own]);
      if ([...added.keys()].every((id) => index.has(id))) return;
      const bytes = encodeIndex(withPacks(index, added), {
        scope: scope.own,
        key: settings.key,
      });
      if (!(await this.#client.put([{ id: indexId(scope.own), bytes }])))
        return;
    }
  }

  /** Fetches the indexes of scopes, and merges them. */
  async #indexes(scopes: readonly string[]): Promise<RemoteIndex> {
    return this.#mergeIndexes(
      scopes,
      await this.#client.get(scopes.map(indexId)),
    );
  }

  #mergeIndexes(
    scopes: readonly string[],
    answers: readonly (Buffer | undefined)[],
  ): RemoteIndex {
    const { key } = this.#options.settings;
    return new Map(
      scopes.flatMap((scope, at) => [
        ...decodeIndex(answers[at], { scope, key }),
      ]),
    );
  }

  #artifacts(
    fresh: readonly Packed[],
  ): ReadonlyMap<
    string,
    { readonly bytes: Buffer; readonly names: readonly string[] }
  > {
    const { settings, scope } = this.#options;
    const own = { scope: scope.own, key: settings.key };
    const small = fresh.filter(isSmall);
    let bytes = 0;
    const together = [...small, ...this.#gathered].filter(
      (each) => (bytes += sizeOf(each)) <= MOST_PACKED,
    );
    const isWorthIt = small.length > 0 || this.#gathered.length > 0;
    const groups = [
      ...(isWorthIt ? [together] : []),
      ...fresh.filter((each) => !isSmall(each)).map((each) => [each]),
    ];
    return new Map(
      groups.slice(0, MOST_WRITTEN).flatMap((group) => {
        const pack = encodePack(group, own);
        if (pack.bytes.length > LARGEST_ARTIFACT) return [];
        const names = group.map(({ key }) => shortName(key));
        return [[pack.id, { bytes: pack.bytes, names }] as const];
      }),
    );
  }

  #pack(key: string): Packed | undefined {
    const { store } = this.#options;
    const opened = store.read(key);
    if (opened?.kind !== "open") return undefined;
    const packed = packOf(key, opened.body, store);
    return packed && isWhole(packed) ? packed : undefined;
  }
}

function packOf(key: string, body: Buffer, store: Store): Packed | undefined {
  const hashes = neededBy(body);
  if (!hashes) return undefined;
  const blobs = new Map<string, Buffer>();
  for (const hash of hashes) {
    const content = store.readBlob(hash);
    if (!content) return undefined;
    blobs.set(hash, content);
  }
  return { key, body, blobs };
}

/** Returns whether a result is valid, and has every content that it needs. */
function isWhole({ body, blobs }: Packed): boolean {
  return neededBy(body)?.every((hash) => blobs.has(hash)) ?? false;
}

function neededBy(body: Buffer): readonly string[] | undefined {
  const result = decodeResult(body);
  return result && blobsOf(result);
}

function sizeOf({ body, blobs }: Packed): number {
  let bytes = body.length;
  for (const content of blobs.values()) bytes += content.length;
  return bytes;
}

function isSmall(packed: Packed): boolean {
  return sizeOf(packed) <= LARGE;
}
