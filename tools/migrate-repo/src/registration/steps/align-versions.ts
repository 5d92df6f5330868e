import { count } from "@skein/reporting";
import type { Step, StepContext, StepNote } from "../../steps/step.js";
import type { TreeView } from "../../tree/draft.js";
import { alignVersions, type Alignment } from "../align.js";
import { readFacts } from "../facts.js";
import { parseLock } from "../graft-lock.js";
import { npmVersion } from "../own-lock/yarn.js";
import { manifestOf, writeRanges } from "../write-ranges.js";

/** One version policy: the newcomer conforms, nobody else moves. */
export const alignDependencies: Step = {
  id: "versions",
  async describe(view, context) {
    const { alignments, peers } = await decide(view, context);
    if (alignments.length + peers.length === 0) return undefined;
    return {
      what: [...alignments.map(say), ...peers.map(sayPeer)],
      why: `one version of each dependency in the workspace (--versions ${context.versions})`,
    };
  },
  async apply(draft, context) {
    const { alignments, peers } = await decide(draft, context);
    await writeRanges(
      draft,
      alignments.filter(({ from, to }) => from !== to),
    );
    return [
      ...alignments.map(noteOf),
      ...peers.map((peer) => ({
        kind: "warning" as const,
        text: `${sayPeer(peer)}. Peers are never rewritten.`,
      })),
    ];
  },
};

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

function say({ member, ident, from, to, theirs, users, verdict }: Alignment) {
  const where = `${manifestOf(member.dir)}: ${ident}`;
  const here = `as ${count(users, "workspace")} here`;
  const meaning = to === theirs || from === to ? "" : ` (${theirs})`;
  switch (verdict) {
    case "aligned":
      return `${where} ${from} -> ${to}${meaning}, ${here}`;
    case "aligned-outside":
      return `${where} ${from} -> ${to}${meaning}, ${here}; outside of what it asked for`;
    case "debt":
      return from === to
        ? `${where} keeps ${from}; ${theirs} in ${count(users, "workspace")} here is another major`
        : `${where} ${from} -> ${to}${meaning}, ${here}; another major`;
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
}): string {
  return `${peer.member.name} has ${peer.ident} ${peer.range} as a peer, which does not meet the workspace's ${peer.theirs}`;
}

function noteOf(alignment: Alignment): StepNote {
  const kinds = {
    aligned: "done",
    "aligned-outside": "warning",
    debt: "follow-up",
    kept: "done",
    special: "warning",
  } as const;
  const { verdict, member } = alignment;
  const owner = verdict === "debt" ? ` (debt of ${member.name})` : "";
  return { kind: kinds[verdict], text: `${say(alignment)}${owner}.` };
}
