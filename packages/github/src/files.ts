/** GitHub's word for what happened to a file. `copied` and `renamed` name the old path too. */
export type FileStatus =
  | "added"
  | "removed"
  | "modified"
  | "renamed"
  | "copied"
  | "changed"
  | "unchanged";

/** One file of a pull request or comparison. Lines and patches are left out on purpose: they come back empty on large diffs. */
export interface RemoteFile {
  readonly path: string;
  readonly status: FileStatus;
  /** GitHub's `previous_filename`. */
  readonly previousPath: string | undefined;
  /** The blob's id: at the head, or at the base for a removed file. Undefined where GitHub names none. */
  readonly id: string | undefined;
}

interface FileData {
  readonly filename: string;
  readonly status: FileStatus;
  readonly previous_filename?: string;
  readonly sha: string | null;
}

/** Takes what we need of GitHub's list. */
export function readFiles(data: readonly FileData[]): readonly RemoteFile[] {
  return data.map(({ filename, status, previous_filename, sha }) => ({
    path: filename,
    status,
    previousPath: previous_filename,
    id: sha ?? undefined,
  }));
}
