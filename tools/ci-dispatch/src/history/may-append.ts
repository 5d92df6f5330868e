/**
 * Whether this run may write the history: a push to the default branch. Pure.
 * @param payload GitHub's event, as JSON
 * @returns why not, in words; undefined where it may
 */
export function mayAppend(
  env: Readonly<Record<string, string | undefined>>,
  payload: string,
): string | undefined {
  if (env["GITHUB_ACTIONS"] !== "true") return "this is no run of a workflow";
  const event = env["GITHUB_EVENT_NAME"] ?? "";
  if (event !== "push") return `this run is for the event ${event}`;
  const branch = defaultBranchOf(payload);
  if (branch === undefined) return "the event names no default branch";
  const ref = env["GITHUB_REF"] ?? "";
  return ref === `refs/heads/${branch}`
    ? undefined
    : `this run is for ${ref}, and the default branch is ${branch}`;
}

function defaultBranchOf(payload: string): string | undefined {
  try {
    const { repository } = JSON.parse(payload) as {
      repository?: { default_branch?: unknown } | null;
    };
    const branch = repository?.default_branch;
    return typeof branch === "string" && branch !== "" ? branch : undefined;
  } catch {
    return undefined;
  }
}
