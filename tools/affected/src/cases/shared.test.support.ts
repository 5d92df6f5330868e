import { cpSync, lstatSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { gitIn } from "@skein/testing";
import { pathsOf } from "./apply.test.support.js";
import type { Step } from "./case.test.support.js";

/** A repository that many cases use one after the other. */
export interface SharedRepository {
  /** The folder that holds `repo`. */
  readonly dir: string;
  /** Gives it a .git that nobody has used. */
  begin(): void;
  /** Puts back what the steps of a case changed. */
  restore(steps: readonly Step[]): void;
}

/** Copies a repository for cases to share. */
export function shareRepository(base: string, dir: string): SharedRepository {
  const repo = join(dir, "repo");
  const unused = join(dir, "unused.git");
  copyTree(base, repo);
  // From here on its index knows the copied files by their times.
  gitIn(repo, "reset", "--quiet");
  copyTree(join(repo, ".git"), unused);
  return {
    dir,
    begin: () => {
      rmSync(join(repo, ".git"), { recursive: true, force: true });
      copyTree(unused, join(repo, ".git"));
    },
    restore: (steps) => {
      for (const path of steps.flatMap(pathsOf)) {
        const place = topmostNew(base, path);
        const [from, to] = [join(base, place), join(repo, place)];
        rmSync(to, { recursive: true, force: true });
        if (isThere(from)) copyTree(from, to);
      }
    },
  };
}

/** Copies a folder or a file, links as they are. */
export function copyTree(from: string, to: string): void {
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
}

/** The path, or the first of its folders that `base` does not have as one. */
function topmostNew(base: string, path: string): string {
  const parent = dirname(path);
  if (
    parent === "." ||
    lstatSync(join(base, parent), { throwIfNoEntry: false })?.isDirectory()
  )
    return path;
  return topmostNew(base, parent);
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
