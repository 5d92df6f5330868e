import { ENGINE_TITLES } from "@skein/ci";
import { codeownersPaths } from "@skein/workspaces";
import { planManifest } from "./plan-manifest.js";
import { planSettings } from "./plan-settings.js";
import { planWorkflows } from "./plan-workflows.js";
import { lageKnowledge } from "./knowledge/lage.js";
import { nxKnowledge } from "./knowledge/nx.js";
import { turboKnowledge } from "./knowledge/turbo.js";
import type {
  InitPlan,
  KeptFile,
  Knowledge,
  Look,
  PlannedFile,
} from "./look.js";

/** The result of one part of the plan. */
export interface Part {
  readonly files: readonly PlannedFile[];
  readonly kept: readonly KeptFile[];
  readonly notes: readonly string[];
}

/** Nx may run Turborepo's tasks, but hardly the reverse. The first tool with settings decides. */
const KNOWLEDGE: Readonly<
  Record<Knowledge["tool"], (look: Look) => Knowledge | undefined>
> = { nx: nxKnowledge, turbo: turboKnowledge, lage: lageKnowledge };

function knowledgeOf(look: Look): Knowledge | undefined {
  for (const read of Object.values(KNOWLEDGE)) {
    const knowledge = read(look);
    if (knowledge) return knowledge;
  }
  return undefined;
}

/**
 * Decides which files `affected init` writes. Pure. It changes no file that a person wrote, except for lines in
 * package.json, .gitignore and .yarnrc.yml.
 */
export function planInit(look: Look): InitPlan {
  const knowledge = knowledgeOf(look);
  const workflows =
    look.engine === "github-actions" && look.isTop
      ? planWorkflows(look)
      : undefined;
  const parts: readonly Part[] = [
    planManifest(look),
    planSettings(look, knowledge, workflows?.file),
    ...(workflows ? [workflows] : []),
    planIgnore(look),
    ...(look.plugin === undefined ? [] : [planPlugin(look, look.plugin)]),
  ];
  return {
    files: parts
      .flatMap(({ files }) => files)
      .filter(({ before, after }) => before !== after),
    kept: parts.flatMap(({ kept }) => kept),
    check: workflows && "ci / verdict",
    peer: knowledge?.tool,
    notes: [
      ...parts.flatMap(({ notes }) => notes),
      ...(knowledge?.notes ?? []),
      ...engineNotes(look),
      ...runnerNotes(look),
    ],
  };
}

/** `ci-dispatch exec` writes this folder by default, and a new file counts as a change. */
const IGNORED = "/attestations/";

function planIgnore({ files }: Look): Part {
  const path = ".gitignore";
  const before = files[path];
  const has = (before ?? "")
    .split(/\r?\n/)
    .some((line) => /^\/?attestations\/?\s*$/.test(line));
  return {
    files: has
      ? []
      : [
          {
            path,
            before,
            after: `${withNewline(before ?? "")}${IGNORED}\n`,
            why: "ci-dispatch exec writes that folder",
          },
        ],
    kept: [],
    notes: [],
  };
}

const PLUGIN = ".yarn/plugins/plugin-skein.cjs";

/** Adds the plugin to .yarnrc.yml: as a block sequence at the end, or as an item after the line `plugins:`. */
function planPlugin({ files }: Look, text: string): Part {
  const path = ".yarnrc.yml";
  const before = files[path];
  const item = `  - path: ${PLUGIN}\n    spec: "@skein/yarn-plugin"\n`;
  const listed = before?.includes(PLUGIN) === true;
  const at = /^plugins:[ \t]*\r?\n/m.exec(before ?? "");
  const isOther = !at && /^["']?plugins["']?\s*:/m.test(before ?? "");
  if (isOther && !listed)
    return {
      files: [],
      kept: [
        {
          path,
          why: `its list of plugins has a form that init cannot edit; add ${PLUGIN} to it`,
          isStale: true,
        },
      ],
      notes: [],
    };
  const end = at ? at.index + at[0].length : 0;
  const after = at
    ? `${(before ?? "").slice(0, end)}${item}${(before ?? "").slice(end)}`
    : `${withNewline(before ?? "")}plugins:\n${item}`;
  const known = files[PLUGIN];
  return {
    files: [
      ...(listed ? [] : [{ path, before, after, why: "names the plugin" }]),
      {
        path: PLUGIN,
        before: known,
        after: text,
        why: "makes the tools commands of Yarn",
      },
    ],
    kept: [],
    notes: [],
  };
}

/** Returns a text that is empty or ends with a line break. */
export function withNewline(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

function engineNotes({ engine, isTop, files }: Look): readonly string[] {
  if (engine !== "github-actions")
    return [
      `init writes no pipeline for ${ENGINE_TITLES[engine]}; Skein's docs/engines.md has one to copy`,
    ];
  if (!isTop)
    return [
      "the workspace is not at the top of its repository, where GitHub looks for workflows, so none is written",
    ];
  const owners = codeownersPaths.find((path) => files[path] !== undefined);
  if (
    owners === undefined ||
    /^\s*(\*|\/?\.github\/)/m.test(files[owners] ?? "")
  )
    return [];
  return [
    `${owners} names no owner of .github/workflows; a pull request that changes a workflow should need one`,
  ];
}

/** Matches scripts whose test files ci-dispatch can split over jobs. */
const SPLITTABLE = /\b(?:jest|vitest|playwright)\b/;

/** Returns what Skein recognises in the scripts, and a note about an assumed default branch. */
function runnerNotes({
  packages,
  defaultBranch,
  isBranchFound,
}: Look): readonly string[] {
  const tests = packages.flatMap(({ dir, scripts }) =>
    dir === "." || scripts["test"] === undefined ? [] : [scripts["test"]],
  );
  const root = packages.find(({ dir }) => dir === ".")?.scripts["test"];
  const parts = tests.filter((script) => SPLITTABLE.test(script)).length;
  return [
    ...(isBranchFound
      ? []
      : [
          `no remote names a default branch; ${JSON.stringify(defaultBranch)} is assumed`,
        ]),
    ...(tests.length === 0
      ? root !== undefined && SPLITTABLE.test(root)
        ? [
            'only the root has a script "test", so each run executes all of it; "shards" in dispatch.application splits it over jobs',
          ]
        : []
      : [
          `${tests.length} of ${packages.length - 1} packages have a script "test"${parts === 0 ? "" : `; ${parts} of them run Jest, Vitest or Playwright, whose files can be split over jobs`}`,
        ]),
  ];
}
