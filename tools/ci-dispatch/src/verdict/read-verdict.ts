import { resolve } from "node:path";
import { Failure, systemWords } from "@skein/reporting";
import { Malformed, members, type Members } from "@skein/reporting/json";
import {
  readReuse,
  readReused,
  readSkip,
  readTree,
} from "../plan/file/read-plan.js";
import { readWorkload } from "../plan/file/read-workload.js";
import { readPlainFile } from "../plain-file.js";
import { REFUSAL_KINDS, UNIT_STATES } from "../verdict.js";
import type { JudgedUnit, Verdict } from "../verdict.js";
import { readFailedTest, readFailing } from "./read-attestations.js";

/**
 * Reads a verdict file.
 * @param file relative to `cwd`, or absolute
 * @throws {Failure} if the file doesn't exist, or isn't a verdict of version 1
 */
export async function readVerdict(cwd: string, file: string): Promise<Verdict> {
  try {
    return parseVerdict(await readPlainFile(resolve(cwd, file)));
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    if (
      !isMissing &&
      !(error instanceof Malformed || error instanceof SyntaxError)
    )
      throw error;
    const what = isMissing
      ? "the verdict cannot be read"
      : "this isn't a verdict of version 1";
    throw new Failure(`${what}: ${systemWords(error)}`, {
      place: { file },
      hint: "create it with `ci-dispatch verdict --report FILE`",
    });
  }
}

/**
 * Parses a verdict. It may come from an artifact, so every member is checked, and its colour must match its units.
 * @throws {Malformed} {SyntaxError} if it isn't a verdict of version 1
 */
export function parseVerdict(text: string): Verdict {
  const of = members(JSON.parse(text) as unknown, "verdict");
  if (of.number("version") !== 1)
    throw new Malformed("verdict.version is not 1");
  const exitCode = of.number("exitCode");
  if (exitCode !== 0 && exitCode !== 1 && exitCode !== 3)
    throw new Malformed("verdict.exitCode isn't an exit code of a verdict");
  const counts = of.object("counts");
  const verdict: Verdict = {
    version: 1,
    plan: planId(of),
    head: of.textOrNull("head"),
    colour: of.oneOf("colour", ["green", "red"]),
    exitCode,
    counts: Object.fromEntries(
      UNIT_STATES.map((state) => [state, counts.number(state)]),
    ) as Record<(typeof UNIT_STATES)[number], number>,
    units: of.list("units", readUnit),
    ...(of.unknown("reused") !== undefined && {
      reused: of.list("reused", readReused),
    }),
    ...readTree(of),
    skipped: of.list("skipped", readSkip),
    refused: of.list("refused", (refused) => ({
      file: refused.text("file"),
      why: refused.oneOf("why", REFUSAL_KINDS),
      detail: refused.text("detail"),
    })),
    alters: of.optionalTexts("alters"),
    ...(of.unknown("setups") !== undefined && {
      setups: of.numbers("setups"),
    }),
    selection: of.optional("selection", (selection) => ({
      selected: readWorkload(selection.object("selected")),
      everything: readWorkload(selection.object("everything")),
      predictedMs: selection.whole("predictedMs"),
    })),
  };
  checkConsistent(verdict);
  return verdict;
}

/** Reads a plan's id, which is a hash of 32 hexadecimal digits. */
function planId(of: Members): string {
  const id = of.text("plan");
  if (!/^[0-9a-f]{32}$/.test(id))
    throw new Malformed("verdict.plan isn't an id");
  return id;
}

function checkConsistent({ units, counts, colour, exitCode }: Verdict): void {
  for (const state of UNIT_STATES)
    if (counts[state] !== units.filter((unit) => unit.state === state).length)
      throw new Malformed(`verdict.counts.${state} is not that of its units`);
  const red = counts.failed + counts.missing > 0;
  if ((colour === "red") !== red || (exitCode !== 0) !== red)
    throw new Malformed("verdict.colour is not that of its units");
}

function readUnit(unit: Members): JudgedUnit {
  return {
    id: unit.text("id"),
    whole: unit.text("whole"),
    workspace: unit.text("workspace"),
    dir: unit.text("dir"),
    job: unit.text("job"),
    state: unit.oneOf("state", UNIT_STATES),
    failure: unit.objectOrNull("failure", readFailing),
    failedTests: unit.list("failedTests", readFailedTest),
    lastLines: unit.optionalTexts("lastLines"),
    log: unit.optionalText("log"),
    runs: unit.number("runs"),
    durationMs: unit.optionalNumber("durationMs") ?? null,
    files: unit.numbers("files"),
    under: unit.optionalText("under"),
    ...readReuse(unit),
  };
}
