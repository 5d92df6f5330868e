import { shellWord } from "@skein/git";
import { printable } from "@skein/reporting";
import {
  done,
  followUp,
  type StepContext,
  type StepNote,
} from "../steps/step.js";
import type { Draft, TreeView } from "../tree/draft.js";
import type { Lockfile } from "@skein/workspaces";
import { manifestOf } from "@skein/versions";
import { usageOf } from "./align.js";
import { readFacts } from "./facts.js";
import { parseLock } from "./graft-lock.js";
import { findMissingPeers, type MissingPeer } from "./missing-peers.js";
import { npmVersion } from "./own-lock/npm-version.js";
import type { OwnLockResult } from "./own-lock/read.js";
import { settleRange } from "./peer-range.js";
import { writeRanges } from "./write-ranges.js";

/** Returns whether the source used a package manager that installs peers automatically: npm or pnpm, but not Yarn. */
export async function hadPeersInstalled(
  own: OwnLockResult,
  { source, placements }: Pick<StepContext, "source" | "placements">,
): Promise<boolean> {
  if (own.kind === "read")
    return own.lock.kind === "npm" || own.lock.kind === "pnpm";
  if (own.kind === "unreadable" && own.file.endsWith("yarn.lock")) return false;
  const from = placements[0]?.from ?? "";
  for (const path of ["package.json", `${from}/package.json`]) {
    const text = (await source.read(path))?.toString("utf8") ?? "";
    if (/"packageManager"\s*:\s*"yarn@/.test(text)) return false;
  }
  return true;
}

/**
 * Declares missing peers in the manifests. If an earlier round could only write a range, it now writes the version that
 * Yarn chose.
 * @param text the yarn.lock that Yarn wrote
 * @param earlier the peers that earlier rounds found
 * @returns all peers found so far, and whether a manifest changed
 */
export async function declarePeers(
  draft: Draft,
  context: StepContext,
  text: string,
  own: OwnLockResult,
  earlier: readonly MissingPeer[],
): Promise<{
  readonly peers: readonly MissingPeer[];
  readonly changed: boolean;
}> {
  const { newcomers, residents, catalogs } = await readFacts(draft, context);
  const lock = parseLock(text);
  const found = findMissingPeers({
    lock,
    newcomers,
    hoisted: own.kind === "read" ? own.lock.hoisted : undefined,
    workspaceRange: (ident) => usageOf(ident, { residents, catalogs }),
  });
  const isFlat = await linksFlat(draft);
  const known = earlier
    .filter((one) => !found.some((other) => isSame(one, other)))
    .map((one) => settled(one, lock));
  const toWrite = [
    ...known.filter((one) => !earlier.includes(one)),
    ...found,
  ].filter((one) => isWritable(one, isFlat));
  await writeRanges(
    draft,
    toWrite.flatMap(({ member, field, ident, range }) =>
      range === undefined ? [] : [{ member, field, ident, to: range }],
    ),
  );
  return { peers: [...known, ...found], changed: toWrite.length > 0 };
}

/** Returns notes about the peers. */
export async function notesOfPeers(
  view: TreeView,
  peers: readonly MissingPeer[],
): Promise<readonly StepNote[]> {
  const isFlat = await linksFlat(view);
  return peers.map((one) => noteOf(one, isFlat));
}

function isSame(one: MissingPeer, other: MissingPeer): boolean {
  return one.ident === other.ident && one.member.dir === other.member.dir;
}

function isWritable({ range, heldBy }: MissingPeer, isFlat: boolean): boolean {
  return range !== undefined && (heldBy === undefined || isFlat);
}

function settled(peer: MissingPeer, { entries }: Lockfile): MissingPeer {
  const { ident, range, because } = peer;
  if (range === undefined || because !== "peer-range") return peer;
  const entry = entries.find(({ descriptors }) =>
    descriptors.includes(`${ident}@npm:${range}`),
  );
  const version = entry && npmVersion(entry.resolution);
  const to = version === undefined ? range : settleRange(range, version);
  return to === range ? peer : { ...peer, range: to };
}

/**
 * Returns whether a package can load a dependency that only the workspace declares. With Yarn's default linker it
 * can't.
 */
async function linksFlat(view: TreeView): Promise<boolean> {
  const rc = (await view.read(".yarnrc.yml"))?.toString("utf8") ?? "";
  return /^nodeLinker:\s*["']?node-modules/m.test(rc);
}

const BECAUSE = {
  "own-lock": "the version in its own lockfile",
  workspace: "the workspace's version",
  below: "the version of its other dependencies, as in npm",
  "peer-range": "the newest version that all packages that need it accept",
} as const;

function noteOf(
  { member, ident, field, range, because, asker, heldBy }: MissingPeer,
  isFlat: boolean,
): StepNote {
  const who = nameOf(asker);
  const below = heldBy === undefined ? "" : `, below ${nameOf(heldBy)}`;
  const why = `a peer of ${who}${below}, which npm and pnpm install automatically, but Yarn does not`;
  if (range === undefined)
    return followUp(
      `${ident} is ${why}, and the packages that need it have no version in common: yarn workspace ${shellWord(member.name)} add -D ${shellWord(ident)}`,
    );
  if (heldBy !== undefined && !isFlat)
    return followUp(
      `${ident} is ${why}. With this nodeLinker only ${nameOf(heldBy)} can provide it; in .yarnrc.yml: packageExtensions: { "${nameOf(heldBy)}@*": { dependencies: { "${ident}": "${printable(range)}" } } }`,
    );
  return done(
    `Declared: ${manifestOf(member.dir)}: ${field} + ${ident} ${printable(range)} (${BECAUSE[because]}; ${why}).`,
    "phantoms",
  );
}

function nameOf(locator: string): string {
  return printable(locator.slice(0, locator.indexOf("@", 1)));
}
