import { fileURLToPath } from "node:url";
import { measure } from "../measure/measure.js";

const CHILD = fileURLToPath(
  new URL("../children/lockfile.js", import.meta.url),
);

/** The results of reading and comparing two big lockfiles. Times are in milliseconds. */
export interface LockfileResult {
  readonly lines: number;
  readonly entries: number;
  readonly workspaces: number;
  /** The number of workspaces that one bumped version affects. */
  readonly changed: number;
  readonly readMs: readonly number[];
  readonly compareMs: readonly number[];
}

/**
 * Reads a yarn.lock of 100,000 lines and one with a different version, and compares them, each time in a new process.
 */
export async function measureLockfile(runs: number): Promise<LockfileResult> {
  const reports: Report[] = [];
  for (let run = 0; run < runs; run++) {
    const argv = ["node", CHILD, "100000"];
    const { exitCode, stdout, stderr } = await measure(
      { cwd: ".", argv },
      60_000,
    );
    if (exitCode !== 0) throw new Error(stderr);
    reports.push(JSON.parse(stdout) as Report);
  }
  const [first] = reports;
  if (!first) throw new Error("nothing was measured");
  return {
    ...first,
    readMs: reports.map(({ readMs }) => readMs),
    compareMs: reports.map(({ compareMs }) => compareMs),
  };
}

interface Report {
  readonly lines: number;
  readonly entries: number;
  readonly workspaces: number;
  readonly changed: number;
  readonly readMs: number;
  readonly compareMs: number;
}
