/** GitHub rejects a push with a file of this many bytes or more (docs.github.com, "About large files on GitHub"). */
export const PUSH_LIMIT = 100 * 1024 * 1024;

export interface LargeFile {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
}
