import { manifestOf } from "@skein/versions";
import {
  done,
  followUp,
  stepOf,
  warning,
  type StepContext,
  type StepNote,
} from "../../steps/step.js";
import type { TreeView } from "../../tree/draft.js";
import { readFacts } from "../facts.js";
import { decideLinks, type LinkChange, type Links } from "../links.js";
import { surveyHome } from "../survey.js";
import { writeRanges } from "../write-ranges.js";

/** Replaces dependencies on published packages by links to the workspaces themselves. */
export const linkWorkspaces = stepOf({
  id: "links",
  why: "Yarn links a plain range only if it matches the workspace's version; otherwise, it still installs the published copy",
  find: decide,
  what: (links) => [
    ...links.changes.map(say),
    ...notesOf(links)
      .filter(({ kind }) => kind !== "done")
      .map(({ text }) => text),
  ],
  async apply(draft, links) {
    await writeRanges(draft, links.changes);
    return notesOf(links);
  },
});

async function decide(view: TreeView, context: StepContext): Promise<Links> {
  const facts = await readFacts(view, context);
  const home = await surveyHome(context);
  return decideLinks({ ...facts, home: home.links });
}

function say({ member, ident, from, to, why }: LinkChange): string {
  const line = `${manifestOf(member.dir)}: ${ident} ${from} -> ${to}`;
  switch (why.kind) {
    case "published":
      return line;
    case "break":
      return `${line} (does not match ${why.version})`;
    case "left-behind":
      return `${line} (its workspace is not migrated)`;
    case "catalog":
      return `${line} (the range in the source's catalog)`;
    case "path":
      return `${line} (a path in the source)`;
  }
}

function notesOf({ changes, peerBreaks, lost }: Links): readonly StepNote[] {
  const linked = changes.filter(({ to }) => to === "workspace:^");
  return [
    ...(linked.length === 0
      ? []
      : [
          done(
            `Linked to the workspace: ${linked.map(({ member, ident }) => `${ident} in ${member.name}`).join(", ")}.`,
          ),
        ]),
    ...changes.flatMap(({ member, ident, from, why }) =>
      why.kind === "break"
        ? [
            warning(
              `${member.name} requested ${ident} ${from} and now gets ${why.version}: check for breaking changes.`,
            ),
          ]
        : [],
    ),
    ...peerBreaks.map(({ member, ident, range, version }) =>
      warning(
        `${member.name} has ${ident} ${range} as a peer; the workspace's is ${version}. Peers are never rewritten.`,
      ),
    ),
    ...lost.map(({ member, ident, range }) =>
      followUp(
        `${manifestOf(member.dir)}: ${ident} ${range} means nothing outside its own workspace; write a version.`,
      ),
    ),
  ];
}
