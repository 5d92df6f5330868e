import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { splitNul, openGit, withoutRepository, type Git } from "@skein/git";

/** Queries git about ignore and attribute files, in a repository that holds nothing else. Disposal removes it. */
export interface GitRules extends AsyncDisposable {
  /** Returns which of these paths are ignored, each with the rule: `.gitignore:3:/dist`. */
  ignored(paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Returns the values of an attribute: `set`, `unset`, a word. Paths without a value are omitted. */
  attribute(
    name: string,
    paths: readonly string[],
  ): Promise<ReadonlyMap<string, string>>;
}

/**
 * Creates such a repository.
 * @param files the rule files, by path
 */
export async function openGitRules(
  scratch: string,
  label: string,
  files: ReadonlyMap<string, Buffer>,
  env: Readonly<Record<string, string | undefined>>,
): Promise<GitRules> {
  const dir = join(scratch, `rules-${label}`);
  const git = openGit({
    cwd: dir,
    env: {
      ...withoutRepository(env),
      // Rules in the settings of one machine must not count.
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
      XDG_CONFIG_HOME: dir,
    },
  });
  // The minimum that git requires of a repository (gitrepository-layout(5)). Writing it needs no process.
  await mkdir(join(dir, ".git/objects"), { recursive: true });
  await mkdir(join(dir, ".git/refs"));
  await writeFile(join(dir, ".git/HEAD"), "ref: refs/heads/none\n");
  for (const [path, bytes] of files) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), bytes);
  }
  return {
    async ignored(paths) {
      const answer = await ask(git, paths, [
        "check-ignore",
        "--no-index",
        "--verbose",
        "-z",
        "--stdin",
      ]);
      const rules = new Map<string, string>();
      for (let at = 0; at + 3 < answer.length; at += 4) {
        const [source, line, pattern = "", path = ""] = answer.slice(at);
        // git also reports `!pattern` if it is the last match; such a path isn't ignored.
        if (!pattern.startsWith("!"))
          rules.set(path.slice(2), `${source ?? ""}:${line ?? ""}:${pattern}`);
      }
      return rules;
    },
    async attribute(name, paths) {
      const answer = await ask(git, paths, [
        "check-attr",
        "-z",
        "--stdin",
        name,
      ]);
      const values = new Map<string, string>();
      for (let at = 0; at + 2 < answer.length; at += 3) {
        const [path = "", , value = ""] = answer.slice(at);
        if (value !== "unspecified") values.set(path.slice(2), value);
      }
      return values;
    },
    [Symbol.asyncDispose]: () =>
      rm(dir, { recursive: true, force: true, maxRetries: 3 }),
  };
}

async function ask(
  git: Git,
  paths: readonly string[],
  args: readonly string[],
): Promise<readonly string[]> {
  if (paths.length === 0) return [];
  const { stdout } = await git.run(args, {
    // `check-ignore` rejects literal pathspecs; after `./`, no character has a special meaning.
    input: paths.map((path) => `./${path}\0`).join(""),
    env: { GIT_LITERAL_PATHSPECS: "0" },
    answers: [0, 1],
  });
  return splitNul(stdout);
}
