import { lstat } from "node:fs/promises";
import { join } from "node:path";
import {
  ExitCode,
  Failure,
  printable,
  readRegularText,
  type CliWorld,
} from "@skein/reporting";
import { setInJson } from "@skein/reporting/json-edit";
import { replaceFile } from "@skein/reporting/replace-file";
import {
  CONFIG_FILE,
  CONFIG_TEXT,
  POLICY_FILE,
  POLICY_TEXT,
} from "./constraints-text.js";
import { manifestOf } from "./members.js";
import { findViolations, type Violation } from "./policy.js";
import {
  renderVersions,
  versionsJson,
  type ConstraintsState,
  type Located,
} from "./render-versions.js";
import { surveyWorkspace, type WorkspaceOnDisk } from "./survey-workspace.js";

/** The parts of the tool that the command needs. */
export interface VersionsWorld extends Pick<CliWorld, "cwd" | "env"> {
  /** Prints words, and the same as one object for `--json`. */
  readonly print: (words: string, result: object) => void;
}

export interface VersionsOptions {
  readonly mode: "check" | "align";
  readonly dryRun: boolean;
  /** Whether to align across majors, too. */
  readonly majors: boolean;
}

/**
 * Runs `versions check` or `versions align`: compares the whole workspace with the policy of one version of each
 * dependency. `align` fixes manifests, and writes the policy as Yarn constraints if there are none.
 * @returns 1 if a dependency doesn't conform, or still doesn't after `align`
 * @throws {Failure} if there is no workspace
 * @throws the errors of `readProject` and `parseSettings` if the workspace or its skein.json can't be read
 */
export async function runVersions(
  world: VersionsWorld,
  options: VersionsOptions,
): Promise<number> {
  const workspace = await surveyWorkspace(world);
  const violations = await locate(workspace, findViolations(workspace));
  const isAlign = options.mode === "align";
  const aligned = violations.filter(
    ({ isMajor }) => isAlign && (options.majors || !isMajor),
  );
  const constraints = isAlign
    ? planConstraints(workspace)
    : { kind: "none" as const };
  if (isAlign && !options.dryRun) {
    const edits = await planEdits(workspace, aligned);
    if (constraints.kind !== "none" && constraints.writes.length > 0)
      for (const file of constraints.writes)
        edits.set(file, file === POLICY_FILE ? POLICY_TEXT : CONFIG_TEXT);
    for (const [path, text] of edits) {
      const file = join(workspace.root, path);
      await replaceFile(file, text, `${file}.skein-new`);
    }
  }
  const result = {
    options,
    workspaces: workspace.members.length,
    violations,
    aligned,
    constraints,
  };
  world.print(renderVersions(result), versionsJson(result));
  const left = options.dryRun
    ? violations.length
    : violations.length - aligned.length;
  return left === 0 ? ExitCode.Ok : ExitCode.Bad;
}

/** Decides which constraints to write or to print. Existing files are never changed. */
function planConstraints({ constraints }: WorkspaceOnDisk): ConstraintsState {
  const { config, policy, prolog, isYarn } = constraints;
  if (!isYarn) return { kind: "none" };
  const writes = policy ? [] : [POLICY_FILE];
  if (prolog && config === undefined) return { kind: "prolog", writes };
  if (config === undefined)
    return { kind: "written", writes: [...writes, CONFIG_FILE] };
  return config.includes(POLICY_FILE.replace(/\.cjs$/, ""))
    ? { kind: "kept", writes }
    : { kind: "to-add", writes };
}

/** Returns the new text of each manifest, before any is written. */
async function planEdits(
  { root }: WorkspaceOnDisk,
  aligned: readonly Violation[],
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const { member, field, ident, wanted } of aligned) {
    const path = manifestOf(member.dir);
    const before = texts.get(path) ?? (await readRegularText(join(root, path)));
    texts.set(path, setInJson(before, [field, ident], wanted));
  }
  for (const path of texts.keys()) {
    const stats = await lstat(join(root, path));
    if (!stats.isFile())
      throw new Failure(
        `${printable(path)} is not a regular file; nothing was written`,
        {
          hint: "run align on the file that the symlink points to",
        },
      );
  }
  return texts;
}

async function locate(
  { root }: WorkspaceOnDisk,
  violations: readonly Violation[],
): Promise<readonly Located[]> {
  const { parseTree, findNodeAtLocation } = await import("jsonc-parser");
  return Promise.all(
    violations.map(async (violation) => {
      const file = manifestOf(violation.member.dir);
      const text = await readRegularText(join(root, file));
      const tree = parseTree(text);
      const node =
        tree && findNodeAtLocation(tree, [violation.field, violation.ident]);
      const line = text.slice(0, node?.offset ?? 0).split("\n").length;
      return { ...violation, file, line };
    }),
  );
}
