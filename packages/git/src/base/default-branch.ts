import { RepositoryError } from "../errors.js";
import type { Git } from "../git.js";
import { findUpstream } from "./remote.js";
import type { Repository } from "../repository.js";

/** The branch that changes are compared with. */
export interface DefaultBranch {
  /** The short name: `origin/main`. */
  readonly name: string;
  /** Full ref name: `refs/remotes/origin/main`. */
  readonly ref: string;
  readonly commit: string;
  /** The ref that led to this branch: `refs/remotes/origin/HEAD`, or the same as `ref`. */
  readonly via: string;
  /** How it was found: by the setting, the remote's HEAD, git's init.defaultBranch, or the name main or master. */
  readonly how:
    | "setting"
    | "remote-head"
    | "init-default-branch"
    | "convention";
}

/** The ref that names the default branch in a clone. */
export const ORIGIN_HEAD = "refs/remotes/origin/HEAD";

interface Ref {
  readonly ref: string;
  readonly commit: string;
  /** The target of a symbolic ref such as `refs/remotes/origin/HEAD`; empty for others. */
  readonly target: string;
}

/**
 * Finds the default branch. It runs no process if opening the repository already found the branch. Otherwise it runs
 * two git processes, or up to four if no remote has a HEAD.
 *
 * The order is: the setting; the HEAD of the remote; git's `init.defaultBranch`; `main`; `master`. Remotes come first:
 * `origin`, then the remote that the current branch follows, then the others by name. Local branches come last.
 * @param setting the workspace's own setting: `develop`, `upstream/develop` or a full ref name
 * @throws {RepositoryError} `unknown-ref` if no ref matches the setting, `no-default-branch`
 */
export async function findDefaultBranch(
  { git, known }: Pick<Repository, "git" | "known">,
  setting?: string,
): Promise<DefaultBranch> {
  const { mergeBase } = known;
  if (
    setting === undefined &&
    mergeBase?.ref === ORIGIN_HEAD &&
    mergeBase.target !== undefined
  ) {
    const { ref, commit, target } = mergeBase;
    return answer({ ref, commit, target }, "remote-head");
  }
  const wanted = setting === undefined ? [] : [setting];
  const [refs, upstream] = await Promise.all([
    readRefs(git, ["HEAD", "main", "master", ...wanted]),
    findUpstream(git),
  ]);
  const remotes = rankRemotes(refs, upstream);
  if (setting !== undefined) {
    const found = pick(refs, remotes, setting);
    if (found) return answer(found, "setting");
    throw new RepositoryError({
      kind: "unknown-ref",
      ref: setting,
      suggestions: refs.map(({ ref }) => shortName(ref)),
      command: undefined,
      message: undefined,
    });
  }
  const heads = remotes.map((remote) => `refs/remotes/${remote}/HEAD`);
  const head = first(refs, heads);
  if (head) return answer(head, "remote-head");

  const initial = await initialBranch(git);
  if (initial !== undefined && initial !== "main" && initial !== "master") {
    const found = pick(await readRefs(git, [initial]), remotes, initial);
    if (found) return answer(found, "init-default-branch");
  }
  const names = initial === "master" ? ["master", "main"] : ["main", "master"];
  for (const name of names) {
    const found = pick(refs, remotes, name);
    if (found)
      return answer(
        found,
        name === initial ? "init-default-branch" : "convention",
      );
  }
  throw new RepositoryError({
    kind: "no-default-branch",
    tried: [
      ...heads,
      ...names.flatMap((name) => candidates(remotes, name)),
    ].map(shortName),
  });
}

async function readRefs(git: Git, names: readonly string[]): Promise<Ref[]> {
  const patterns = names
    .filter(isPlainName)
    .flatMap((name) => candidates(["*"], name));
  if (patterns.length === 0) return [];
  const { stdout } = await git.run([
    "for-each-ref",
    "--format=%(refname)%00%(objectname)%00%(symref)",
    ...patterns,
  ]);
  return stdout
    .toString("utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      const [ref = "", commit = "", target = ""] = line.split("\0");
      return { ref, commit, target };
    });
}

/** Returns the refs that a name may refer to, first choice first. `refs/heads/HEAD` is never a default branch. */
function candidates(remotes: readonly string[], name: string): string[] {
  if (name.startsWith("refs/")) return [name];
  return [
    ...remotes.map((remote) => `refs/remotes/${remote}/${name}`),
    ...(name === "HEAD" ? [] : [`refs/heads/${name}`]),
    ...(name.includes("/") ? [`refs/remotes/${name}`] : []),
  ];
}

function pick(
  refs: readonly Ref[],
  remotes: readonly string[],
  name: string,
): Ref | undefined {
  return first(refs, candidates(remotes, name));
}

function first(
  refs: readonly Ref[],
  names: readonly string[],
): Ref | undefined {
  for (const name of names) {
    const found = refs.find(({ ref }) => ref === name);
    if (found) return found;
  }
  return undefined;
}

function rankRemotes(
  refs: readonly Ref[],
  upstream: string | undefined,
): string[] {
  const remoteOf = (ref: string) => /^refs\/remotes\/([^/]+)\//.exec(ref)?.[1];
  const others = refs.map(({ ref }) => remoteOf(ref)).sort();
  const followed = upstream === undefined ? undefined : remoteOf(upstream);
  return [...new Set(["origin", followed, ...others])].filter(
    (name) => name !== undefined,
  );
}

async function initialBranch(git: Git): Promise<string | undefined> {
  const { stdout } = await git.run(["config", "--get", "init.defaultBranch"], {
    answers: [0, 1],
  });
  return stdout.toString("utf8").trim() || undefined;
}

/**
 * Returns whether a name is a plain one. git-check-ref-format(1) forbids these characters, and `for-each-ref` would treat some
 * as patterns.
 */
function isPlainName(name: string): boolean {
  return name !== "" && !/[\s~^:?*[\\]/.test(name);
}

function answer(found: Ref, how: DefaultBranch["how"]): DefaultBranch {
  const ref = found.target || found.ref;
  return {
    name: shortName(ref),
    ref,
    commit: found.commit,
    via: found.ref,
    how,
  };
}

/** Returns the short form of a full ref name. */
function shortName(ref: string): string {
  return ref.replace(/^refs\/(heads|remotes|tags)\//, "");
}
