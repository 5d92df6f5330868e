import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { openObjects, type Git } from "@skein/git";
import { FOLDER, parseTree } from "../objects/tree-object.js";

/** The state of a placement's destination. */
export interface DestinationFacts {
  readonly path: string;
  readonly state:
    | { readonly kind: "free" }
    /** Tracked files exist. */
    | { readonly kind: "tracked" }
    /** Untracked files exist; `ignored` if an ignore rule matches. */
    | { readonly kind: "untracked"; readonly ignored: boolean }
    /** A file exists in place of a folder. */
    | { readonly kind: "file"; readonly at: string }
    | { readonly kind: "symlink"; readonly at: string }
    | { readonly kind: "submodule"; readonly at: string }
    /** Another name differs only by case. On macOS and Windows, both are the same folder. */
    | { readonly kind: "case"; readonly twin: string };
  /** `file:line:pattern` of a rule that ignores the folder. */
  readonly ignoredBy: string | undefined;
}

/**
 * Checks each part of a destination, on disk and in HEAD. It writes nothing and follows no symlink.
 * @param git in the target, for its ignore rules
 * @param objects git that can read the target's objects
 */
export async function surveyDestination(
  git: Git,
  objects: Git,
  topLevel: string,
  head: string,
  path: string,
): Promise<DestinationFacts> {
  const ignoredBy = await findIgnoreRule(git, path);
  return {
    path,
    state: (await inHead(objects, head, path)) ??
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
  using objects = openObjects(git);
  const parts = path.split("/");
  let tree = await objects.read(`${head}^{tree}`);
  for (let depth = 0; tree?.type === "tree"; depth++) {
    const above = parts.slice(0, depth).map((part) => `${part}/`);
    const part = parts[depth] ?? "";
    const at = above.join("") + part;
    const entries = parseTree(tree.content, tree.id.length / 2);
    const names = [...entries.keys()].map((name) =>
      Buffer.from(name, "latin1").toString("utf8"),
    );
    const found = [...entries.values()][names.indexOf(part)];
    if (found === undefined) {
      const twin = names.find((name) => fold(name) === fold(part));
      return twin === undefined
        ? undefined
        : { kind: "case", twin: above.join("") + twin };
    }
    if (found.mode === "120000") return { kind: "symlink", at };
    if (found.mode === "160000") return { kind: "submodule", at };
    if (found.mode !== FOLDER) return { kind: "file", at };
    if (depth === parts.length - 1) return { kind: "tracked" };
    tree = await objects.read(found.id);
  }
  throw new Error(`${head} has no tree`);
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
  // git rejects a path beyond a symlink, but the state already reports that. check-ignore doesn't support literal
  // pathspecs; a destination has no special characters.
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

/** Returns a name in the form in which case-insensitive file systems compare it (they also normalise). */
function fold(name: string): string {
  return name.normalize("NFC").toLowerCase();
}
