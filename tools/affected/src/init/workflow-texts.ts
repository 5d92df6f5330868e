import { createHash } from "node:crypto";

/** Where the workflows of the release are. */
export const SKEIN = "skein-tools/skein";

/** The workflows that init writes: what they are called here, and at Skein. */
export const WORKFLOWS = {
  ci: "ci-dispatch.yml",
  reporter: "reporter.yml",
  metrics: "metrics.yml",
} as const;
export type WorkflowKind = keyof typeof WORKFLOWS;

export interface WorkflowOptions {
  /** Skein's version and commit. */
  readonly version: string;
  readonly pin: string;
  /** Name of the workflow that plans and judges. */
  readonly name: string;
  readonly defaultBranch: string;
  /** Inputs that differ from the defaults of ci-dispatch.yml. */
  readonly inputs: Readonly<Record<string, string>>;
}

/** Returns the text of a workflow, which calls Skein's, with a mark that tells whether somebody has changed it since. */
export function workflowText(
  kind: WorkflowKind,
  options: WorkflowOptions,
): string {
  const body = BODIES[kind](options);
  return `${MARK}${options.version}, by \`affected init\`, which updates it while it is unchanged. sha256: ${digest(body)}\n${body}`;
}

const MARK = "# Written for Skein ";

/** What init knows of a workflow file. */
export interface Written {
  /** Nobody has changed it since init wrote it. */
  readonly isUnchanged: boolean;
  /** The commit that it names; undefined where it names none. */
  readonly pin: string | undefined;
  /** The version beside the commit. */
  readonly version: string | undefined;
}

/** Returns what init knows of a workflow file; undefined of a file that it has not written. */
export function writtenBy(text: string): Written | undefined {
  const plain = text.replaceAll("\r\n", "\n");
  const end = plain.indexOf("\n") + 1;
  const head = plain.slice(0, end);
  if (!head.startsWith(MARK)) return undefined;
  const [, pin, version] =
    /uses: \S+\/\.github\/workflows\/\S+@([0-9a-f]{40}) # v(\S+)/.exec(plain) ??
    [];
  return {
    isUnchanged: head.includes(`sha256: ${digest(plain.slice(end))}`),
    pin,
    version,
  };
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

function calls(kind: WorkflowKind, { pin, version }: WorkflowOptions): string {
  return `uses: ${SKEIN}/.github/workflows/${WORKFLOWS[kind]}@${pin} # v${version}`;
}

const BODIES: Record<WorkflowKind, (options: WorkflowOptions) => string> = {
  ci: (options) => `name: ${yaml(options.name)}
on: { pull_request: {}, merge_group: {}, push: { branches: [${branch(options.defaultBranch)}] } }
permissions: {}
jobs:
  ci:
    permissions:
      { actions: read, contents: write, checks: write, pull-requests: write }
    ${calls("ci", options)}
${inputs(options.inputs)}`,
  reporter: (options) => `name: ${yaml(`${options.name} reporter`)}
# It runs the tool alone, without an install, and reads data.
on: { workflow_run: { workflows: [${yaml(options.name)}], types: [completed] } } # zizmor: ignore[dangerous-triggers]
permissions: {}
jobs:
  report:
    permissions:
      actions: read
      contents: read
      checks: write
      pull-requests: write
    ${calls("reporter", options)}
`,
  metrics: (options) => `name: ${yaml(`${options.name} metrics`)}
on: { schedule: [{ cron: "17 3 * * *" }], workflow_dispatch: {} }
permissions: {}
jobs:
  metrics:
    permissions:
      contents: write
      actions: read
      deployments: read
      pull-requests: read
      statuses: write
      pages: write
      id-token: write
    ${calls("metrics", options)}
    with: { fail-above: 120m }
`,
};

function inputs(given: Readonly<Record<string, string>>): string {
  const lines = Object.entries(given).map(
    ([name, value]) => `      ${name}: ${yaml(value)}\n`,
  );
  return lines.length === 0 ? "" : `    with:\n${lines.join("")}`;
}

/** A text as a YAML scalar: plain where nothing in it means anything, else in the quotes of JSON, which YAML reads. */
function yaml(text: string): string {
  return /^[A-Za-z][\w ./-]*$/.test(text) &&
    !/^(?:true|false|yes|no|on|off|null|y|n)$/i.test(text)
    ? text
    : JSON.stringify(text);
}

/** A branch as a filter of GitHub's: a pattern, in which these characters have a meaning. */
function branch(name: string): string {
  return yaml(name.replace(/[!+?*[\]\\]/g, "\\$&"));
}
