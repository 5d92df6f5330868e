import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { isRecord } from "@skein/reporting/is-record";
import { gitIn, gitTestEnv } from "@skein/testing";
import { casesFolder, type Step } from "./case.test.support.js";

/** The files that recipes change: on the disk, or in memory. Paths are relative to the top of the repository. */
export interface CaseFiles {
  /** Returns the text of a file; undefined if it doesn't exist. */
  read(path: string): string | undefined;
  write(path: string, content: string | Buffer): void;
  link(path: string, to: string): void;
  remove(path: string): void;
  move(path: string, to: string): void;
}

/** Changes files as one step of a recipe does. @throws for steps that run git */
export function applyToFiles(files: CaseFiles, step: Step): void {
  const existing = (path: string) => {
    const text = files.read(path);
    if (text === undefined) throw new Error(`${path} doesn't exist`);
    return text;
  };
  if ("write" in step) files.write(recorded(step.write), step.text);
  else if ("append" in step) {
    const path = recorded(step.append);
    files.write(path, (files.read(path) ?? "") + step.text);
  } else if ("replace" in step) {
    const path = recorded(step.replace);
    const text = existing(path);
    const next = text.replace(step.was, step.is);
    if (next === text) throw new Error(`${path} has no ${step.was}`);
    files.write(path, next);
  } else if ("merge" in step) {
    const path = recorded(step.merge);
    const merged = merge(JSON.parse(existing(path)), step.with);
    files.write(path, `${JSON.stringify(merged, null, 2)}\n`);
  } else if ("symlink" in step) files.link(recorded(step.symlink), step.to);
  else if ("delete" in step) files.remove(recorded(step.delete));
  else if ("move" in step) files.move(recorded(step.move), recorded(step.to));
  else if ("lock" in step) files.write("yarn.lock", lockfile(step.lock));
  else throw new Error("a step that runs git needs a repository");
}

/** Applies one step of a recipe. @param dir the case's folder, which contains `repo` */
export function applyStep(dir: string, step: Step): void {
  const repo = join(dir, "repo");
  if ("git" in step) {
    const args = step.git.map((arg) => recorded(arg).replaceAll("{dir}", dir));
    gitIn(join(dir, step.in ?? "repo"), ...args);
  } else if ("commit" in step) commitAll(repo, step.commit);
  else applyToFiles(filesOnDisk(repo), step);
}

function filesOnDisk(repo: string): CaseFiles {
  const at = (path: string) => {
    const file = join(repo, path);
    mkdirSync(dirname(file), { recursive: true });
    return file;
  };
  return {
    read: (path) =>
      existsSync(at(path)) ? readFileSync(at(path), "utf8") : undefined,
    write: (path, content) => writeFileSync(at(path), content),
    link: (path, to) => {
      rmSync(at(path), { force: true });
      symlinkSync(to, at(path));
    },
    remove: (path) => rmSync(at(path), { recursive: true }),
    move: (path, to) => renameSync(at(path), at(to)),
  };
}

/** Returns the content of the fixture's lockfile of this name. */
export function lockfile(name: string): Buffer {
  return readFileSync(new URL(`locks/${name}.lock`, casesFolder));
}

/** Returns the paths that a step may change, from the top of the repository. Steps that run git return none. */
export function pathsOf(step: Step): string[] {
  if ("write" in step) return [recorded(step.write)];
  if ("append" in step) return [recorded(step.append)];
  if ("replace" in step) return [recorded(step.replace)];
  if ("merge" in step) return [recorded(step.merge)];
  if ("symlink" in step) return [recorded(step.symlink)];
  if ("delete" in step) return [recorded(step.delete)];
  if ("move" in step) return [recorded(step.move), recorded(step.to)];
  return "lock" in step ? ["yarn.lock"] : [];
}

/**
 * Commits everything, even if nothing changed.
 * @param branch is moved to the commit
 */
export function commitAll(repo: string, message: string, branch = ""): void {
  // The shell starts a process faster than the large process of the tests does.
  const { status, stderr } = spawnSync("sh", ["-c", COMMIT, message, branch], {
    cwd: repo,
    env: gitTestEnv,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`commit ${message}: ${stderr}`);
}

/** `$0` is the message, `$1` the branch. */
const COMMIT = `git add --all && git commit --quiet --allow-empty --message "$0" &&
  { test -z "$1" || git branch --quiet --force "$1"; }`;

/** Expands `{x*9}`. */
function recorded(path: string): string {
  return path.replaceAll(/\{(.)\*(\d+)\}/gsu, (_, letter: string, count) =>
    letter.repeat(Number(count)),
  );
}

function merge(value: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const result: Record<string, unknown> = isRecord(value) ? { ...value } : {};
  for (const [name, member] of Object.entries(patch)) {
    if (member === null) Reflect.deleteProperty(result, name);
    else result[name] = merge(result[name], member);
  }
  return result;
}
