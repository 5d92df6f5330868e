import { count, Failure, printable } from "@skein/reporting";
import { manifestOf } from "@skein/versions";
import {
  done,
  followUp,
  warning,
  type Step,
  type StepContext,
  type StepNote,
  type StepWork,
} from "../../steps/step.js";
import type { Draft, TreeView } from "../../tree/draft.js";
import { alignedDescriptors } from "../aligned-descriptors.js";
import {
  compareWithHome,
  movedResolutions,
  type Drift,
} from "../compare-locks.js";
import {
  declarePeers,
  hadPeersInstalled,
  notesOfPeers,
} from "../declare-peers.js";
import { readFacts } from "../facts.js";
import {
  explainInstall,
  install,
  messageIn,
  type Installed,
} from "../install.js";
import type { MissingPeer } from "../missing-peers.js";
import { readOwnLock, type OwnLockResult } from "../own-lock/read.js";

/** The most rounds of declaring peers. A peer that was missing may have peers of its own. */
const MOST_PEER_ROUNDS = 3;

/**
 * Adds the resolutions of the package's own lockfile to yarn.lock, then runs a real install in a temporary checkout.
 */
export const installWorkspace: Step = {
  id: "install",
  external: true,
  async decide(view, context): Promise<StepWork> {
    if (!(await isYarnWorkspace(view)))
      return {
        what: [
          "yarn.lock: nothing, because this is not a workspace of Yarn 2 or newer",
        ],
        why: "migrate-repo does not write lockfiles of other package managers",
        apply: only(
          "The workspace is not one of Yarn 2 or newer: run its package manager's install, so that its lockfile contains the package.",
        ),
      };
    if (!context.install)
      return {
        what: ["yarn.lock: unchanged; update it yourself"],
        why: "--no-install",
        apply: only(
          "yarn.lock was left as it was (--no-install): run `yarn install` and commit it.",
        ),
      };
    const own = await readOwnLock(context.source, context.placements);
    return {
      what: [
        sayOwn(own),
        "yarn install and yarn constraints in a temporary checkout; no script of a package runs",
        ...((await hadPeersInstalled(own, context))
          ? [
              "missing peers of its dependencies are declared, because the source's package manager installed them automatically",
            ]
          : []),
      ],
      why: "the migration must not change resolved versions, of this package or of others",
      apply: (draft) => installHere(draft, context, own),
    };
  },
};

async function installHere(
  draft: Draft,
  context: StepContext,
  own: OwnLockResult,
): Promise<readonly StepNote[]> {
  const facts = await readFacts(draft, context);
  const installOnce = () =>
    install({
      draft,
      scratch: context.scratch,
      env: context.env,
      own: own.kind === "read" ? own.lock : undefined,
      link: context.link,
      manifests: facts.newcomers.map(({ dir }) => manifestOf(dir)),
    });
  let installed = await installOnce();
  let peers: readonly MissingPeer[] = [];
  if (await hadPeersInstalled(own, context)) {
    for (let round = 0; round < MOST_PEER_ROUNDS; round++) {
      if (installed.kind !== "installed") break;
      const { text } = installed;
      const next = await declarePeers(draft, context, text, own, peers);
      peers = next.peers;
      if (!next.changed) break;
      installed = await installOnce();
    }
  }
  if (installed.kind !== "installed") {
    // Without a yarn.lock, nothing can get out of step.
    if (!(await draft.stat("yarn.lock")))
      return [
        warning(
          `There is no yarn.lock, and none was created: ${installed.kind === "no-yarn" ? "no Yarn of version 2 or newer was found" : messageIn(installed.output)}. Run \`yarn install\`.`,
        ),
      ];
    if (installed.kind === "failed") throw explainInstall(installed.output);
    throw new Failure("no Yarn of version 2 or newer was found", {
      hint: "put `yarn` (or `corepack`) on PATH; or update yarn.lock later with `yarn install`: --no-install",
    });
  }
  const { before, after, text, files } = installed;
  const [moved] = movedResolutions(before, after);
  if (moved)
    throw new Failure(
      `Yarn would change a resolution of the workspace: ${printable(moved.descriptor)} from ${printable(moved.before)} to ${printable(moved.after)}`,
      {
        hint: "run `yarn install` in the workspace and commit yarn.lock, then migrate; or update yarn.lock later: --no-install",
      },
    );
  await draft.write("yarn.lock", text);
  const cached = await draft.list(".yarn/cache");
  for (const { path } of cached) if (!files.has(path)) await draft.remove(path);
  for (const [path, bytes] of files) await draft.write(path, bytes);
  return [
    ...(await notesOfPeers(draft, peers)),
    ...reportLock(
      own,
      installed,
      facts.newcomers.map(({ name }) => name),
      await alignedDescriptors(draft, context),
    ),
    ...reportConstraints(installed),
  ];
}

