/**
 * An action of a process on the file system or the network. Events are in the order in which the actions ended. Paths
 * are absolute and in the form that the process used: they may lead through symlinks and contain `.` and `..`.
 */
export type TraceEvent =
  /** Opened a file or folder for reading. `real` is the path without symlinks, if the recorder knows it. */
  | { readonly kind: "read"; readonly path: string; readonly real?: string }
  /** Opened for writing. `emptied` means that no earlier content can be left. */
  | {
      readonly kind: "write";
      readonly path: string;
      readonly real?: string;
      readonly emptied: boolean;
    }
  | { readonly kind: "execute"; readonly path: string }
  /** Looked a name up and found something, without reading its content. */
  | { readonly kind: "found"; readonly path: string }
  /** Tried to make a folder that already exists. */
  | { readonly kind: "exists"; readonly path: string }
  /** Looked up a name that doesn't exist. */
  | { readonly kind: "missing"; readonly path: string }
  /** Read the names in a folder. */
  | { readonly kind: "list"; readonly path: string }
  /** Read the target of a symlink. */
  | { readonly kind: "link"; readonly path: string }
  /** Made a file, a folder, a symlink, a hard link or a socket with a new name. `target` is that of a symlink. */
  | { readonly kind: "make"; readonly path: string; readonly target?: string }
  | { readonly kind: "move"; readonly from: string; readonly to: string }
  | { readonly kind: "remove"; readonly path: string }
  /** Connected to another process by a socket: of the file system, at a port of this machine, or at an address. */
  | {
      readonly kind: "connect";
      readonly to: "file" | "port" | "network";
      readonly address: string;
    }
  /** Took a port of this machine. */
  | { readonly kind: "bind"; readonly port: string };

/** Why a recording is incomplete. */
export type Gap =
  /** Node's hooks made it. They don't record programs other than Node, or Node's own loader. */
  | { readonly kind: "hooks"; readonly why: string }
  /** Yarn ran the script, and its own reads can't be distinguished from the script's. */
  | { readonly kind: "yarn"; readonly why: string }
  /** The recorder lost something, or a process did something that the recorder doesn't support. */
  | { readonly kind: "lost"; readonly what: string }
  /**
   * It read a file that is neither a source of the project nor the output of a recorded unit. A cache or an output of
   * an earlier run hides reads, and nothing compares files elsewhere in the repository.
   */
  | { readonly kind: "unexplained-file"; readonly path: string }
  /** It read git's own files: the branch, the history or the index. */
  | { readonly kind: "git"; readonly path: string }
  | { readonly kind: "network"; readonly address: string }
  /** It communicated with a process that isn't recorded. */
  | { readonly kind: "other-process"; readonly address: string }
  /** It changed a file that git tracks. */
  | { readonly kind: "changes-source"; readonly path: string }
  /** Processes outlived the script, and were ended. */
  | { readonly kind: "left-behind" };
