import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { splitNul, openGit } from "@skein/git";
import { addTo } from "@skein/reporting/group-by";
import {
  followUp,
  stepOf,
  warning,
  type StepContext,
  type StepNote,
} from "../../step.js";
import type { TreeView } from "../../../tree/draft.js";
import { textOf } from "../manifest/package-files.js";

interface Submodule {
  readonly file: string;
  readonly name: string;
  readonly to: string;
  readonly settings: readonly (readonly [string, string])[];
}

/** Adds submodules to the root's .gitmodules, with their paths there. */
export const submodules = stepOf({
  id: "submodules",
  why: "git reads .gitmodules at the top of the repository only",
  find,
  what: (found) => [
    ...found.map(({ to, name }) => `.gitmodules: + ${to}/${name}`),
    ...[...new Set(found.map(({ file }) => file))].map(
      (file) => `remove ${file}`,
    ),
  ],
  async apply(draft, found, context) {
    const notes: StepNote[] = [];
    const before = (await textOf(draft, ".gitmodules")) ?? "";
    const parts = found.map(({ name, to, settings }) => {
      const lines = settings.map(([key, value]) => {
        const now =
          key === "path"
            ? `${to}/${value}`
            : key === "url"
              ? absolute(value, context, notes)
              : value;
        return `\t${key} = ${quote(now)}\n`;
      });
      return `[submodule ${quote(`${to}/${name}`, true)}]\n${lines.join("")}`;
    });
    await draft.write(
      ".gitmodules",
      before === "" || before.endsWith("\n")
        ? before + parts.join("")
        : `${before}\n${parts.join("")}`,
    );
    for (const { file } of found) await draft.remove(file);
    return [
      ...notes,
      followUp(
        "Everyone must run: git submodule sync && git submodule update --init",
      ),
    ];
  },
});

async function find(
  view: TreeView,
  context: StepContext,
): Promise<readonly Submodule[]> {
  const found: Submodule[] = [];
  for (const [index, { to }] of context.placements.entries()) {
    const file = `${to}/.gitmodules`;
    const text = await textOf(view, file);
    if (text === undefined) continue;
    const copy = join(context.scratch, `gitmodules-${index}`);
    await writeFile(copy, text);
    const git = openGit({ cwd: context.scratch, env: context.env });
    const { stdout, exitCode } = await git.run(
      ["config", "--no-includes", "--file", copy, "-z", "--list"],
      { answers: [0, 1, 128] },
    );
    if (exitCode !== 0) continue;
    const byName = new Map<string, (readonly [string, string])[]>();
    for (const entry of splitNul(stdout)) {
      const match = /^submodule\.([^]+)\.([^.\n]+)\n([^]*)$/.exec(entry);
      if (!match) continue;
      const [, name = "", key = "", value = ""] = match;
      addTo(byName, name, [key, value]);
    }
    for (const [name, settings] of byName)
      found.push({ file, name, to, settings });
  }
  return found;
}

/** Returns an absolute URL. A relative URL is relative to the remote of its repository, which has changed. */
function absolute(
  url: string,
  { sourceSlug }: StepContext,
  notes: StepNote[],
): string {
  if (!/^\.\.?\//.test(url)) return url;
  if (sourceSlug === undefined) {
    notes.push(
      warning(
        `.gitmodules: the URL ${url} was relative to the source's own remote; write the whole URL.`,
      ),
    );
    return url;
  }
  return new URL(url, `https://github.com/${sourceSlug}/`).href;
}

/** Quotes a value as git-config(1) requires: if it has a special character. */
function quote(value: string, always = false): string {
  return always || /[#;"\\]|^\s|\s$/.test(value)
    ? `"${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`
    : value;
}
