import { runUnits } from "@skein/runner";
import type { Unit, UnitResult, YarnProject } from "@skein/runner";
import { parseJestSettings, settingsCommand } from "./whole-run.js";
import type { JestSettings } from "./whole-run.js";

/** The time limit in milliseconds for Jest to show its settings. It reads configuration and runs no test. */
const PROBE_MS = 60_000;
/** The maximum size of the answer in bytes; a project of Jest prints about 4,000. */
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * Jest's answer. `refused`: Jest failed, for example because it rejects its settings. `unknown`: the answer can't be
 * parsed.
 */
export type JestAnswer = JestSettings | "refused" | "unknown";

/** A script that ends with Jest, with the properties that are needed to ask Jest for its settings. */
export type ProbedUnit = Pick<
  Unit,
  "id" | "workspace" | "dir" | "script" | "command"
>;

export interface ProbeOptions {
  readonly project: YarnProject;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly now: () => number;
}

/**
 * Asks Jest for the resolved settings of each unit: those of its command line, its files, presets and projects. It runs
 * the script itself with `--showConfig`, in the environment of its tests.
 * @returns the answers by unit, without units that cannot be asked
 */
export async function probeJest(
  units: readonly ProbedUnit[],
  { project, concurrency, signal, now }: ProbeOptions,
): Promise<ReadonlyMap<string, JestAnswer>> {
  const asked = units.flatMap((unit) => {
    const command = settingsCommand(unit.command ?? "");
    return command === undefined || !canAsk(command, unit, project)
      ? []
      : [{ ...unit, command }];
  });
  if (asked.length === 0) return new Map();
  const plan = asked.map((unit) => ({
    ...unit,
    version: "",
    args: ["--showConfig"],
    pulledIn: false,
    dependsOn: [],
  }));
  const { results } = await runUnits(
    { units: plan, broken: [] },
    {
      project,
      concurrency,
      timeoutMs: PROBE_MS,
      signal,
      now,
      outputCap: MOST_BYTES,
    },
  );
  return new Map(
    results.map((result) => [result.unit.id, answerOf(result)] as const),
  );
}

/**
 * Returns whether the script can be asked only for its settings. `yarn run` starts the whole script, which may do more
 * than run Jest.
 */
function canAsk(
  command: string,
  unit: ProbedUnit,
  { needsYarn, yarn }: YarnProject,
): boolean {
  if (needsYarn === undefined) return true;
  return yarn !== undefined && command === unit.command;
}

function answerOf(result: UnitResult): JestAnswer {
  if (result.status === "failed" && result.exitCode !== undefined)
    return "refused";
  if (result.status !== "passed") return "unknown";
  return parseJestSettings(result.output.text) ?? "unknown";
}

/** Returns the settings of an answer; undefined without settings. */
export function settingsOf(
  answer: JestAnswer | undefined,
): JestSettings | undefined {
  return typeof answer === "object" ? answer : undefined;
}

/** Describes why a unit runs as a whole. */
export function judgingWords(answer: JestAnswer | undefined): string {
  const settings = settingsOf(answer);
  return settings
    ? judgedBy(settings.judging)
    : "Jest does not show its settings here";
}

/** Describes which settings of Jest judge the whole run. */
export function judgedBy(settings: readonly string[]): string {
  return `Jest's ${settings.join(", ")} judges the whole run`;
}
