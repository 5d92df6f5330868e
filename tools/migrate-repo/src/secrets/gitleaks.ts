import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Git } from "@skein/git";
import { Failure, printable } from "@skein/reporting";
import { findProgram } from "@skein/runner";
import type { SecretFound } from "./secret-found.js";

/** A finding in gitleaks' report (github.com/gitleaks/gitleaks, report/finding.go). */
interface Finding {
  readonly RuleID: string;
  readonly File: string;
  readonly StartLine: number;
  readonly Commit: string;
}

/**
 * Runs gitleaks on a history if it is on the PATH. It reads no settings of the source, only those that
 * `GITLEAKS_CONFIG` names.
 * @param scratch a folder for its report
 * @returns its findings; none if it isn't installed
 * @throws {Failure} if it fails
 */
export async function askGitleaks(
  git: Git,
  tips: readonly string[],
  exclude: readonly string[],
  scratch: string,
): Promise<readonly SecretFound[]> {
  const program = await findProgram("gitleaks", git.env["PATH"]);
  if (program === undefined) return [];
  const report = join(scratch, "gitleaks.json");
  const { execa } = await import("execa");
  const { exitCode, stderr } = await execa(
    program,
    [
      ...["detect", "--no-banner", "--no-color", "--redact", "--exit-code=0"],
      // The repository is bare, so this folder has no .gitleaks.toml.
      `--source=${git.cwd}`,
      `--log-opts=${["--full-history", ...tips, ...exclude.map((id) => `^${id}`)].join(" ")}`,
      ...["--report-format=json", `--report-path=${report}`],
    ],
    {
      cwd: git.cwd,
      env: git.env,
      extendEnv: false,
      stdin: "ignore",
      reject: false,
    },
  );
  const text = await readFile(report, "utf8").catch(() => "");
  if (exitCode !== 0 || text === "")
    throw new Failure(
      `gitleaks, which is on the PATH, failed: ${printable(stderr.trim().split("\n").at(-1) ?? "")}`,
      { hint: "see `gitleaks detect --help`; or take it off the PATH" },
    );
  return (JSON.parse(text) as readonly Finding[]).map(
    ({ RuleID, File, StartLine, Commit }) => ({
      kind: `gitleaks: ${RuleID}`,
      line: StartLine,
      path: File,
      commit: Commit,
    }),
  );
}

/** Returns our findings, and those findings of gitleaks that are at other lines. */
export function withGitleaks(
  ours: readonly SecretFound[],
  theirs: readonly SecretFound[],
): readonly SecretFound[] {
  const placeOf = ({ path, line }: SecretFound) => `${line} ${path}`;
  const known = new Set(ours.map(placeOf));
  const seen = new Map<string, SecretFound>();
  for (const one of theirs) {
    const key = `${one.kind} ${placeOf(one)}`;
    if (!known.has(placeOf(one)) && !seen.has(key)) seen.set(key, one);
  }
  return [...ours, ...seen.values()];
}
