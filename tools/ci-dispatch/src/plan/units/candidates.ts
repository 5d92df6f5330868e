import { defaultSettings } from "@skein/workspaces";
import type { ApplicationStep, DispatchSettings } from "@skein/workspaces";
import { didYouMean, Failure, printable } from "@skein/reporting";
import type { Attested, Fields, NotReused, PlannedSkip } from "../../plan.js";
import type { AffectedAnswer } from "../facts/affected-answer.js";
import { openPools } from "../jobs/pools.js";

/** A package and its scripts. */
export interface Scripts {
  readonly name: string;
  readonly dir: string;
  readonly scripts: Readonly<Record<string, string>>;
}

/** A script that must run, before it has a duration or a job. */
export interface Candidate {
  /** `package#script`. */
  readonly whole: string;
  readonly workspace: string;
  readonly dir: string;
  readonly script: string;
  readonly command: string;
  readonly step: ApplicationStep | undefined;
  /** The pool of machines for it; undefined for the workflow's own runner. */
  readonly pool?: string | undefined;
  readonly why: string;
  /** A hash of everything that the result depends on, if known. */
  readonly fingerprint?: string | undefined;
  readonly fields?: Fields | undefined;
  /** The run in which it passed under that fingerprint or under trace. */
  readonly recheck?: Attested | undefined;
  /** The run in which it passed under trace, if nothing that it read has changed. */
  readonly proof?: Attested | undefined;
  readonly notReused?: NotReused | undefined;
}

export interface Candidates {
  readonly application: readonly Candidate[];
  readonly packages: readonly Candidate[];
  readonly skipped: readonly PlannedSkip[];
}

export interface CandidatesInput {
  readonly root: string;
  readonly workspaces: readonly Scripts[];
  readonly affected: readonly AffectedAnswer[];
  readonly scripts: readonly string[];
  readonly application: readonly ApplicationStep[];
  /** Packages by pool of machines. If absent, all of them use the workflow's own runner. */
  readonly pools?: DispatchSettings["pools"] | undefined;
  /** The runs that traced units whose evidence counts, by `package#script`. Absent for none. */
  readonly proofs?: ReadonlyMap<string, Attested> | undefined;
}

/**
 * Decides which scripts run: all steps of the application suite, and each script of each affected package that has it.
 * Pure. The root's own script usually calls all the others, so it runs only as a step of the application suite.
 * @throws {Failure} if a step names a package or script that doesn't exist, or no package has a script
 */
export function findCandidates(input: CandidatesInput): Candidates {
  const workspaces = new Map(input.workspaces.map((each) => [each.name, each]));
  const poolOf = openPools(input.pools ?? {});
  const application = input.application.map((step) => {
    const name = step.workspace ?? input.root;
    const candidate = stepCandidate(step, name, workspaces);
    return { ...candidate, pool: step.pool ?? poolOf(name) };
  });
  const known = new Set(application.map(({ whole }) => whole));
  const packages = new Map<string, Candidate>();
  const skipped = new Map<string, PlannedSkip>();
  for (const script of input.scripts) {
    assertScript(script, input);
    const answers = input.affected.filter(
      (answer) => answer.script === null || answer.script === script,
    );
    if (answers.length === 0) throw unanswered(script);
    for (const answer of answers) {
      const leftOut = new Set(answer.leftOut);
      for (const each of [...answer.packages, ...leftOut]) {
        const { name, why } = each;
        const workspace = workspaces.get(name);
        if (!workspace) throw stale(name);
        const whole = `${name}#${script}`;
        const command = commandOf(workspace, script);
        // A step of the application suite already runs it.
        if (known.has(whole) || packages.has(whole)) continue;
        if (name === input.root)
          skipped.set(whole, { workspace: name, script, why: "root" });
        else if (command === undefined)
          skipped.set(whole, { workspace: name, script, why: "no-script" });
        else {
          const pool = poolOf(name);
          // Traces are recorded on the workflow's own runner.
          const isProven = pool === undefined && leftOut.has(each);
          const proof = isProven ? input.proofs?.get(whole) : undefined;
          packages.set(whole, {
            whole,
            workspace: name,
            dir: workspace.dir,
            script,
            command,
            step: undefined,
            pool,
            proof,
            why,
          });
        }
      }
    }
  }
  return {
    application,
    packages: [...packages.values()],
    skipped: [...skipped.values()],
  };
}

/**
 * Checks that a package has the script. A script that is misspelt, or that only the root has, would never run, and
 * every verdict would be green. A default script may be missing if there is an application suite.
 */
function assertScript(
  script: string,
  { workspaces, root, application }: CandidatesInput,
): void {
  const packages = workspaces.filter(({ name }) => name !== root);
  if (packages.length === 0) return;
  if (packages.some((each) => commandOf(each, script) !== undefined)) return;
  if (
    application.length > 0 &&
    defaultSettings.dispatch.scripts.includes(script)
  )
    return;
  const ofRoot = workspaces.find(({ name }) => name === root);
  const name = JSON.stringify(script);
  const meant = didYouMean(
    script,
    packages.flatMap(({ scripts }) => Object.keys(scripts)),
  );
  throw new Failure(`no package has a script called ${printable(name)}`, {
    exitCode: 2,
    place: { file: "skein.json" },
    hint:
      ofRoot && commandOf(ofRoot, script) !== undefined
        ? `the root has one: make it a step of the application suite, "dispatch": { "application": { ${printable(name)}: ${printable(name)} } }`
        : meant
          ? `${meant} "dispatch": { "scripts": […] } names them`
          : `name scripts that packages have, "dispatch": { "scripts": […] }`,
  });
}

function stepCandidate(
  step: ApplicationStep,
  name: string,
  workspaces: ReadonlyMap<string, Scripts>,
): Candidate {
  const { script } = step;
  const workspace = workspaces.get(name);
  if (!workspace)
    throw refuse(
      `the application step ${step.name} names the package ${printable(name)}, which does not exist`,
      didYouMean(name, workspaces.keys()),
    );
  const command = commandOf(workspace, script);
  if (command === undefined)
    throw refuse(
      `the application step ${step.name} names the script ${printable(script)}, which ${printable(name)} does not have`,
      didYouMean(script, Object.keys(workspace.scripts)),
    );
  return {
    whole: `${name}#${script}`,
    workspace: name,
    dir: workspace.dir,
    script,
    command,
    step,
    why: `step ${step.name} of the application suite, which runs whatever changed`,
  };
}

function commandOf({ scripts }: Scripts, script: string): string | undefined {
  return Object.hasOwn(scripts, script) ? scripts[script] : undefined;
}

/**
 * Returns the failure for a package in the answer that isn't on the disk. Otherwise it would silently remain untested.
 */
function stale(name: string): Failure {
  return new Failure(
    `${printable(name)} is affected, but is not in this workspace`,
    { hint: "run `affected` again for the commit that is checked out" },
  );
}

function unanswered(script: string): Failure {
  return new Failure(`no answer covers the script ${printable(script)}`, {
    hint: `add the output of: affected list --json --script ${printable(script)}`,
  });
}

function refuse(sentence: string, meant: string | undefined): Failure {
  return new Failure(sentence, {
    exitCode: 2,
    place: { file: "skein.json" },
    hint:
      meant ?? "name one of the workspace's packages and one of its scripts",
  });
}
