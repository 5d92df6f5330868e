import { count } from "@skein/reporting";
import { setInJson } from "@skein/reporting/json-edit";
import { packedFiles } from "../../../pack/packed-files.js";
import type { TreeView } from "../../../tree/draft.js";
import { done, stepOf, type StepContext } from "../../step.js";
import { asFilesField } from "./files-field.js";
import { ANY_NAME, buildOutputs, isNeverPublished } from "./build-outputs.js";
import { fieldsOf, projectFolders, textOf } from "./package-files.js";

type Verdict =
  | {
      readonly kind: "converted";
      readonly dir: string;
      readonly files: readonly string[];
      readonly packed: number;
      /** Ignored files that npm would no longer pack if they existed, because they aren't published on purpose. */
      readonly closed: readonly string[];
    }
  | { readonly kind: "kept"; readonly dir: string; readonly why: string };

/**
 * Replaces `.npmignore` by a list of files to publish, because `.npmignore` publishes every file that its author
 * overlooked. It does so only if npm packs the same files before and after, including those of a build.
 */
export const npmignore = stepOf({
  id: "npmignore",
  why: "a list of packed files cannot publish a file by accident; it replaces .npmignore only if npm packs the same files",
  find: decide,
  what: (verdicts) =>
    verdicts.map((one) =>
      one.kind === "converted"
        ? `${one.dir}/.npmignore -> "files": ${JSON.stringify(one.files)}`
        : `keep ${one.dir}/.npmignore: ${one.why}`,
    ),
  async apply(draft, verdicts) {
    for (const one of verdicts) {
      if (one.kind !== "converted") continue;
      const manifest = `${one.dir}/package.json`;
      const text = (await textOf(draft, manifest)) ?? "{}";
      await draft.write(manifest, setInJson(text, ["files"], one.files));
      await draft.remove(`${one.dir}/.npmignore`);
    }
    return verdicts.map((one) => done(say(one)));
  },
});

function say(verdict: Verdict): string {
  const { dir } = verdict;
  if (verdict.kind === "kept")
    return `${dir}/.npmignore stays: ${verdict.why}.`;
  const { packed, closed } = verdict;
  return `${dir}/.npmignore became "files": npm packs the same ${count(packed, "file")}.${closed.length > 0 ? ` If they exist, ${closed.join(", ").replaceAll(ANY_NAME, "*")} are no longer packed.` : ""} New files at the top are packed once "files" names them.`;
}

async function decide(
  view: TreeView,
  context: StepContext,
): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const dir of await projectFolders(view, context)) {
    const fields = await fieldsOf(view, dir);
    // npm ignores .npmignore if the manifest has `files`. A private package isn't published.
    if (
      !fields ||
      fields["files"] !== undefined ||
      fields["private"] === true ||
      !(await view.stat(`${dir}/.npmignore`))
    )
      continue;
    verdicts.push(await judge(view, context, dir, fields));
  }
  return verdicts;
}

async function judge(
  view: TreeView,
  { scratch }: StepContext,
  dir: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<Verdict> {
  const tracked = (await view.list(dir)).map(({ path }) =>
    path.slice(dir.length + 1),
  );
  const probes = buildOutputs(
    fields,
    (await textOf(view, `${dir}/.gitignore`)) ?? "",
    tracked,
  );
  const before =
    (await packedFiles(view, dir, scratch, { probes, alone: true })) ?? [];
  const closed = probes.filter(
    (path) => before.includes(path) && isNeverPublished(path),
  );
  const wanted = before.filter((path) => !closed.includes(path));
  const kept = (why: string): Verdict => ({ kind: "kept", dir, why });
  const files = asFilesField(wanted, [
    ...tracked,
    ...probes.filter((path) => !closed.includes(path)),
  ]);
  if (!files) return kept('as "files" it would be a long list');
  const open = files.filter((entry) => entry.includes(ANY_NAME));
  if (open.length > 0)
    return kept(
      `no "files" lists the files that a build may write (${open.join(", ").replaceAll(ANY_NAME, "*")})`,
    );
  const after = await packedFiles(view, dir, scratch, {
    probes,
    instead: { fields: { ...fields, files }, without: ".npmignore" },
  });
  const differing = [
    ...wanted.filter((path) => after?.includes(path) !== true),
    ...(after ?? []).filter((path) => !wanted.includes(path)),
  ];
  if (differing.length > 0)
    return kept(
      `as "files" ${JSON.stringify(files)} npm would not pack the same (${differing.slice(0, 3).join(", ")})`,
    );
  const packed = wanted.filter((path) => tracked.includes(path)).length;
  return { kind: "converted", dir, files, packed, closed };
}
