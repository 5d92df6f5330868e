import type { Sample } from "./measure.js";

/** Returns the last informative line, for a cell of a table. */
export function lastWords(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  const informative = lines.filter((line) => /[a-z]{3}/i.test(line));
  const failure = informative.findLast((line) =>
    /error|fail|cannot|could not/i.test(line),
  );
  return (failure ?? informative.at(-1) ?? "no output").slice(0, 160);
}

/** Returns why a run failed, for a cell of a table; undefined if it succeeded. */
export function failureOf(sample: Sample): string | undefined {
  const { stopped, exitCode, stdout, stderr } = sample;
  if (stopped) return "stopped: it took too long";
  return exitCode === 0 ? undefined : lastWords(`${stdout}\n${stderr}`);
}

/**
 * Returns why a tool's runs don't count, for a cell of a table; undefined if each ran all scripts.
 * @param ran reads the number of scripts that ran from the tool's output
 */
export function problemOf(
  samples: readonly Sample[],
  ran: (output: string) => number,
  scripts: number,
): string | undefined {
  for (const sample of samples) {
    const failure = failureOf(sample);
    if (failure !== undefined) return failure;
    const count = ran(`${sample.stdout}\n${sample.stderr}`);
    if (count !== scripts)
      return Number.isNaN(count)
        ? "its output has no number of scripts"
        : `ran ${count} of ${scripts} scripts`;
  }
  return undefined;
}
