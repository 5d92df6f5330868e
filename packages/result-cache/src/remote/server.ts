/** An artifact: bytes with an id. */
export interface Artifact {
  readonly id: string;
  readonly bytes: Buffer;
}

/** A port to a server that stores artifacts by id. It has one implementation: the API of Turborepo's Remote Cache. */
export interface Server {
  /**
   * Fetches an artifact.
   * @returns undefined if it doesn't exist
   * @throws {ServerError}
   * @throws an error of Node, with a code
   */
  get(id: string, signal: AbortSignal): Promise<Buffer | undefined>;
  /**
   * Stores an artifact.
   * @throws {ServerError}
   * @throws an error of Node, with a code
   */
  put(artifact: Artifact, signal: AbortSignal): Promise<void>;
}

/** A server's answer that isn't usable. Its message contains nothing that the server sent. */
export class ServerError extends Error {}

/** The maximum size of an artifact in bytes: servers reject larger ones by default. */
export const LARGEST_ARTIFACT = 100 * 10 ** 6;
