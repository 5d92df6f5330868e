import { execFile } from "node:child_process";
import { access, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Failure } from "@skein/reporting";
import type { ChangeOptions } from "../command.js";
import type { DispatchWorld } from "../world.js";
import { parseAffected } from "./affected-answer.js";
import type { AffectedAnswer } from "./affected-answer.js";

// Tools compose through versioned JSON: the other tool is a program beside this one, never an import.
const BESIDE = new URL("../../../affected/bin/affected.js", import.meta.url);

/**
 * Gets what is affected: from the files that were given, else from `affected list --json`, once for each script, since
 * what counts as an input differs between scripts.
 * @throws {Failure} where `affected` is not there, or cannot decide
 */
export async function askAffected(
  world: DispatchWorld,
  { affected, ask }: ChangeOptions,
  scripts: readonly string[],
): Promise<readonly AffectedAnswer[]> {
  if (affected.length > 0)
    return Promise.all(
      affected.map(async (file) => parseAffected(await read(file), file)),
    );
  const program = fileURLToPath(BESIDE);
  await access(program).catch(() => {
    throw new Failure(
      "the program `affected` is not installed beside this one",
      {
        hint: "install @skein/affected, or give its answer: `affected list --json > affected.json`, then --affected affected.json",
      },
    );
  });
  const answers: AffectedAnswer[] = [];
  for (const script of scripts) {
    const args = ["list", "--json", "--script", script, ...ask];
    const text = await run(world, [program, ...args]);
    answers.push(parseAffected(text, `affected ${args.join(" ")}`));
  }
  return answers;
}

async function read(file: string): Promise<string> {
  return readFile(file, "utf8").catch((error: unknown) => {
    throw new Failure(`cannot be read: ${(error as Error).message}`, {
      place: { file },
      cause: error,
    });
  });
}

function run(
  { node, cwd, env, stderr, signal }: DispatchWorld,
  args: readonly string[],
): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      node.execPath,
      args,
      { cwd, env, signal, maxBuffer: 2 ** 30, encoding: "utf8" },
      (error, out, words) => {
        stderr.write(words);
        if (error === null) resolve(out);
        else
          reject(
            new Failure("`affected` could not tell what is affected", {
              exitCode: error.code === 2 ? 2 : 3,
              hint: "its own words are above",
              cause: error,
            }),
          );
      },
    );
  });
}
