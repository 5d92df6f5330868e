import type { Git } from "./git.js";
import { splitStream, streamGit } from "./stream.js";

/** A ref to move. If `old` is undefined, the ref must not exist yet. If `new` is undefined, the ref is deleted. */
export interface RefUpdate {
  readonly ref: string;
  readonly old: string | undefined;
  readonly new: string | undefined;
}

/** Refs that are locked and checked. `commit` moves all of them or none. */
export interface PreparedRefs {
  commit(): Promise<void>;
  abort(): Promise<void>;
}

/**
 * Locks all refs of an update and checks their old values with one `git update-ref --stdin`. No ref has moved when it
 * returns. The locks are released if this process dies. No `reference-transaction` hook runs.
 * @param message the entry in the reflog
 * @throws {GitError} if a ref has another value, conflicts with another name, or is locked
 */
export async function prepareRefs(
  git: Git,
  updates: readonly RefUpdate[],
  message: string,
): Promise<PreparedRefs> {
  const stream = streamGit(git, ["update-ref", "-m", message, "--stdin", "-z"]);
  const answers = splitStream(stream.stdout, 10);
  const ask = async (command: string, body = "") => {
    stream.stdin.write(`${body}${command}\0`);
    for (;;) {
      const answer = await answers.next();
      if (answer.value === `${command}: ok`) return;
      if (answer.done === true) {
        await stream.done;
        throw new Error(`git update-ref ended before it answered ${command}`);
      }
    }
  };
  await ask("start");
  await ask("prepare", updates.map(instruction).join(""));
  return {
    commit: async () => {
      await ask("commit");
      stream.stdin.end();
      await stream.done;
    },
    abort: async () => {
      await ask("abort");
      stream.stdin.end();
      await stream.done;
    },
  };
}

function instruction(update: RefUpdate): string {
  if (update.new === undefined)
    return `delete ${update.ref}\0${update.old ?? ""}\0`;
  if (update.old === undefined) return `create ${update.ref}\0${update.new}\0`;
  return `update ${update.ref}\0${update.new}\0${update.old}\0`;
}
