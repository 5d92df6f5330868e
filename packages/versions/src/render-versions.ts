import { count, printable } from "@skein/reporting";
import { CONFIG_FILE, LINES_TO_ADD, POLICY_FILE } from "./constraints-text.js";
import type { Violation } from "./policy.js";

/** A violation and its place. */
export interface Located extends Violation {
  readonly file: string;
  /** 1-based. */
  readonly line: number;
}

/** The state of the constraints; `writes` lists files that are new. */
export type ConstraintsState =
  /** The mode is `check`, or this isn't a workspace of Yarn 2 or newer. */
  | { readonly kind: "none" }
  | { readonly kind: "written"; readonly writes: readonly string[] }
  /** yarn.config.cjs has the policy already. */
  | { readonly kind: "kept"; readonly writes: readonly string[] }
  /** yarn.config.cjs is the project's own: people must add the lines. */
  | { readonly kind: "to-add"; readonly writes: readonly string[] }
  /** The rules are in Prolog, which Yarn would no longer read. */
  | { readonly kind: "prolog"; readonly writes: readonly string[] };

export interface VersionsResult {
  readonly options: {
    readonly mode: "check" | "align";
    readonly dryRun: boolean;
    readonly majors: boolean;
  };
  readonly workspaces: number;
  readonly violations: readonly Located[];
  /** The violations that `align` fixes. */
  readonly aligned: readonly Located[];
  readonly constraints: ConstraintsState;
}

/** Renders the result for people: a line for each violation, starting with file and line, as compilers do. */
export function renderVersions(result: VersionsResult): string {
  const { options, violations, aligned, workspaces } = result;
  const isAlign = options.mode === "align";
  const left = violations.filter((one) => !aligned.includes(one));
  const would = options.dryRun ? "would be " : "";
  const lines = [
    ...(isAlign ? aligned.map((one) => `${say(one)} (${would}aligned)`) : []),
    ...left.map(say),
    ...sayConstraints(result.constraints, options.dryRun),
    violations.length === 0
      ? `One version of each dependency in ${count(workspaces, "workspace")}.`
      : `${count(violations.length, "dependency differs", "dependencies differ")}${isAlign ? `; ${aligned.length} ${would}aligned` : ""}.`,
    ...hints(result, left),
  ];
  return `${lines.join("\n")}\n`;
}

function hints(
  { options, violations, aligned }: VersionsResult,
  left: readonly Located[],
): readonly string[] {
  const majors = left.filter(({ isMajor }) => isMajor).length;
  const isAlign = options.mode === "align";
  return [
    !isAlign &&
      violations.length > majors &&
      "hint: to change them: migrate-repo versions align",
    majors > 0 &&
      `hint: ${majors} of them ${majors === 1 ? "is a different major version" : "are different major versions"}: change them too with align --majors, or use a named catalog, or list them in skein.json (migrate.ownVersions)`,
    isAlign &&
      !options.dryRun &&
      aligned.length > 0 &&
      "hint: run `yarn install`, and the tests of changed packages",
  ].filter((hint) => hint !== false);
}

function say({
  file,
  line,
  kind,
  ident,
  range,
  wanted,
  meaning,
}: Located): string {
  const place = `${printable(file)}:${line}: ${printable(ident)}`;
  if (kind === "catalog-peer")
    return `${place} ${printable(range)} is a peer, and would be packed as \`*\`; its catalog has ${printable(meaning)}`;
  return `${place} ${printable(range)}, the workspace has ${printable(wanted)}${wanted === meaning ? "" : ` (${printable(meaning)})`}`;
}

function sayConstraints(
  state: ConstraintsState,
  dryRun: boolean,
): readonly string[] {
  if (state.kind === "none") return [];
  const done = dryRun ? "would be written" : "written";
  const written = state.writes.map((file) => `${file}: ${done}`);
  switch (state.kind) {
    case "written":
    case "kept":
      return written;
    case "to-add":
      return [
        ...written,
        `${CONFIG_FILE} is unchanged. To let \`yarn constraints\` enforce the policy, add to it:`,
        ...LINES_TO_ADD.map((line) => `  ${line}`),
      ];
    case "prolog":
      return [
        ...written,
        `constraints.pro is unchanged. No ${CONFIG_FILE} is written, because Yarn would then ignore the Prolog rules. Once you have moved them, add to it:`,
        ...LINES_TO_ADD.map((line) => `  ${line}`),
      ];
  }
}

/** Returns the result for programs. Version 1 may get new fields, but no field is changed or removed. */
export function versionsJson(result: VersionsResult): object {
  const { options, workspaces, violations, aligned, constraints } = result;
  return {
    version: 1,
    mode: options.mode,
    dryRun: options.dryRun,
    workspaces,
    violations: violations.map((one) => ({
      kind: one.kind,
      file: one.file,
      line: one.line,
      workspace: one.member.name,
      dependency: one.ident,
      field: one.field,
      range: one.range,
      wanted: one.wanted,
      meaning: one.meaning,
      major: one.isMajor,
      aligned: aligned.includes(one),
    })),
    constraints:
      constraints.kind === "none"
        ? { state: "none", files: [] }
        : { state: constraints.kind, files: constraints.writes },
    policyFile: POLICY_FILE,
  };
}
