import { join } from "node:path";
import { gitIn } from "@skein/testing";
import { inFolder } from "../env.js";
import type { Installed } from "../install.js";
import { makeSite } from "../make-site.js";
import { failureOf } from "../measure/failure.js";
import { measure, type Sample } from "../measure/measure.js";
import { rounds } from "../measure/rounds.js";
import type { BenchOptions } from "../options.js";
import { expectedAffected, type Site } from "../site.js";
import type { Question, Tool } from "../tools/tool.js";

/** One row of the table at one size. */
export interface Result {
  readonly label: string;
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly samples: readonly Sample[];
  readonly verdict: Verdict;
}

/** Whether a tool gave the right answer. */
export type Verdict =
  | { readonly kind: "right"; readonly packages: number }
  | { readonly kind: "not-asked" }
  | {
      readonly kind: "wrong";
      readonly missed: readonly string[];
      readonly extra: readonly string[];
    }
  | { readonly kind: "failed"; readonly words: string };

export interface SizeResult {
  readonly packages: number;
  readonly files: number;
  readonly affected: number;
  readonly results: readonly Result[];
}

/** Measures every tool with the same question in a workspace of this size, in turns. */
export async function measureAffected(
  folder: string,
  packages: number,
  installed: readonly Installed[],
  options: BenchOptions & { readonly log: (line: string) => void },
): Promise<SizeResult> {
  const { log, timeoutMs } = options;
  log(`generate a workspace of ${packages} packages`);
  // The middle of the list is in the middle layer: half of the packages can depend on it.
  const middle = (members: Site["members"]) =>
    members.slice(Math.floor(packages / 2)).slice(0, 1);
  const site = await makeSite({
    dir: join(folder, `workspace-${packages}`),
    packages,
    installed,
    changed: middle,
  });
  const expected = expectedAffected(
    site.members,
    middle(site.members).map(({ name }) => name),
  );
  const entries = installed.flatMap(({ tool, problem }) =>
    tool.questions.map((question) => ({ question, problem })),
  );
  const runnable = entries.filter(({ problem }) => problem === undefined);
  const measured = await rounds(
    runnable.map(({ question }) => ({
      label: question.label,
      async run() {
        await question.prepare?.(site);
        return measure(commandOf(question, site), timeoutMs);
      },
    })),
    options,
  );
  await stopAll(installed, site);
  const samplesOf = new Map(
    runnable.map(({ question }, index) => [question, measured[index] ?? []]),
  );
  return {
    packages,
    files: gitIn(site.dir, "ls-files").split("\n").length - 1,
    affected: expected.length,
    results: entries.map(({ question, problem }) => {
      const samples = samplesOf.get(question) ?? [];
      return {
        label: question.label,
        command: problem === undefined ? argvOf(question, site) : [],
        env: question.env ?? {},
        samples,
        verdict:
          problem === undefined
            ? judge(question, samples, site, expected)
            : { kind: "failed", words: problem },
      };
    }),
  };
}

/** Ends the daemons that tools left running in a workspace. */
export async function stopAll(
  installed: readonly Installed[],
  { dir }: Site,
): Promise<void> {
  const running: Tool[] = installed
    .filter(({ problem }) => problem === undefined)
    .map(({ tool }) => tool);
  for (const { stop = [] } of running)
    for (const argv of stop) await measure({ cwd: dir, argv }, 20_000);
}

function argvOf({ argv }: Question, site: Site): readonly string[] {
  return typeof argv === "function" ? argv(site) : argv;
}

function commandOf(question: Question, site: Site) {
  const env = inFolder(question.env, site.dir);
  return { cwd: site.dir, argv: argvOf(question, site), env };
}

/** Returns the worst verdict of a row's answers. */
function judge(
  question: Question,
  samples: readonly Sample[],
  site: Site,
  expected: readonly string[],
): Verdict {
  let verdict: Verdict = { kind: "not-asked" };
  for (const sample of samples) {
    const failure = failureOf(sample);
    if (failure !== undefined) return { kind: "failed", words: failure };
    const answer = question.answer(sample.stdout, site);
    if (answer === undefined) continue;
    const given = new Set(answer);
    const missed = expected.filter((name) => !given.has(name));
    const right = new Set(expected);
    const extra = answer.filter((name) => !right.has(name));
    if (missed.length + extra.length > 0)
      return { kind: "wrong", missed, extra };
    verdict = { kind: "right", packages: expected.length };
  }
  return verdict;
}
