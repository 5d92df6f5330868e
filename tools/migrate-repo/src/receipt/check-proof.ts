import { openObjects, type Git } from "@skein/git";
import type { Lockfile } from "@skein/workspaces";
import type { Placement } from "../migration.js";
import { packDifference } from "../pack/pack-difference.js";
import { movedResolutions, type Moved } from "../registration/compare-locks.js";
import { presentObjects } from "../survey/commits.js";
import { openDraft, type TreeView } from "../tree/draft.js";
import {
  findPacked,
  findResolutions,
  lockOf,
  parseLockOf,
  type Proof,
} from "./proof.js";

/** A contradiction to a proof. */
export type ProofFinding =
  | {
      readonly kind: "packed-differs";
      readonly dir: string;
      readonly side: "home" | "here";
      readonly gone: readonly string[];
      readonly came: readonly string[];
    }
  | { readonly kind: "resolution-differs"; readonly moved: Moved }
  | { readonly kind: "workspace-moved"; readonly moved: Moved };

export interface ProofCheck {
  /**
   * The number of packages whose packed files were compared with the source's; undefined if the source's files aren't
   * available.
   */
  readonly packed: number | undefined;
  readonly resolutions: number;
  readonly findings: readonly ProofFinding[];
  /** The changes on the branch since then, which are allowed. */
  readonly since: {
    /** Files that still exist, but are no longer packed. */
    readonly unpacked: readonly string[];
    readonly moved: readonly Moved[];
  };
}

/**
 * Repeats the computations of a proof from its stored trees and compares the results, then compares them with the
 * branch's current state.
 * @param git git that can read the target's objects and the source's
 * @param head the branch's commit
 * @returns undefined if the input no longer exists, which can only happen to a proof without stored trees, once the
 * branch was rewritten
 */
export async function checkProof(
  git: Git,
  proof: Proof,
  placements: readonly Placement[],
  head: string,
  scratch: string,
): Promise<ProofCheck | undefined> {
  const { source: home, base, kept } = proof;
  const [commits, trees] = kept
    ? [[], [kept.landed]]
    : [[base, proof.landed], []];
  const there = [
    ...(await presentObjects(git, "commit", commits)),
    ...(await presentObjects(git, "tree", trees)),
  ];
  if (there.length < commits.length + trees.length) return undefined;
  const isHomeHere = (await presentObjects(git, "commit", [home])).length > 0;
  using source = isHomeHere ? await openDraft(git, home, scratch) : undefined;
  using landed = await openDraft(git, kept?.landed ?? proof.landed, scratch);
  using now = await openDraft(git, head, scratch);
  const packed =
    source && (await findPacked(source, landed, placements, scratch));
  const resolutions = await findResolutions(landed, placements);
  const moved = movedResolutions(
    await lockBefore(git, proof),
    await lockOf(landed),
  );
  return {
    packed: packed && Object.keys(packed).length,
    resolutions: Object.keys(resolutions).length,
    findings: [
      ...(packed ? differingPacks(proof.packed, packed) : []),
      ...movedBetween(proof.resolutions, resolutions).map((one) => ({
        kind: "resolution-differs" as const,
        moved: one,
      })),
      ...moved.map((one) => ({
        kind: "workspace-moved" as const,
        moved: one,
      })),
    ],
    since: {
      unpacked: await unpackedSince(
        landed,
        now,
        Object.keys(packed ?? proof.packed),
        scratch,
      ),
      moved: movedBetween(
        resolutions,
        await findResolutions(now, placements),
      ).filter(({ after }) => after !== ""),
    },
  };
}

async function lockBefore(git: Git, { base, kept }: Proof): Promise<Lockfile> {
  using objects = openObjects(git);
  const file = kept ? kept.lockBefore : `${base}:yarn.lock`;
  if (file === undefined) return parseLockOf(undefined);
  return parseLockOf((await objects.read(file))?.content);
}

function differingPacks(
  before: Proof["packed"],
  after: Proof["packed"],
): readonly ProofFinding[] {
  return Object.entries(before).flatMap(([dir, lists]) =>
    (["home", "here"] as const).flatMap((side) => {
      const now = after[dir]?.[side] ?? [];
      const gone = without(lists[side], now);
      const came = without(now, lists[side]);
      return gone.length + came.length === 0
        ? []
        : [{ kind: "packed-differs" as const, dir, side, gone, came }];
    }),
  );
}

/** Returns descriptors that now resolve differently, or no longer resolve (`after` is then empty). */
function movedBetween(
  before: Proof["resolutions"],
  after: Proof["resolutions"],
): readonly Moved[] {
  return Object.entries(before).flatMap(([descriptor, resolution]) =>
    after[descriptor] === resolution
      ? []
      : [{ descriptor, before: resolution, after: after[descriptor] ?? "" }],
  );
}

async function unpackedSince(
  landed: TreeView,
  now: TreeView,
  dirs: readonly string[],
  scratch: string,
): Promise<readonly string[]> {
  const gone: string[] = [];
  for (const dir of dirs) {
    const since = await packDifference(
      { view: landed, dir },
      { view: now, dir },
      scratch,
    );
    gone.push(...since.gone.map((path) => `${dir}/${path}`));
  }
  const there = await Promise.all(gone.map((path) => now.stat(path)));
  return gone.filter((_, index) => there[index] !== undefined);
}

/** Returns the elements of the first list that the second lacks. */
function without(
  some: readonly string[],
  others: readonly string[],
): readonly string[] {
  const known = new Set(others);
  return some.filter((one) => !known.has(one));
}
