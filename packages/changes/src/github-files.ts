import type { RemoteFile } from "@skein/github";
import type { Change } from "./changeset.js";

/** A list from GitHub, converted to changes. */
export interface FileChanges {
  readonly changes: readonly Change[];
  /** Renamed files without an old path. Another path changed too, but it is unknown which one. */
  readonly withoutOldPath: readonly string[];
}

/**
 * Converts GitHub's list of files to changes: a renamed file is the deletion of its old path and the addition of its
 * new one. A copy doesn't change its source. An unknown status counts as modified.
 */
export function changesOfFiles(files: readonly RemoteFile[]): FileChanges {
  const withoutOldPath: string[] = [];
  const changes = files.flatMap((file) => {
    if (file.status === "renamed" && file.previousPath === undefined)
      withoutOldPath.push(file.path);
    return changesOf(file);
  });
  return { changes, withoutOldPath };
}

function changesOf({ path, status, previousPath, id }: RemoteFile): Change[] {
  const origin = "committed";
  const newId = id !== undefined && { newId: id };
  switch (status) {
    case "added":
      return [{ path, kind: "added", origin, ...newId }];
    case "removed":
      return [
        {
          path,
          kind: "deleted",
          origin,
          ...(id !== undefined && { oldId: id }),
        },
      ];
    case "renamed":
    case "copied": {
      const added: Change = { path, kind: "added", origin, ...newId };
      if (previousPath === undefined) return [added];
      const moved: Change = { ...added, oldPath: previousPath };
      return status === "copied"
        ? [moved]
        : [{ path: previousPath, kind: "deleted", origin }, moved];
    }
    case "modified":
    case "changed":
    case "unchanged":
      return [{ path, kind: "modified", origin, ...newId }];
    default:
      // GitHub may add new statuses. The file is in its list, so it has changed.
      status satisfies never;
      return [{ path, kind: "modified", origin }];
  }
}

/** Reverses the direction of changes, for files that only the older of two commits has changed. */
export function reversed(changes: readonly Change[]): Change[] {
  const opposite = { added: "deleted", deleted: "added" } as const;
  return changes.map(({ path, kind, origin }) => ({
    path,
    kind: kind === "added" || kind === "deleted" ? opposite[kind] : kind,
    origin,
  }));
}
