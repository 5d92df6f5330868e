import { join } from "node:path";
import { readRegularText } from "@skein/reporting";
import { runUnits } from "@skein/runner";
import type { Unit, UnitResult, YarnProject } from "@skein/runner";
import { prepareIn } from "./prepare-in.js";
import { settingsCommand } from "../runners/settings-command.js";
import type {
  PreparedProbe,
  RunSettings,
  TestRunner,
} from "../runners/test-runner.js";

/** The time limit in milliseconds for a program to show its settings. It reads configuration and runs no test. */
const PROBE_MS = 60_000;
/** The maximum size of the answer in bytes; a project of Jest prints about 4,000. */
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * A program's answer. `refused`: it failed, for example because it rejects its settings. `unknown`: the answer can't be
 * parsed.
 */
export type Answer = RunSettings | "refused" | "unknown";

/** A script that ends with a program, with the properties that are needed to ask that for its settings. */
export interface ProbedUnit extends Pick<
  Unit,
  "id" | "workspace" | "dir" | "script" | "command"
> {
  readonly runner: TestRunner;
}

export interface ProbeOptions {
  readonly project: YarnProject;
  /** A new, empty folder. */
  readonly folder: string;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly now: () => number;
}

/**
 * Asks the program of each unit for its resolved settings: those of its command line, its files, presets and projects.
 * It runs the script itself with further arguments, in the environment of its tests. No test runs.
 * @returns the answers by unit, without units that cannot be asked
 */
export async function probeSettings(
  units: readonly ProbedUnit[],
  { project, folder, concurrency, signal, now }: ProbeOptions,
): Promise<ReadonlyMap<string, Answer>> {
  const asked = units.flatMap((unit) => {
    const command = settingsCommand(unit.command ?? "");
    return command === undefined || !canAsk(command, unit, project)
      ? []
      : [{ ...unit, command }];
  });
  if (asked.length === 0) return new Map();
  const probes = new Map(
    await Promise.all(
      asked.map(async ({ id, runner }, index) => {
        const own = join(folder, String(index));
        const probe = await prepareIn(own, runner.prepareProbe);
        return [id, { runner, probe }] as const;
      }),
    ),
  );
  const plan = asked.map((unit) => ({
    ...unit,
    version: "",
    args: probes.get(unit.id)?.probe.args ?? [],
    env: probes.get(unit.id)?.probe.env ?? {},
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
    await Promise.all(
      results.map(async (result) => {
        const asked = probes.get(result.unit.id);
        const answer = asked
          ? await answerOf(result, asked.runner, asked.probe)
          : "unknown";
        return [result.unit.id, answer] as const;
      }),
    ),
  );
}

/**
 * Returns whether the script can be asked only for its settings. `yarn run` starts the whole script, which may do more
 * than run its last program.
 */
function canAsk(
  command: string,
  unit: ProbedUnit,
  { needsYarn, yarn }: YarnProject,
): boolean {
  if (needsYarn === undefined) return true;
  return yarn !== undefined && command === unit.command;
}

async function answerOf(
  result: UnitResult,
  { parseSettings }: TestRunner,
  { answer }: PreparedProbe,
): Promise<Answer> {
  if (result.status === "failed" && result.exitCode !== undefined)
    return "refused";
  if (result.status !== "passed") return "unknown";
  const text =
    answer === undefined
      ? result.output.text
      : await readRegularText(answer).catch(() => "");
  return parseSettings(text) ?? "unknown";
}

/** Returns the settings of an answer; undefined without settings. */
export function settingsOf(
  answer: Answer | undefined,
): RunSettings | undefined {
  return typeof answer === "object" ? answer : undefined;
}

/** Describes why a unit runs as a whole. */
export function judgingWords(
  { title }: Pick<TestRunner, "title">,
  answer: Answer | undefined,
): string {
  const settings = settingsOf(answer);
  return settings
    ? judgedBy(title, settings.judging)
    : `${title} does not show its settings here`;
}

/**
 * Describes which settings of a program judge the whole run.
 * @param title the program's name for people
 */
export function judgedBy(title: string, settings: readonly string[]): string {
  return `${title}'s ${settings.join(", ")} judges the whole run`;
}
