import { Failure, printable } from "@skein/reporting";
import { parseManifest } from "@skein/workspaces";
import { setInJson } from "@skein/versions";
import type { Step, StepContext } from "../../steps/step.js";
import type { TreeView } from "../../tree/draft.js";
import { coverFolders } from "../cover.js";

/** Adds the destination to the root's `workspaces`. */
export const coverDestination: Step = {
  id: "workspaces",
  async describe(view, context) {
    const found = await missingGlobs(view, context);
    if (!found) return undefined;
    return {
      what: [`package.json: workspaces + ${found.globs.join(", ")}`],
      why: "no glob in the root's `workspaces` matches the destination",
    };
  },
  async apply(draft, context) {
    const found = await missingGlobs(draft, context);
    if (!found) return [];
    await draft.write("package.json", found.text);
    return [
      {
        kind: "done",
        text: `The root's workspaces now also contain ${found.globs.join(", ")}.`,
      },
    ];
  },
};

async function missingGlobs(
  view: TreeView,
  { placements }: StepContext,
): Promise<{ globs: readonly string[]; text: string } | undefined> {
  const text = (await view.read("package.json"))?.toString("utf8") ?? "{}";
  const { workspaces, fields } = parseManifest(text, "package.json");
  const dirs: string[] = [];
  for (const { to } of placements)
    if (await view.stat(`${to}/package.json`)) dirs.push(to);
  const cover = coverFolders(workspaces, dirs);
  if (cover.kind === "covered") return undefined;
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
