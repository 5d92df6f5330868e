import { ExitCode, usageFailure, wantsColour } from "@skein/reporting";
import type { Command, InitOptions } from "../command.js";
import type { InitPlan } from "../init/look.js";
import { planInit } from "../init/plan-init.js";
import { readLook, type InitPlace } from "../init/read-look.js";
import {
  initJson,
  renderCheck,
  renderDiff,
  renderWords,
} from "../init/render-init.js";
import { writeInit } from "../init/write-init.js";
import { findPlace } from "../project/place.js";
import type { AffectedWorld } from "../world.js";
import { installedPeer } from "../compare/ask-peer.js";
import { compare } from "./compare.js";

/**
 * Runs `affected init`: reads the workspace, makes a plan, shows it as a diff, and writes it if the user agrees.
 * @returns 1 if `--check` finds something out of date
 */
export async function init(
  world: AffectedWorld,
  { options }: Extract<Command, { kind: "init" }>,
): Promise<number> {
  const { stdout, stderr, env } = world;
  const { root, opening } = await findPlace(world, false);
  const place: InitPlace = { root, repository: await opening };
  if (place.repository.topLevel === undefined)
    throw usageFailure("a bare repository has no files to write", {
      hint: "run it in a clone with a working tree",
    });
  const plan = planInit(await readLook(world, place, options));
  const isCurrent = plan.files.length === 0;
  if (options.mode === "check") return check(world, plan, options);
  if (!options.json) {
    stdout.write(renderDiff(plan, wantsColour(env, stdout)));
    stderr.write(renderWords(plan, isCurrent ? "current" : "planned"));
  }
  if (isCurrent || options.mode === "dry-run") {
    if (options.compare === true) await compareWithPeer(world, plan);
    if (options.json)
      stdout.write(initJson(plan, isCurrent ? "current" : "planned"));
    return ExitCode.Ok;
  }
  if (wantsComparison(place, plan, options)) await compareWithPeer(world, plan);
  if (options.mode === "ask") await askFirst(world);
  await writeInit(place, plan.files, world.token());
  if (options.json) stdout.write(initJson(plan, "written"));
  else stderr.write(renderWords({ ...plan, kept: [], notes: [] }, "written"));
  return ExitCode.Ok;
}

function check(
  { stdout }: AffectedWorld,
  plan: InitPlan,
  { json }: InitOptions,
): number {
  const text = renderCheck(plan);
  stdout.write(
    json ? initJson(plan, text === "" ? "current" : "planned") : text,
  );
  return text === "" ? ExitCode.Ok : ExitCode.Bad;
}

/**
 * Returns whether to compare. A comparison takes time, so it runs only if the other tool is installed or if the user
 * asks for it.
 */
function wantsComparison(
  { root }: InitPlace,
  { peer }: InitPlan,
  { compare, json }: InitOptions,
): boolean {
  if (compare !== undefined || json) return compare === true;
  return (
    peer !== undefined &&
    peer !== "lage" &&
    installedPeer(root, peer) !== undefined
  );
}

/** The number of commits to compare: enough to see a pattern, few enough to wait for. */
const LAST = 50;

/**
 * Compares with the other tool. lage selects by manifests: changed packages and their dependents. So the yardstick
 * replaces it, and its program isn't needed.
 */
async function compareWithPeer(
  world: AffectedWorld,
  { peer }: InitPlan,
): Promise<void> {
  await compare(world, {
    kind: "compare",
    peer: peer === undefined || peer === "lage" ? "manifests" : peer,
    peerBin: undefined,
    range: { head: "HEAD", base: undefined, last: LAST },
    script: undefined,
    json: false,
  });
}

/** Asks the user before writing. @throws {Failure} (usage) if there is no terminal, or if the answer isn't yes */
async function askFirst({
  stdin,
  stdout,
  stderr,
}: AffectedWorld): Promise<void> {
  if (stdout.isTTY !== true || stderr.isTTY !== true)
    throw usageFailure(
      "nothing was written: without a terminal, init cannot ask",
      {
        hint: "write the files with --yes, or only show them with --dry-run",
      },
    );
  stderr.write("Write these files? [y/N] ");
  let answer = "";
  for await (const chunk of stdin) {
    answer += chunk.toString();
    if (answer.includes("\n")) break;
  }
  if (!/^\s*y(?:es)?\s*$/i.test(answer.split("\n")[0] ?? ""))
    throw usageFailure("nothing was written");
}
