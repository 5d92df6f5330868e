import { spawnSync } from "node:child_process";
import {
  appendFileSync,
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
import { casesFolder } from "./case.test.support.js";
import type { Step } from "./case.test.support.js";

/** Applies one step of a recipe. @param dir the case's folder, which contains `repo` */
export function applyStep(dir: string, step: Step): void {
  const repo = join(dir, "repo");
  const at = (path: string) => {
    const file = join(repo, recorded(path));
    mkdirSync(dirname(file), { recursive: true });
    return file;
  };
  if ("write" in step) writeFileSync(at(step.write), step.text);
  else if ("append" in step) appendFileSync(at(step.append), step.text);
  else if ("replace" in step) {
    const text = readFileSync(at(step.replace), "utf8");
    const next = text.replace(step.was, step.is);
    if (next === text) throw new Error(`${step.replace} has no ${step.was}`);
    writeFileSync(at(step.replace), next);
  } else if ("merge" in step) {
    const value: unknown = JSON.parse(readFileSync(at(step.merge), "utf8"));
    const merged = merge(value, step.with);
    writeFileSync(at(step.merge), `${JSON.stringify(merged, null, 2)}\n`);
  } else if ("symlink" in step) {
    rmSync(at(step.symlink), { force: true });
    symlinkSync(step.to, at(step.symlink));
  } else if ("delete" in step) rmSync(at(step.delete), { recursive: true });
  else if ("move" in step) renameSync(at(step.move), at(step.to));
  else if ("lock" in step) {
    const lock = new URL(`locks/${step.lock}.lock`, casesFolder);
    writeFileSync(at("yarn.lock"), readFileSync(lock));
  } else if ("git" in step) {
    const args = step.git.map((arg) => recorded(arg).replaceAll("{dir}", dir));
    gitIn(join(dir, step.in ?? "repo"), ...args);
  } else commitAll(repo, step.commit);
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
