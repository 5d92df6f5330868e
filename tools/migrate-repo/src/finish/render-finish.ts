import { printable } from "@skein/reporting";

/** A package that moves from its own repository to the workspace. */
export interface LeavingPackage {
  /** The folder in the workspace. */
  readonly dir: string;
  /** Its name here; `homeName` is its name in the source. */
  readonly name: string;
  readonly homeName: string | undefined;
  /** Whether it isn't published. */
  readonly isPrivate: boolean;
  /** Whether its manifest names this workspace and its folder as `repository`. */
  readonly namesWorkspace: boolean;
}

export interface Leaving {
  /** The source's name for people. */
  readonly source: string;
  /** `owner/name` on GitHub, if the source is there. */
  readonly sourceSlug: string | undefined;
  /** `owner/name` of the workspace. */
  readonly targetSlug: string | undefined;
  readonly packages: readonly LeavingPackage[];
  /** The workspace's commit at the time of the check. */
  readonly checkedAt: string;
}

/** Renders the remaining work in the source, in order, as commands and texts to copy. All of it can be undone there. */
export function renderFinish(leaving: Leaving): string {
  const steps = stepsOf(leaving);
  return [
    "",
    `Remaining work in ${printable(leaving.source)} (all of it can be undone):`,
    ...steps.flatMap(([title, ...lines], index) => [
      `${index + 1}. ${title ?? ""}`,
      ...lines.map((line) => (line === "" ? "" : `   ${line}`)),
    ]),
    `Checked at ${leaving.checkedAt.slice(0, 12)}.`,
    "",
  ].join("\n");
}

/** Returns `{"event":"leave", …}`: the same work for programs. */
export function leaveEvent(leaving: Leaving): object {
  const { source, packages, checkedAt } = leaving;
  return {
    event: "leave",
    source,
    packages,
    checkedAt,
    steps: stepsOf(leaving).map(([title = "", ...lines]) => ({ title, lines })),
  };
}

function stepsOf(leaving: Leaving): readonly Instruction[] {
  return [
    notice(leaving),
    ...openWork(leaving),
    ...published(leaving),
    ...redirect(leaving),
  ].filter((instruction) => instruction !== false);
}

type Instruction = readonly string[];

/** Returns the URL of a folder of the workspace, or its path. */
function linkTo({ targetSlug }: Leaving, dir: string): string {
  return targetSlug === undefined
    ? dir
    : `https://github.com/${targetSlug}/tree/HEAD/${encodeURI(dir)}`;
}

function notice(leaving: Leaving): Instruction {
  const { packages, targetSlug } = leaving;
  const home = targetSlug ?? "the workspace";
  return [
    "Put this at the top of its README:",
    "",
    `> **Moved.** This project now lives in ${home}, with all of its history:`,
    ">",
    ...packages.map(({ name, dir }) =>
      targetSlug === undefined
        ? `> - \`${name}\`: ${dir}`
        : `> - [\`${name}\`](${linkTo(leaving, dir)})`,
    ),
    ...(targetSlug === undefined
      ? []
      : [
          ">",
          `> Issues: <https://github.com/${targetSlug}/issues>. Pull requests: <https://github.com/${targetSlug}/pulls>.`,
        ]),
    "",
  ];
}

function openWork({
  sourceSlug,
  targetSlug,
  packages,
}: Leaving): readonly Instruction[] {
  if (sourceSlug === undefined)
    return [["Move or close its open issues and pull requests."]];
  const name = packages[0]?.name ?? "";
  const sameOwner = sourceSlug.split("/")[0] === targetSlug?.split("/")[0];
  return [
    [
      `Bring its open pull requests (https://github.com/${sourceSlug}/pulls): migrate-repo sync ${name} --transplant`,
    ],
    targetSlug !== undefined && sameOwner
      ? [
          `Transfer its open issues (https://github.com/${sourceSlug}/issues), which leaves redirects:`,
          `gh issue list --repo ${sourceSlug} --limit 9999 --json number --jq '.[].number' |`,
          `  xargs -I N gh issue transfer N ${targetSlug} --repo ${sourceSlug}`,
        ]
      : [
          `Close or move its open issues (https://github.com/${sourceSlug}/issues); GitHub transfers them within one owner only.`,
        ],
  ];
}

/** Returns the work for published packages: npm's pages show the README and the repository of the last version. */
function published({
  packages,
  targetSlug,
}: Leaving): readonly (Instruction | false)[] {
  const open = packages.filter(({ isPrivate }) => !isPrivate);
  const renamed = open.filter(
    ({ name, homeName }) => homeName !== undefined && homeName !== name,
  );
  const kept = open.filter((one) => !renamed.includes(one));
  const stale = open.filter(({ namesWorkspace }) => !namesWorkspace);
  return [
    stale.length > 0 && [
      "Set the repository in the manifests to this workspace, because npm's page shows it:",
      ...stale.map(
        ({ dir }) =>
          `${dir}/package.json: "repository": { "type": "git", "url": "git+https://github.com/${targetSlug ?? "OWNER/NAME"}.git", "directory": "${dir}" }`,
      ),
    ],
    kept.length > 0 && [
      `Publish a version from here: ${kept.map(({ name }) => name).join(", ")} ${kept.length === 1 ? "keeps its name" : "keep their names"}, so nothing has to be deprecated.`,
    ],
    ...renamed.map(({ name, homeName = "" }) => [
      `Once ${name} is published, point its users to it: npm deprecate ${homeName} "Moved to ${name}"`,
    ]),
  ];
}

function redirect(leaving: Leaving): readonly (Instruction | false)[] {
  const { sourceSlug, targetSlug, packages } = leaving;
  const dir = packages[0]?.dir ?? "";
  if (sourceSlug === undefined)
    return [["Make it read-only where it is hosted."]];
  return [
    targetSlug !== undefined && [
      "Point its page to the workspace:",
      `gh repo edit ${sourceSlug} --description "Moved to ${targetSlug}" --homepage ${linkTo(leaving, dir)}`,
    ],
    [`Finally, archive it: gh repo archive ${sourceSlug}`],
  ];
}
