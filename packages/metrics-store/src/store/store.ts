/** The files of a store, at one point in time. */
export interface StoredFiles {
  readonly names: readonly string[];
  /** Returns the bytes of a file; undefined if it doesn't exist. */
  read(name: string): Promise<Buffer | undefined>;
  /** Reads an existing file piece by piece, in places that can. */
  stream?(name: string): AsyncIterable<Buffer>;
}

/** A place that stores events, with one file per day, and the state of repositories. Content is only ever added. */
export interface EventStore {
  /** The name for messages. */
  readonly place: string;
  /** The path of the journal, for events that are not in the store yet. It is a local file. */
  readonly journal: string;
  files(): Promise<StoredFiles>;
  /**
   * Changes the store. If another process changed it first, `change` is called again with the new files.
   * @param change returns the changed files with their new bytes; undefined for a file whose content is now in another
   *   file
   * @param message a short description of the change
   */
  update(
    change: (
      files: StoredFiles,
    ) => Promise<ReadonlyMap<string, Buffer | undefined>>,
    message: string,
  ): Promise<void>;
}
