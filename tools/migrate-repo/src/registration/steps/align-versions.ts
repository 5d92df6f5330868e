import { count } from "@skein/reporting";
import { ownersOfPackage, readCodeowners } from "@skein/workspaces";
import { manifestOf } from "@skein/versions";
import {
  stepOf,
  warning,
  type StepContext,
  type StepNote,
} from "../../steps/step.js";
import type { TreeView } from "../../tree/draft.js";
import { alignVersions, type Alignment, type PeerMismatch } from "../align.js";
import { addToCatalogs } from "../debt-catalog.js";
import { byDescriptor } from "../lock-index.js";
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
export const alignDependencies = stepOf({
  id: "versions",
  why: ({ versions }) => `${POLICIES[versions]} (--versions ${versions})`,
  find: decide,
  what: ({ alignments, peers }) => [
    ...alignments.map(say),
    ...peers.map(sayPeer),
  ],
  async apply(draft, { alignments, peers }) {
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
    // The file already has the package's own lines.
    const codeowners = await readCodeowners((path) => draft.read(path));
    return [
      ...written.map((one) =>
        noteOf(one, (dir) => ownersOfPackage(codeowners, dir)),
      ),
      ...(extended === undefined
        ? [
            warning(
              ".yarnrc.yml: its catalogs have a form that Skein cannot add lines to, so the ranges stay in the manifest.",
            ),
          ]
        : []),
      ...peers.map((peer) =>
        warning(`${sayPeer(peer)}. Peers are never rewritten.`),
      ),
    ];
  },
});

/** Returns the alignment with its own range in its own manifest. */
function withoutCatalog(alignment: Alignment): Alignment {
  if (alignment.catalog?.isNew !== true) return alignment;
  const { catalog, ...rest } = alignment;
  return { ...rest, to: catalog.range };
}

async function decide(view: TreeView, context: StepContext) {
  const facts = await readFacts(view, context);
  const entries = byDescriptor(facts.project.lock?.lockfile ?? parseLock(""));
  return alignVersions({
    ...facts,
    policy: context.versions,
    resolved: (ident, range) => {
      const protocol = /^[a-z]+:/.test(range) ? range : `npm:${range}`;
      const found = entries.get(`${ident}@${protocol}`);
      return found && npmVersion(found.resolution);
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

function sayPeer({ member, ident, range, theirs, by }: PeerMismatch): string {
  const peer = `${member.name} has ${ident} ${range} as a peer, which does not match`;
  return by === undefined
    ? `${peer} the workspace's ${theirs}`
    : `${peer} the ${theirs} of ${by}, which uses it`;
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
  const owners = verdict === "debt" ? ownersOf(member.dir) : [];
  const whose =
    owners.length > 0
      ? owners.join(" ")
      : `${member.name}, which has no owner in CODEOWNERS`;
  return {
    kind: kinds[verdict],
    text: `${say(alignment)}${verdict === "debt" ? ` (debt of ${whose})` : ""}.`,
    ...(SOLVED.includes(verdict) && { topic: "versions" }),
  };
}
