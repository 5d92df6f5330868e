import { shellWord } from "@skein/git";
import { isRecord } from "@skein/reporting/is-record";
import { followUp, type StepNote } from "../../step.js";

/**
 * Scripts that npm and Yarn 1 run after an install in the package's own folder, and before packing (docs.npmjs.com,
 * "Life Cycle Operation Order"). Yarn 2 and newer run none of them for a workspace.
 */
const NOT_RUN = ["preprepare", "prepare", "postprepare", "prepublish"];

/**
 * Returns notes about scripts that no longer run.
 * @param file the manifest's path, for people
 * @param renamed the package's name here, if it differs from the manifest's
 */
export function lifecycleNotes(
  manifest: Readonly<Record<string, unknown>>,
  file: string,
  renamed: string | undefined,
): readonly StepNote[] {
  const manager = manifest["packageManager"];
  // Yarn 2 and newer didn't run them in the source either.
  if (typeof manager === "string" && /^yarn@(?!1\.)/.test(manager)) return [];
  const scripts = isRecord(manifest["scripts"]) ? manifest["scripts"] : {};
  const found = NOT_RUN.filter((name) => typeof scripts[name] === "string");
  const name = renamed ?? manifest["name"];
  if (found.length === 0 || typeof name !== "string") return [];
  const run = found
    .map((script) => `yarn workspace ${shellWord(name)} run ${script}`)
    .join(" && ");
  const lines = found.map(
    (script) => `${script} (${JSON.stringify(scripts[script])})`,
  );
  return [
    followUp(
      `${file}: npm ran ${lines.join(", ")} after each install and before it packed; Yarn does not for a workspace. Run it after \`yarn install\`, before build and tests: ${run}. To run it automatically, call it from "postinstall" of the root's package.json, and from "prepack" of this one if its output is published.`,
    ),
  ];
}
