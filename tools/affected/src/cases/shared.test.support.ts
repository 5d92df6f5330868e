import { cpSync, lstatSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { gitIn } from "@skein/testing";
import { pathsOf } from "./apply.test.support.js";
import type { Step } from "./case.test.support.js";

/** A repository that many cases use one after the other. */
export interface SharedRepository {
  /** The folder that contains `repo`. */
  readonly dir: string;
  /** Installs an unused .git. */
  begin(): void;
  /** Restores the files that the steps of a case changed. */
  restore(steps: readonly Step[]): void;
}

/** Copies a repository for cases to share. */
export function shareRepository(base: string, dir: string): SharedRepository {
  const repo = join(dir, "repo");
  const unused = join(dir, "unused.git");
  copyTree(base, repo);
  // After this, the index of its copy has the times of the copied files.
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

/** Copies a folder or a file, with links as they are. */
export function copyTree(from: string, to: string): void {
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
}

/** Returns the path, or the first of its folders that isn't a folder in `base`. */
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
