import { execFile } from "node:child_process";
import { Failure, readRegularText, systemWords } from "@skein/reporting";
import type { ChangeOptions } from "../../command.js";
import { withToken } from "../../history/token.js";
import { installedProgram } from "../../installed-program.js";
import type { PlannedTraces } from "../../plan.js";
import type { DispatchWorld } from "../../world.js";
import { parseAffected, type AffectedAnswer } from "./affected-answer.js";

/**
 * Returns what is affected: from the given files, or from `affected list --json`. It asks once per script, because each
 * script has other inputs.
 * @param evidence files for `affected`, the newest last; undefined if it decides itself
 * @throws {Failure} if `affected` fails
 */
export async function askAffected(
  world: DispatchWorld,
  { affected, ask }: ChangeOptions,
  scripts: readonly string[],
  evidence?: readonly string[],
): Promise<readonly AffectedAnswer[]> {
  if (affected.length > 0)
    return Promise.all(
      affected.map(async (file) => parseAffected(await read(file), file)),
    );
  const program = installedProgram("affected");
  const answers: AffectedAnswer[] = [];
  for (const script of scripts) {
    const given = (evidence ?? []).map((file) => `--evidence=${file}`);
    const args = ["list", "--json", "--script", script, ...ask, ...given];
    const text = await run(world, [program, ...args]);
    answers.push(parseAffected(text, `affected ${args.join(" ")}`));
  }
  return answers;
}

async function read(file: string): Promise<string> {
  return readRegularText(file).catch((error: unknown) => {
    throw new Failure(`cannot be read: ${systemWords(error)}`, {
      place: { file },
      cause: error,
    });
  });
}

/**
 * Runs `affected fingerprint` for a script in each package, at HEAD.
 * @returns its output; undefined if it fails, which stderr explains
 */
export async function askFingerprints(
  world: DispatchWorld,
  script: string,
): Promise<string | undefined> {
  const args = ["fingerprint", script, "--json", "--head=HEAD"];
  // Exit code 3 means that some packages have unreadable files. The fingerprints of the others are valid.
  return run(world, [installedProgram("affected"), ...args], {
    answers: [0, 3],
  })
    .then((text) => text || undefined)
    .catch(() => undefined);
}

/**
 * Runs `affected trace` for a script in some packages, one after another.
 * @param file the file for the evidence
 * @param timeoutMs after this time, it ends the scripts that still run
 * @returns its report as text
 */
export async function askTraces(
  world: DispatchWorld,
  { script, packages }: Pick<PlannedTraces, "script" | "packages">,
  { file, timeoutMs }: { readonly file: string; readonly timeoutMs: number },
): Promise<string> {
  const args = [
    ...["trace", script, "--all", "--concurrency=1", `--evidence=${file}`],
    `--filter=${packages.join(" | ")}`,
  ];
  return run(world, [installedProgram("affected"), ...args], {
    // 1: a script failed. 3: the time was over. The evidence of the others is valid.
    answers: [0, 1, 3],
    timeoutMs,
    failure: "`affected trace` failed",
  });
}

interface RunOptions {
  /** The exit codes with a valid output. */
  readonly answers?: readonly number[];
  /** After this time, it is asked to end; 0 for never. */
  readonly timeoutMs?: number;
  readonly failure?: string;
}

function run(
  { node, cwd, env, stderr, signal }: DispatchWorld,
  args: readonly string[],
  {
    answers = [0],
    timeoutMs = 0,
    failure = "`affected` could not determine what is affected",
  }: RunOptions = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      node.execPath,
      args,
      {
        ...{ cwd, signal, maxBuffer: 2 ** 30, encoding: "utf8" as const },
        ...{ timeout: timeoutMs, killSignal: "SIGINT" as const },
        // A partial clone fetches missing objects.
        env: withToken(env),
      },
      (error, out, words) => {
        stderr.write(words);
        const exitCode = error === null ? 0 : error.code;
        if (answers.some((code) => code === exitCode)) resolve(out);
        else
          reject(
            new Failure(failure, {
              exitCode: exitCode === 2 ? 2 : 3,
              hint: "its message is above",
              cause: error,
            }),
          );
      },
    );
  });
}
