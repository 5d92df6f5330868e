import { execFile } from "node:child_process";
import { yarnTestEnv } from "@skein/testing";

/** The result of a process: exit code and output. */
export interface Outcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a program to its end, as on a user's machine: without environment variables of CI or an outer Yarn.
 * @param where its folder, and additional environment variables
 * @throws if it doesn't start
 */
export function runProgram(
  where: string | { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
  program: string,
  ...args: string[]
): Promise<Outcome> {
  const { cwd, env } =
    typeof where === "string" ? { cwd: where, env: {} } : where;
  return new Promise((resolve, reject) => {
    const child = execFile(
      program,
      args,
      { cwd, env: { ...yarnTestEnv(), ...env }, maxBuffer: 2 ** 28 },
      (error, stdout, stderr) => {
        if (error && typeof error.code !== "number")
          reject(new Error(`${program}: ${error.message}`));
        else resolve({ exitCode: Number(error?.code ?? 0), stdout, stderr });
      },
    );
    child.stdin?.end();
  });
}
