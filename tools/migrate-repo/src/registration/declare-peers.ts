import { shellWord } from "@skein/git";
import { printable } from "@skein/reporting";
import type { StepContext, StepNote } from "../steps/step.js";
import type { Draft, TreeView } from "../tree/draft.js";
import { readFacts } from "./facts.js";
import { parseLock } from "./graft-lock.js";
import { findMissingPeers, type MissingPeer } from "./missing-peers.js";
import type { OwnLockResult } from "./own-lock/read.js";
import { mostUsedRange } from "./survey.js";
import { manifestOf, writeRanges } from "./write-ranges.js";

/** Whether the package was installed at home by a package manager that installs peers by itself: npm and pnpm, not Yarn. */
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
 * Writes the peers into the manifests that nobody has declared.
 * @param text the yarn.lock that Yarn wrote
 * @returns what was found; nothing where no manifest changed
 */
export async function declarePeers(
  draft: Draft,
  context: StepContext,
  text: string,
  own: OwnLockResult,
): Promise<readonly StepNote[]> {
  const { newcomers, residents, catalogs } = await readFacts(draft, context);
  const missing = findMissingPeers({
    lock: parseLock(text),
    newcomers,
    hoisted: own.kind === "read" ? own.lock.hoisted : undefined,
    workspaceRange: (ident) => {
      const written = mostUsedRange(residents, ident);
      const catalog = /^catalog:(.*)$/.exec(written ?? "")?.[1];
      const meant =
        catalog === undefined
          ? written
          : catalogs.get(catalog === "default" ? "" : catalog)?.get(ident);
      return written === undefined || meant === undefined
        ? undefined
        : { written, meant };
    },
  });
  const isFlat = await linksFlat(draft);
  await writeRanges(
    draft,
    missing.flatMap(({ member, field, ident, range, heldBy }) =>
      range !== undefined && (heldBy === undefined || isFlat)
        ? [{ member, field, ident, to: range }]
        : [],
    ),
  );
  return missing.map((one) => noteOf(one, isFlat));
}

/** Whether a package finds what a workspace declares though it has not declared it itself: Yarn's default is that it does not. */
async function linksFlat(view: TreeView): Promise<boolean> {
  const rc = (await view.read(".yarnrc.yml"))?.toString("utf8") ?? "";
  return /^nodeLinker:\s*["']?node-modules/m.test(rc);
}

const BECAUSE = {
  "own-lock": "what its own lockfile had",
  workspace: "what the workspace has",
  "peer-range": "what it asks for",
} as const;

function noteOf(
  { member, ident, field, range, because, asker, heldBy }: MissingPeer,
  isFlat: boolean,
): StepNote {
  const who = nameOf(asker);
  const below = heldBy === undefined ? "" : `, below ${nameOf(heldBy)}`;
  const why = `a peer of ${who}${below}, which npm and pnpm install by themselves and Yarn does not`;
  if (range === undefined)
    return {
      kind: "follow-up",
      text: `${ident} is ${why}, and those who ask for it agree on no version: yarn workspace ${shellWord(member.name)} add -D ${shellWord(ident)}`,
    };
  if (heldBy !== undefined && !isFlat)
    return {
      kind: "follow-up",
      text: `${ident} is ${why}. With this nodeLinker only ${nameOf(heldBy)} can give it; in .yarnrc.yml: packageExtensions: { "${nameOf(heldBy)}@*": { dependencies: { "${ident}": "${printable(range)}" } } }`,
    };
  return {
    kind: "done",
    text: `Declared: ${manifestOf(member.dir)}: ${field} + ${ident} ${printable(range)} (${BECAUSE[because]}; ${why}).`,
    topic: "phantoms",
  };
}

function nameOf(locator: string): string {
  return printable(locator.slice(0, locator.indexOf("@", 1)));
}
