import { isDeepStrictEqual } from "node:util";
import { Failure } from "@skein/reporting";
import { commitMap } from "../history/commit-map.js";
import type { StepPlan } from "../migration.js";
import type { Quarantine } from "../quarantine/quarantine.js";
import type { MigrationRecord } from "../record/record-format.js";
import { registrationSteps } from "../registration/index.js";
import {
  fieldsOf,
  projectFolders,
} from "../steps/clean-up/manifest/package-files.js";
import { steps } from "../steps/index.js";
import { describeSteps } from "../steps/run-steps.js";
import type { Step, StepContext } from "../steps/step.js";
import type { TargetFacts } from "../survey/target.js";
import { openDraft, type TreeView } from "../tree/draft.js";

/** The fields of a manifest that yarn.lock repeats. */
const LOCKED =
  `dependencies devDependencies optionalDependencies peerDependencies dependenciesMeta
  peerDependenciesMeta bin resolutions`.split(/\s+/);

/**
 * Lists the work that a sync leaves to people. A sync is an ordinary merge and changes nothing else. A new migration
 * would clean up and register what is new in the source, by the steps and the policy of the request.
 * @param before the workspace's commit, and the merge's tree, which may hold conflicts
 * @param tip the source's commit that was merged
 */
export async function followUps(
  { git, scratch }: Quarantine,
  target: TargetFacts,
  record: MigrationRecord,
  [before, after]: readonly [string, string],
  tip: string,
): Promise<readonly StepPlan[]> {
  using was = await openDraft(git, before, scratch);
  using is = await openDraft(git, after, scratch);
  using source = await openDraft(git, tip, scratch);
  const context: StepContext = {
    name: record.name,
    placements: record.placements,
    before: was,
    source,
    versions: record.versions ?? "conform",
    install: false,
    link: false,
    targetSlug: target.slug,
    sourceSlug: record.source.slug,
    commits: commitMap([]),
    scratch,
    env: target.git.env,
  };
  const { skip = [] } = record;
  const isAsked = ({ id }: Step) => !skip.includes(id);
  return [
    ...(skip.includes("install") ? [] : await staleLock(was, is, context)),
    ...(await newWork(steps.filter(isAsked), was, is, context)),
    ...(target.packages === undefined
      ? []
      : await newRegistration(
          registrationSteps.filter(isAsked),
          was,
          is,
          context,
        )),
  ];
}

/** Lists the work of steps that is new since the merge. */
async function newWork(
  asked: readonly Step[],
  was: TreeView,
  is: TreeView,
  context: StepContext,
): Promise<readonly StepPlan[]> {
  const known = new Set(
    (await describeSteps(asked, was, context, [])).flatMap(({ what }) => what),
  );
  return (await describeSteps(asked, is, context, []))
    .map((step) => ({
      ...step,
      what: step.what.filter((line) => !known.has(line)),
    }))
    .filter(({ what }) => what.length > 0);
}

/**
 * Lists the new work of the registration. The registration requires every manifest to be readable, but a sync doesn't.
 */
async function newRegistration(
  asked: readonly Step[],
  ...trees: readonly [TreeView, TreeView, StepContext]
): Promise<readonly StepPlan[]> {
  const looking = asked.filter(({ external }) => !external);
  return newWork(looking, ...trees).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error;
    return [
      {
        id: "registration",
        what: ["check the new dependencies"],
        why: `they could not be compared: ${error.message}`,
      },
    ];
  });
}

async function staleLock(
  was: TreeView,
  is: TreeView,
  context: StepContext,
): Promise<readonly StepPlan[]> {
  if (!(await is.stat("yarn.lock"))) return [];
  const changed: string[] = [];
  for (const dir of await projectFolders(is, context)) {
    const path = `${dir}/package.json`;
    if (!(await is.stat(path))) continue;
    const [a, b] = [await fieldsOf(was, dir), await fieldsOf(is, dir)];
    // An unreadable manifest, such as one with a conflict, may change in any way.
    if (!b || LOCKED.some((key) => !isDeepStrictEqual(a?.[key], b[key])))
      changed.push(path);
  }
  return changed.length === 0
    ? []
    : [
        {
          id: "install",
          what: ["yarn install, and commit yarn.lock"],
          why: `${changed.join(", ")} change the installed packages, and a sync does not run Yarn`,
        },
      ];
}
