import { mkdir, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { appendOutputs, appendSummary, inertLog } from "@skein/reporting";
import type { VerdictCommand } from "../command.js";
import { readPlan } from "../plan/read-plan.js";
import { renderVerdictJunit } from "../render/render-junit.js";
import {
  renderVerdict,
  renderVerdictJson,
  renderVerdictMarkdown,
} from "../render/render-verdict.js";
import { judge } from "../verdict/judge.js";
import { readAttestations } from "../verdict/read-attestations.js";
import type { DispatchWorld } from "../world.js";

/** `ci-dispatch verdict`: plan minus attestations. The exit code is the one required check. */
export async function verdict(
  world: DispatchWorld,
  command: VerdictCommand,
): Promise<number> {
  const { cwd, env, stdout } = world;
  const plan = await readPlan(cwd, command.plan);
  const { found, refused } = await readAttestations(
    resolve(cwd, command.attestations),
  );
  const judged = judge(plan, found, refused);
  const files: readonly [string | undefined, string][] = [
    [command.junit, renderVerdictJunit(judged)],
    [command.report, renderVerdictJson(judged)],
    [command.summary, renderVerdictMarkdown(judged)],
  ];
  for (const [name, text] of files) {
    if (name === undefined) continue;
    const file = resolve(cwd, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  await appendSummary(env, renderVerdictMarkdown(judged));
  await appendOutputs(env, { verdict: judged.colour }, world.unguessable());
  const width = stdout.isTTY ? stdout.columns : undefined;
  stdout.write(
    command.json
      ? renderVerdictJson(judged)
      : inertLog(renderVerdict(judged, width)),
  );
  return judged.exitCode;
}
