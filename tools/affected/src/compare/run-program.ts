import { spawn } from "node:child_process";
import type { NodeProcess } from "@skein/runner";
import type { PeerEnd } from "./peer.js";

export interface ProgramCall {
  /** The program's file, absolute. A JavaScript file runs in the Node that runs us. */
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly node: NodeProcess;
}

/** The time limit for one answer, in milliseconds. Nx needs some seconds for a workspace of 1,000 projects. */
const LIMIT_MS = 600_000;

/**
 * Runs a program to its end. The program and everything that it starts are in one process group. We kill the group if
 * the signal is aborted or the time limit is over. Resolves when the program has ended.
 * @returns how it ended; the exit code is undefined if it was killed or could not be started
 */
export function runProgram({
  file,
  args,
  cwd,
  env,
  signal,
  node,
}: ProgramCall): Promise<PeerEnd> {
  if (signal.aborted) return Promise.resolve(NOT_STARTED);
  const byNode = /\.[cm]?js$/.test(file);
  const isGroup = node.platform !== "win32";
  return new Promise((resolve) => {
    const child = spawn(
      byNode ? node.execPath : file,
      byNode ? [file, ...args] : args,
      {
        cwd,
        env,
        detached: isGroup,
        stdio: ["ignore", "pipe", "pipe"],
        windowsHide: true,
      },
    );
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
    // The program works in a folder that we delete afterwards, so it doesn't need a graceful shutdown.
    const end = () => {
      if (isGroup && child.pid !== undefined) killGroup(node, child.pid);
      else child.kill("SIGKILL");
    };
    const limit = setTimeout(end, LIMIT_MS);
    signal.addEventListener("abort", end, { once: true });
    const finish = (exitCode: number | undefined, problem?: string) => {
      clearTimeout(limit);
      signal.removeEventListener("abort", end);
      resolve({
        exitCode,
        stdout: Buffer.concat(out).toString("utf8"),
        stderr: problem ?? Buffer.concat(err).toString("utf8"),
      });
    };
    child.on("error", ({ message }) => finish(undefined, message));
    child.on("close", (exitCode) => finish(exitCode ?? undefined));
  });
}

const NOT_STARTED: PeerEnd = { exitCode: undefined, stdout: "", stderr: "" };

function killGroup(node: NodeProcess, leader: number): void {
  try {
    node.kill(-leader, "SIGKILL");
  } catch {
    // The program ended by itself in the meantime.
  }
}