function reportLock(
  own: OwnLockResult,
  {
    before,
    after,
    grafted,
    unavailable,
  }: Extract<Installed, { kind: "installed" }>,
  newcomers: readonly string[],
  aligned: ReadonlySet<string>,
): readonly StepNote[] {
  if (own.kind !== "read")
    return [
      done("yarn install: done; no resolution of the workspace changed."),
      ...(own.kind === "unreadable"
        ? [
            warning(
              `${own.file} could not be read (${own.why}), so its versions were resolved again.`,
            ),
          ]
        : []),
    ];
  const { packages, drifts } = compareWithHome(
    own.lock,
    before,
    after,
    newcomers,
    aligned,
  );
  return [
    done(
      `yarn install: done; no resolution of the workspace changed; ${count(grafted, "resolution")} of ${own.lock.file} copied into yarn.lock, ${count(drifts.length, "version")} of ${count(packages, "package")} changed.`,
    ),
    ...drifts.map((drift) => {
      const isGone = drift.had.some((version) =>
        unavailable.includes(`${drift.ident}@${version}`),
      );
      const because = isGone
        ? "the registry does not have the version in its own lockfile"
        : BECAUSE[drift.because];
      return warning(
        `${drift.ident} ${drift.had.join(", ")} -> ${drift.has}: ${because}.`,
      );
    }),
  ];
}

const BECAUSE: Readonly<Record<Drift["because"], string>> = {
  workspace: "the workspace had already resolved that range",
  aligned: "it follows the workspace's range",
  unknown: "its own lockfile had no version for that range",
};

function reportConstraints({
  constraints,
}: Extract<Installed, { kind: "installed" }>): readonly StepNote[] {
  if (constraints === "none" || constraints === "later") return [];
  if (constraints === "kept") return [done("yarn constraints: passed.")];
  const lines = constraints.broken
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return [
    warning(
      `yarn constraints: broken; \`yarn constraints --fix\` fixes what it can. ${lines.join(" | ")}`,
    ),
  ];
}

function sayOwn(own: OwnLockResult): string {
  switch (own.kind) {
    case "none":
      return "yarn.lock: the package has no lockfile, so new dependencies are resolved to current versions";
    case "unreadable":
      return `yarn.lock: ${own.file} cannot be read (${own.why}), so new dependencies are resolved to current versions`;
    case "read":
      return `yarn.lock: gets ${count(
        [...own.lock.versions.values()].reduce(
          (sum, { size }) => sum + size,
          0,
        ),
        "version",
      )} from ${own.lock.file}`;
  }
}

/**
 * Returns whether a project uses Yarn 2 or newer: by its lockfile or, if there is none, by its settings or manifest.
 */
export async function isYarnWorkspace(view: TreeView): Promise<boolean> {
  const lock = (await view.read("yarn.lock"))?.toString("utf8") ?? "";
  if (lock.trim() !== "") return /^__metadata:/m.test(lock);
  if (await view.stat(".yarnrc.yml")) return true;
  const root = (await view.read("package.json"))?.toString("utf8") ?? "";
  return /"packageManager"\s*:\s*"yarn@(?:[2-9]|\d\d)/.test(root);
}

/** Returns work that only leaves something to people. */
function only(text: string): StepWork["apply"] {
  return () => Promise.resolve([followUp(text)]);
}
