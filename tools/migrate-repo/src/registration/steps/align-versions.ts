import { count } from "@skein/reporting";
import { ownersOfPackage, parseCodeowners } from "@skein/workspaces";
import { manifestOf } from "@skein/versions";
import { CODEOWNERS_PLACES } from "../../steps/clean-up/codeowners.js";
import type { Step, StepContext, StepNote } from "../../steps/step.js";
import type { TreeView } from "../../tree/draft.js";
import { alignVersions, type Alignment } from "../align.js";
import { addToCatalogs } from "../debt-catalog.js";
import { readFacts } from "../facts.js";
import { parseLock } from "../graft-lock.js";
import { npmVersion } from "../own-lock/npm-version.js";
import { writeRanges } from "../write-ranges.js";

const POLICIES: Readonly<Record<StepContext["versions"], string>> = {
  conform: "one version of each dependency in the workspace",
  keep: "the package keeps its own ranges",
  highest: "the package gets the higher range",
};

/** Applies the version policy. By default the newcomer conforms; the versions of other workspaces never change. */
export const alignDependencies: Step = {
  id: "versions",
  async describe(view, context) {
    const { alignments, peers } = await decide(view, context);
    if (alignments.length + peers.length === 0) return undefined;
    return {
      what: [...alignments.map(say), ...peers.map(sayPeer)],
      why: `${POLICIES[context.versions]} (--versions ${context.versions})`,
    };
  },
  async apply(draft, context) {
    const { alignments, peers } = await decide(draft, context);
    const yarnrc = (await draft.read(".yarnrc.yml"))?.toString("utf8") ?? "";
    const wanted = alignments.flatMap(({ catalog }) =>
      catalog?.isNew === true ? [catalog] : [],
    );
    const extended = addToCatalogs(yarnrc, wanted);
    if (extended !== undefined && extended !== yarnrc)
      await draft.write(".yarnrc.yml", extended);
    const written =
      extended === undefined ? alignments.map(withoutCatalog) : alignments;
    await writeRanges(
      draft,
      written.filter(({ from, to }) => from !== to),
    );
    const owners = await ownersIn(draft);
    return [
      ...written.map((one) => noteOf(one, owners)),
      ...(extended === undefined
        ? [
            {
              kind: "warning" as const,
              text: ".yarnrc.yml: its catalogs have a form that Skein cannot add lines to, so the ranges stay in the manifest.",
            },
          ]
        : []),
      ...peers.map((peer) => ({
        kind: "warning" as const,
        text: `${sayPeer(peer)}. Peers are never rewritten.`,
      })),
    ];
  },
};

/** Returns the alignment with its own range in its own manifest. */
function withoutCatalog(alignment: Alignment): Alignment {
  if (alignment.catalog?.isNew !== true) return alignment;
  const { catalog, ...rest } = alignment;
  return { ...rest, to: catalog.range };
}

/** Finds the owners of a folder in the workspace's CODEOWNERS, which already has the package's own lines. */
async function ownersIn(
  view: TreeView,
): Promise<(dir: string) => readonly string[]> {
  for (const place of CODEOWNERS_PLACES) {
    const text = (await view.read(place))?.toString("utf8");
    if (text === undefined) continue;
    const parsed = parseCodeowners(text);
    return (dir) => ownersOfPackage(parsed, dir);
  }
  return () => [];
}

async function decide(view: TreeView, context: StepContext) {
  const facts = await readFacts(view, context);
  const lock = facts.project.lock?.lockfile ?? parseLock("");
  const resolutions = new Map(
    lock.entries.flatMap(({ descriptors, resolution }) =>
      descriptors.map((descriptor) => [descriptor, resolution] as const),
    ),
  );
  return alignVersions({
    ...facts,
    policy: context.versions,
    resolved: (ident, range) => {
      const protocol = /^[a-z]+:/.test(range) ? range : `npm:${range}`;
      const found = resolutions.get(`${ident}@${protocol}`);
      return found === undefined ? undefined : npmVersion(found);
    },
  });
}

function say(alignment: Alignment): string {
  const { member, ident, from, to, theirs, users, verdict } = alignment;
  const where = `${manifestOf(member.dir)}: ${ident}`;
  const here = `as ${count(users, "workspace")} here`;
  const meaning = to === theirs || from === to ? "" : ` (${theirs})`;
  switch (verdict) {
    case "aligned":
      return `${where} ${from} -> ${to}${meaning}, ${here}`;
    case "aligned-outside":
      return `${where} ${from} -> ${to}${meaning}, ${here}; outside the package's own range`;
    case "debt":
      if (alignment.catalog)
        return `${where} keeps ${from}, as ${to}${alignment.catalog.isNew ? ", which is new in .yarnrc.yml" : ""}; ${theirs} in ${count(users, "workspace")} here is a different major version`;
      return from === to
        ? `${where} keeps ${from}; ${theirs} in ${count(users, "workspace")} here is a different major version`
        : `${where} ${from} -> ${to}${meaning}, ${here}; a different major version`;
    case "kept":
      return `${where} keeps ${from}; ${theirs} in ${count(users, "workspace")} here`;
    case "special":
      return `${where} keeps ${from}; it cannot be compared with ${theirs} here`;
  }
}

function sayPeer(peer: {
  readonly member: { readonly name: string };
  readonly ident: string;
  readonly range: string;
  readonly theirs: string;
  readonly by: string | undefined;
}): string {
  if (peer.by !== undefined)
    return `${peer.member.name} has ${peer.ident} ${peer.range} as a peer, which does not match the ${peer.theirs} of ${peer.by}, which uses it`;
  return `${peer.member.name} has ${peer.ident} ${peer.range} as a peer, which does not match the workspace's ${peer.theirs}`;
}

/** Verdicts with either one version, or two versions that are both installed and recorded. */
const SOLVED: readonly Alignment["verdict"][] = [
  "aligned",
  "aligned-outside",
  "debt",
];

function noteOf(
  alignment: Alignment,
  ownersOf: (dir: string) => readonly string[],
): StepNote {
  const kinds = {
    aligned: "done",
    "aligned-outside": "warning",
    debt: "follow-up",
    kept: "done",
    special: "warning",
  } as const;
  const { verdict, member } = alignment;
  const topic = SOLVED.includes(verdict) ? { topic: "versions" as const } : {};
  if (verdict !== "debt")
    return { kind: kinds[verdict], text: `${say(alignment)}.`, ...topic };
  const owners = ownersOf(member.dir);
  const whose =
    owners.length > 0
      ? owners.join(" ")
      : `${member.name}, which has no owner in CODEOWNERS`;
  return {
    kind: "follow-up",
    text: `${say(alignment)} (debt of ${whose}).`,
    ...topic,
  };
}
