import { shellWord } from "@skein/git";
import { manifestOf } from "@skein/versions";
import {
  done,
  followUp,
  stepOf,
  type StepContext,
  type StepNote,
} from "../../steps/step.js";
import type { TreeView } from "../../tree/draft.js";
import { usageOf } from "../align.js";
import { readFacts } from "../facts.js";
import { readOwnLock } from "../own-lock/read.js";
import { findPhantoms, type Phantom } from "../phantoms.js";
import { usesInScripts } from "../script-uses.js";
import { surveyHome, surveyUses } from "../survey.js";
import { writeRanges } from "../write-ranges.js";

/** Declares imports that no manifest declares, with the version that they had. */
export const declarePhantoms = stepOf({
  id: "phantoms",
  why: "the package uses them but does not declare them: they happened to be installed, and may be missing or have a different version here",
  find,
  what: (phantoms) => phantoms.map(say),
  async apply(draft, phantoms) {
    await writeRanges(
      draft,
      phantoms.flatMap(({ member, ident, found }) =>
        found.kind === "declare"
          ? [{ member, ident, field: found.field, to: found.range }]
          : [],
      ),
    );
    return phantoms.map(noteOf);
  },
});

async function find(
  view: TreeView,
  context: StepContext,
): Promise<readonly Phantom[]> {
  const facts = await readFacts(view, context);
  const own = await readOwnLock(context.source, context.placements);
  const home = await surveyHome(context);
  const names = new Map<string, ReadonlySet<string>>();
  for (const { dir } of facts.newcomers) {
    const paths = (await view.list(dir)).map(({ path }) =>
      path.slice(dir.length + 1),
    );
    names.set(dir, new Set(paths.flatMap(localNames)));
  }
  const atRoot = new Set(home.rootRanges.keys());
  const inScripts = await Promise.all(
    facts.newcomers.map(async (member) => {
      const text = (await view.read(manifestOf(member.dir)))?.toString("utf8");
      const project = facts.project.packages.find(
        ({ dir }) => dir === member.dir,
      );
      const scripts = project?.manifest?.fields["scripts"];
      return usesInScripts(member, text ?? "", scripts, atRoot);
    }),
  );
  return findPhantoms({
    uses: [...(await surveyUses(view, facts)), ...inScripts.flat()],
    members: new Set(
      [...facts.residents, ...facts.newcomers].map(({ name }) => name),
    ),
    hoisted: (ident) =>
      own.kind === "read" ? own.lock.hoisted(ident) : undefined,
    sourceRoot: home.rootRanges,
    workspaceRange: (ident) => {
      const used = usageOf(ident, facts);
      return used?.catalog ?? used?.range;
    },
    isLocal: ({ dir }, name) =>
      names.get(dir)?.has(name.split("/")[0] ?? "") === true,
  });
}

/** Returns possible first parts of module paths with a `baseUrl` at the top or at `src`. */
function localNames(path: string): readonly string[] {
  const parts = path.split("/");
  return (parts[0] === "src" ? [parts[1], parts[0]] : [parts[0]]).flatMap(
    (name) => (name === undefined ? [] : [name.replace(/\.[^.]+$/, "")]),
  );
}

function say({ member, ident, place, more, found }: Phantom): string {
  const where = more > 0 ? `${place} and ${more} more` : place;
  return found.kind === "declare"
    ? `${manifestOf(member.dir)}: ${found.field} + ${ident} ${found.range} (${BECAUSE[found.because]}; used in ${where})`
    : `${ident} is used in ${where}, and its version is unknown`;
}

const BECAUSE = {
  "own-lock": "the version in its own lockfile",
  "source-root": "declared by the root of the source's workspace",
  workspace: "the workspace's version",
  member: "a workspace here",
} as const;

function noteOf(phantom: Phantom): StepNote {
  return phantom.found.kind === "declare"
    ? done(`Declared: ${say(phantom)}.`, "phantoms")
    : followUp(
        `${say(phantom)}: yarn workspace ${shellWord(phantom.member.name)} add ${phantom.ident}`,
      );
}
