import { Failure, printable } from "@skein/reporting";
import { parseManifest } from "@skein/workspaces";
import { setInJson } from "@skein/reporting/json-edit";
import { done, stepOf, type StepContext } from "../../steps/step.js";
import type { TreeView } from "../../tree/draft.js";
import { coverFolders } from "../cover.js";

/** Adds the destination to the root's `workspaces`. */
export const coverDestination = stepOf({
  id: "workspaces",
  why: "no glob in the root's `workspaces` matches the destination",
  find: missingGlobs,
  what: ({ globs }) =>
    globs.length === 0
      ? []
      : [`package.json: workspaces + ${globs.join(", ")}`],
  async apply(draft, { globs, text }) {
    await draft.write("package.json", text);
    return [
      done(`The root's workspaces now also contain ${globs.join(", ")}.`),
    ];
  },
});

async function missingGlobs(
  view: TreeView,
  { placements }: StepContext,
): Promise<{ globs: readonly string[]; text: string }> {
  const text = (await view.read("package.json"))?.toString("utf8") ?? "{}";
  const { workspaces, fields } = parseManifest(text, "package.json");
  const dirs: string[] = [];
  for (const { to } of placements)
    if (await view.stat(`${to}/package.json`)) dirs.push(to);
  const cover = coverFolders(workspaces, dirs);
  if (cover.kind === "covered") return { globs: [], text };
  if (cover.kind === "excluded")
    throw new Failure(
      `the root's workspaces exclude ${printable(cover.dir)}: ${printable(cover.glob)}`,
      {
        hint: "choose a different folder with --to, or remove that glob from package.json first",
      },
    );
  const all = [...workspaces, ...cover.globs];
  const field = fields["workspaces"];
  const isObject = typeof field === "object" && !Array.isArray(field);
  return {
    globs: cover.globs,
    text: setInJson(
      text,
      isObject ? ["workspaces", "packages"] : ["workspaces"],
      all,
    ),
  };
}
