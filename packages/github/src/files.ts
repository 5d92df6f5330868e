/** GitHub's status of a changed file. For `copied` and `renamed` files GitHub also returns the old path. */
export type FileStatus =
  | "added"
  | "removed"
  | "modified"
  | "renamed"
  | "copied"
  | "changed"
  | "unchanged";

/** A file of a pull request or comparison. Lines and patches are omitted, because GitHub leaves them empty in large diffs. */
export interface RemoteFile {
  readonly path: string;
  readonly status: FileStatus;
  /** The value of GitHub's `previous_filename`. */
  readonly previousPath: string | undefined;
  /** The blob's id: at the head, or at the base for a removed file. Undefined if GitHub returns none. */
  readonly id: string | undefined;
}

interface FileData {
  readonly filename: string;
  readonly status: FileStatus;
  readonly previous_filename?: string;
  readonly sha: string | null;
}

/** Converts GitHub's list to the fields that we need. */
export function readFiles(data: readonly FileData[]): readonly RemoteFile[] {
  return data.map(({ filename, status, previous_filename, sha }) => ({
    path: filename,
    status,
    previousPath: previous_filename,
    id: sha ?? undefined,
  }));
}
