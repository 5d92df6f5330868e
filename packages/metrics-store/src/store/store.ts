/** The files of a store, as they are at one moment. */
export interface StoredFiles {
  readonly names: readonly string[];
  /** The bytes of one of them; undefined where there is none. */
  read(name: string): Promise<Buffer | undefined>;
}

/**
 * A place that keeps events, a file a day, and how far they have been read. What is written there is only ever added to.
 */
export interface EventStore {
  /** Its name, for people. */
  readonly place: string;
  /** Where what is not yet in it waits: a file of this machine alone. */
  readonly journal: string;
  files(): Promise<StoredFiles>;
  /**
   * Changes it. Where somebody else was quicker, the change is made anew on top of what they wrote.
   * @param change the files that differ, and their new bytes; undefined for one whose content is in another one now
   * @param message what for, in a few words
   */
  update(
    change: (
      files: StoredFiles,
    ) => Promise<ReadonlyMap<string, Buffer | undefined>>,
    message: string,
  ): Promise<void>;
}
