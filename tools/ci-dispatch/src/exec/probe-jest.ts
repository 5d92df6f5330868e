import { runUnits } from "@skein/runner";
import type { Unit, UnitResult, YarnProject } from "@skein/runner";
import { parseJestSettings, settingsCommand } from "./whole-run.js";
import type { JestSettings } from "./whole-run.js";

/** How long Jest may take to show its settings, in milliseconds: it reads configuration, and runs no test. */
const PROBE_MS = 60_000;
/** Bytes; a project of Jest shows about 4,000. */
const MOST_BYTES = 16 * 1024 * 1024;

/** What Jest answers; `refused`: it fails, as with settings that it does not accept; `unknown`: nothing that can be read. */
export type JestAnswer = JestSettings | "refused" | "unknown";

/** A script that ends with Jest, as far as asking for its settings goes. */
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
 * Asks Jest for the settings that it resolves in each unit: those of its command line, its files, presets and projects.
 * The script itself is started with `--showConfig`, in the environment that its tests get.
 * @returns answers by unit; a unit that cannot be asked is missing
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

/** Whether the settings alone can be asked for: `yarn run` starts the whole script, which may do more than Jest. */
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

/** Returns the settings of an answer; undefined where there are none. */
export function settingsOf(
  answer: JestAnswer | undefined,
): JestSettings | undefined {
  return typeof answer === "object" ? answer : undefined;
}

/** Says why a unit is run whole. */
export function judgingWords(answer: JestAnswer | undefined): string {
  const settings = settingsOf(answer);
  return settings
    ? judgedBy(settings.judging)
    : "Jest does not show its settings here";
}

/** Says which settings of Jest judge a whole run. */
export function judgedBy(settings: readonly string[]): string {
  return `Jest's ${settings.join(", ")} judges the whole run`;
}
