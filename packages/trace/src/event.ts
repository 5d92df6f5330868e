/**
 * One thing that a process did to the file system or the network, in the order in which it ended. Paths are absolute, and
 * as the process named them: they may lead through symlinks and hold `.` and `..`.
 */
export type TraceEvent =
  /** Opened a file or folder for reading. `real` is the path without symlinks, where the recorder knows it. */
  | { readonly kind: "read"; readonly path: string; readonly real?: string }
  /** Opened for writing. `emptied`: nothing of an earlier content can be left. */
  | {
      readonly kind: "write";
      readonly path: string;
      readonly real?: string;
      readonly emptied: boolean;
    }
  | { readonly kind: "execute"; readonly path: string }
  /** Looked at the name and found something; read nothing of its content. */
  | { readonly kind: "found"; readonly path: string }
  /** Asked for a name that nothing has. */
  | { readonly kind: "missing"; readonly path: string }
  /** Read the names in a folder. */
  | { readonly kind: "list"; readonly path: string }
  /** Read where a symlink leads. */
  | { readonly kind: "link"; readonly path: string }
  /** Made a file, a folder, a symlink, a hard link or a socket, where nothing was. */
  | { readonly kind: "make"; readonly path: string }
  | { readonly kind: "move"; readonly from: string; readonly to: string }
  | { readonly kind: "remove"; readonly path: string }
  /** Connected to another process by a socket: of the file system, or at an address. */
  | {
      readonly kind: "connect";
      readonly to: "file" | "network";
      readonly address: string;
    };

/** Why a recording does not show everything. */
export type Gap =
  /** Made by Node's hooks: other programs than Node, and Node's own loader, are not seen. */
  | { readonly kind: "hooks"; readonly why: string }
  /** Yarn ran the script, and its own reads cannot be told from the script's. */
  | { readonly kind: "yarn"; readonly why: string }
  /** The recorder lost something, or a process did what it does not understand. */
  | { readonly kind: "lost"; readonly what: string }
  /**
   * It read a file that is no source of the project, and no recorded unit made: a cache or a product of an earlier run hides
   * reads, and what lies elsewhere in the repository is compared by nobody.
   */
  | { readonly kind: "unexplained-file"; readonly path: string }
  /** It read git's own files: the branch, the history or the index. */
  | { readonly kind: "git"; readonly path: string }
  | { readonly kind: "network"; readonly address: string }
  /** It talked to a process that the recording does not hold. */
  | { readonly kind: "other-process"; readonly address: string }
  /** It changed a file that git holds. */
  | { readonly kind: "changes-source"; readonly path: string }
  /** Processes outlived the script, and were ended. */
  | { readonly kind: "left-behind" };
