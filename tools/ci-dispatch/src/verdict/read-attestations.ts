import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { FAILURE_CLASSES, OUTCOMES } from "../attestation.js";
import type {
  Attempt,
  Attestation,
  AttestedUnit,
  FailedTest,
  Failing,
} from "../attestation.js";
import { Malformed, members, type Members } from "@skein/reporting/json";
import { readPlainFile, TooLarge } from "../plain-file.js";
import type { Refused } from "../verdict.js";
import { FILES, type Layout } from "./layout.js";

/** A file with a well-formed attestation. The plan determines whether it counts. */
export interface Found {
  readonly file: string;
  readonly attestation: Attestation;
}

/** The maximum size of all files together. The attestation of a job has only some kilobytes. */
const MOST_BYTES = 64 * 1024 * 1024;
/** GitHub allows at most 50 re-runs of a workflow run. */
const MOST_TURNS = 1000;

/**
 * Reads all JSON files below a folder, except those of the plan's own artifact. They come from jobs that ran code of a
 * pull request, so their data is untrusted. It opens only regular files, so that a link cannot lead elsewhere. A folder
 * that doesn't exist is treated as empty.
 */
export async function readAttestations(
  folder: string,
  { name }: Layout = FILES,
): Promise<{
  readonly found: readonly Found[];
  readonly refused: readonly Refused[];
}> {
  const found: Found[] = [];
  const refused: Refused[] = [];
  const entries = await readdir(folder, {
    recursive: true,
    withFileTypes: true,
  }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  });
  const plans = ["plan.json", join(`${name}-plan`, "plan.json")];
  const paths = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !plans.includes(relative(folder, path)))
    .sort();
  let left = MOST_BYTES;
  for (const path of paths) {
    const file = relative(folder, path);
    try {
      const text = await readPlainFile(path, left);
      left -= text.length;
      found.push({ file, attestation: parseAttestation(text) });
    } catch (error) {
      if (error instanceof TooLarge) {
        const detail = `${error.size} bytes`;
        refused.push({ file, why: "too-large", detail });
        continue;
      }
      if (!(error instanceof Malformed || error instanceof SyntaxError))
        throw error;
      refused.push({ file, why: "malformed", detail: error.message });
    }
  }
  return { found, refused };
}

/**
 * Parses an attestation.
 * @throws {Malformed} {SyntaxError} if the text isn't an attestation of version 1
 */
export function parseAttestation(text: string): Attestation {
  const of = members(JSON.parse(text) as unknown, "attestation");
  if (of.number("version") !== 1)
    throw new Malformed("attestation.version is not 1");
  const ordinal = (name: "attempt" | "machine") => {
    const value = of.number(name);
    if (Number.isInteger(value) && value >= 1 && value <= MOST_TURNS)
      return value;
    throw new Malformed(
      `attestation.${name} isn't a whole number from 1 to ${MOST_TURNS}`,
    );
  };
  return {
    version: 1,
    plan: of.text("plan"),
    job: of.text("job"),
    attempt: ordinal("attempt"),
    machine: ordinal("machine"),
    finished: of.boolean("finished"),
    runtime: of.optionalText("runtime"),
    setupMs: of.optionalNumber("setupMs"),
    lost: of.optionalText("lost"),
    running: of.optionalTexts("running"),
    units: of.list("units", readUnit),
  };
}

/** Reads the output of a failed run. Its file must be in the attestation's own folder of logs. */
function readPrinted(attempt: Members): Pick<Attempt, "lastLines" | "log"> {
  const log = attempt.optionalText("log");
  if (log !== undefined && !/^[a-z0-9][\w.-]*\.logs\/\d+\.log$/.test(log))
    throw new Malformed("attempt.log isn't a file of the attestation");
  return { lastLines: attempt.optionalTexts("lastLines"), log };
}

/** Reads the names of files with coverage. They must be in the attestation's own folder of coverage. */
function readCoverage(unit: Members): AttestedUnit["coverage"] {
  const coverage = unit.optionalTexts("coverage");
  for (const file of coverage ?? [])
    if (!/^[a-z0-9][\w.-]*\.coverage\/\d+\.json\.gz$/.test(file))
      throw new Malformed("unit.coverage isn't a file of the attestation");
  return coverage;
}

/** Reads a failed test. @throws {Malformed} */
export function readFailedTest(test: Members): FailedTest {
  return {
    file: test.text("file"),
    line: test.optionalNumber("line") ?? null,
    name: test.text("name"),
    message: test.text("message"),
  };
}

/** Reads the class of a failure with its evidence. @throws {Malformed} */
export function readFailing(failure: Members): Failing {
  return {
    class: failure.oneOf("class", FAILURE_CLASSES),
    evidence: failure.texts("evidence"),
  };
}

function readUnit(unit: Members): AttestedUnit {
  const read: AttestedUnit = {
    id: unit.text("id"),
    command: unit.text("command"),
    verdict: unit.oneOf("verdict", ["passed", "failed"]),
    durationMs: unit.number("durationMs"),
    attempts: unit.list("attempts", (attempt) => ({
      outcome: attempt.oneOf("outcome", OUTCOMES),
      durationMs: attempt.number("durationMs"),
      exitCode: attempt.optionalNumber("exitCode") ?? null,
      signal: attempt.textOrNull("signal"),
      failedTests: attempt.list("failedTests", readFailedTest),
      ...readPrinted(attempt),
    })),
    failure: unit.objectOrNull("failure", readFailing),
    files: unit.numbers("files"),
    coverage: readCoverage(unit),
  };
  const last = read.attempts.at(-1);
  // A unit that passed must have a last run that passed. A unit that failed must have a class.
  if ((read.verdict === "passed") !== (last?.outcome === "passed"))
    throw new Malformed(`the unit ${read.id} contradicts its last run`);
  if (read.verdict === "failed" && read.failure === null)
    throw new Malformed(`the unit ${read.id} failed without a class`);
  return read;
}
