import type { Knowledge, Look } from "../look.js";
import { collect } from "./collect.js";
import { entriesOf, memberOf, readJson, stringsOf } from "./literal.js";

/**
 * Reads turbo.json: `tasks` (`pipeline` before Turborepo 2) with `dependsOn` and `inputs`, and `globalDependencies`.
 * @see https://turborepo.com/docs/reference/configuration
 */
export function turboKnowledge({
  files,
  packages,
}: Look): Knowledge | undefined {
  const file = ["turbo.json", "turbo.jsonc"].find((name) => files[name]);
  if (file === undefined) return undefined;
  const settings = readJson(files[file] ?? "");
  const found = collect("turbo", file, packages);
  if (settings === undefined) found.note("it is not JSON, and is not imported");
  const tasks = memberOf(settings, "tasks") ?? memberOf(settings, "pipeline");
  for (const [task, value] of entriesOf(tasks)) {
    const before = stringsOf(memberOf(value, "dependsOn"));
    // `$CI` is a variable (Turborepo 1); `//#task` is a task of the root.
    for (const word of before.filter((each) => each.startsWith("//#")))
      found.note(
        `${task} waits for ${word}, a task of the root, which is not imported`,
      );
    found.before(
      task,
      before.filter((word) => !/^(\$|\/\/#)/.test(word)),
    );
    const inputs = stringsOf(memberOf(value, "inputs"));
    const globs = inputs.filter((glob) => glob !== "$TURBO_DEFAULT$");
    if (globs.length > 0 && globs.length === inputs.length)
      found.note(
        `inputs of ${task} replace Turborepo's default; in skein.json they add to it, so that more is selected`,
      );
    if (!task.includes("#")) found.inputs(task, globs);
  }
  found.everything(
    stringsOf(memberOf(settings, "globalDependencies")).filter(
      (glob) => !/^[!$]/.test(glob),
    ),
  );
  for (const { dir } of packages)
    if (dir !== "." && files[`${dir}/turbo.json`] !== undefined)
      found.note(`${dir}/turbo.json is not imported`);
  return found.done();
}
