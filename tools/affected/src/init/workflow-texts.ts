import { createHash } from "node:crypto";

/** The repository with the workflows of the release. */
export const SKEIN = "skein-tools/skein";

/** The workflows that init writes: our names for them, and their files in Skein's repository. */
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
  /** The name of the workflow that plans and judges. */
  readonly name: string;
  readonly defaultBranch: string;
  /** The inputs that differ from the defaults of ci-dispatch.yml. */
  readonly inputs: Readonly<Record<string, string>>;
}

/**
 * Returns the text of a workflow that calls Skein's. It begins with a mark, which shows whether the file was changed later.
 */
export function workflowText(
  kind: WorkflowKind,
  options: WorkflowOptions,
): string {
  const body = BODIES[kind](options);
  return `${MARK}${options.version}, by \`affected init\`, which updates it while it is unchanged. sha256: ${digest(body)}\n${body}`;
}

const MARK = "# Written for Skein ";

/** The properties of a workflow file that init wrote. */
export interface Written {
  /** Whether it has not changed since init wrote it. */
  readonly isUnchanged: boolean;
  /** The commit to which it is pinned; undefined if it contains none. */
  readonly pin: string | undefined;
  /** The version beside the commit. */
  readonly version: string | undefined;
}

/** Returns the properties of a workflow file that init wrote; undefined for any other file. */
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
# It runs only the tool, without an install, and reads data.
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

/**
 * Returns a text as a YAML scalar: plain if it has no special meaning, otherwise in JSON's quotes, which YAML supports.
 */
function yaml(text: string): string {
  return /^[A-Za-z][\w ./-]*$/.test(text) &&
    !/^(?:true|false|yes|no|on|off|null|y|n)$/i.test(text)
    ? text
    : JSON.stringify(text);
}

/** Returns a branch as a filter of GitHub. A filter is a pattern, in which these characters have a meaning. */
function branch(name: string): string {
  return yaml(name.replace(/[!+?*[\]\\]/g, "\\$&"));
}
