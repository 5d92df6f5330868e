import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Git } from "@skein/git";

/** What is where a placement wants to go. */
export interface DestinationFacts {
  readonly path: string;
  readonly state:
    | { readonly kind: "free" }
    /** Tracked files are there. */
    | { readonly kind: "tracked"; readonly example: string }
    /** Files are there that git does not track; `ignored` if it is told not to look. */
    | { readonly kind: "untracked"; readonly ignored: boolean }
    /** A file stands where a folder must be. */
    | { readonly kind: "file"; readonly at: string }
    | { readonly kind: "symlink"; readonly at: string }
    | { readonly kind: "submodule"; readonly at: string }
    /** Another name that differs only by case: one folder on macOS and Windows. */
    | { readonly kind: "case"; readonly twin: string };
  /** `file:line:pattern` of a rule that ignores the folder. */
  readonly ignoredBy: string | undefined;
}

/** Looks at each part of a destination, on disk and in HEAD; writes nothing and follows no symlink. */
export async function surveyDestination(
  git: Git,
  topLevel: string,
  head: string,
  path: string,
): Promise<DestinationFacts> {
  const ignoredBy = await findIgnoreRule(git, path);
  return {
    path,
    state: (await inHead(git, head, path)) ??
      (await onDisk(topLevel, path, ignoredBy !== undefined)) ?? {
        kind: "free",
      },
    ignoredBy,
  };
}

async function inHead(
  git: Git,
  head: string,
  path: string,
): Promise<DestinationFacts["state"] | undefined> {
  const parts = path.split("/");
  for (let depth = 0; depth < parts.length; depth++) {
    const above = parts.slice(0, depth).join("/");
    const at = parts.slice(0, depth + 1).join("/");
    const { stdout } = await git.run([
      "ls-tree",
      "-z",
      "--full-tree",
      head,
      ...(above === "" ? [] : ["--", `${above}/`]),
    ]);
    const siblings = stdout
      .toString("utf8")
      .split("\0")
      .filter((line) => line !== "");
    const names = siblings.map((line) => line.slice(line.indexOf("\t") + 1));
    const found = siblings[names.indexOf(at)];
    if (found === undefined) {
      const twin = names.find((name) => fold(name) === fold(at));
      return twin === undefined ? undefined : { kind: "case", twin };
    }
    if (found.startsWith("120000")) return { kind: "symlink", at };
    if (found.startsWith("160000")) return { kind: "submodule", at };
    if (!found.startsWith("040000")) return { kind: "file", at };
  }
  return { kind: "tracked", example: path };
}

async function onDisk(
  topLevel: string,
  path: string,
  ignored: boolean,
): Promise<DestinationFacts["state"] | undefined> {
  const parts = path.split("/");
  for (let depth = 0; depth < parts.length; depth++) {
    const at = parts.slice(0, depth + 1).join("/");
    const above = join(topLevel, ...parts.slice(0, depth));
    const stats = await lstat(join(topLevel, at)).catch(() => undefined);
    if (!stats) {
      const names = await readdir(above).catch((): string[] => []);
      const twin = names.find(
        (name) => fold(name) === fold(parts[depth] ?? ""),
      );
      return twin === undefined
        ? undefined
        : { kind: "case", twin: [...parts.slice(0, depth), twin].join("/") };
    }
    if (stats.isSymbolicLink()) return { kind: "symlink", at };
    if (!stats.isDirectory()) return { kind: "file", at };
  }
  const inside = await readdir(join(topLevel, path));
  return inside.length === 0 ? undefined : { kind: "untracked", ignored };
}

async function findIgnoreRule(
  git: Git,
  path: string,
): Promise<string | undefined> {
  // A path beyond a symlink is refused: that is told by the state. check-ignore does not know literal pathspecs; a
  // destination has no character that would be magic.
  const { stdout, exitCode } = await git.run(
    ["check-ignore", "--verbose", "--no-index", "--stdin", "-z"],
    {
      input: `${path}/package.json\0`,
      answers: [0, 1, 128],
      env: { GIT_LITERAL_PATHSPECS: "0" },
    },
  );
  if (exitCode !== 0) return undefined;
  const [file = "", line = "", pattern = ""] = stdout
    .toString("utf8")
    .split("\0");
  return pattern.startsWith("!") ? undefined : `${file}:${line}:${pattern}`;
}

/** How file systems that ignore case compare names (they normalise, too). */
function fold(name: string): string {
  return name.normalize("NFC").toLowerCase();
}
