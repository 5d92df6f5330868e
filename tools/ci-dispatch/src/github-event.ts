import type { Ci } from "@skein/ci";
import { readRegularText } from "@skein/reporting";

/** The members of GitHub's event that are used. Their values are untrusted, so they can be anything. */
export interface GitHubEvent {
  readonly repository?: { readonly default_branch?: unknown } | null;
  readonly merge_group?: { readonly base_ref?: unknown } | null;
  readonly commits?: unknown;
  readonly pull_request?: {
    readonly number?: unknown;
    readonly created_at?: unknown;
    readonly head?: {
      readonly ref?: unknown;
      readonly sha?: unknown;
      readonly repo?: { readonly full_name?: unknown } | null;
    } | null;
  } | null;
  readonly workflow_run?: {
    readonly id?: unknown;
    readonly event?: unknown;
    readonly conclusion?: unknown;
    readonly head_sha?: unknown;
    readonly head_branch?: unknown;
    readonly head_repository?: { readonly full_name?: unknown } | null;
  } | null;
}

/** Returns GitHub's event as JSON; empty if the engine has no such file, or if it can't be read. */
export async function eventPayload({
  event,
}: Pick<Ci, "event">): Promise<string> {
  return event.kind === "file"
    ? readRegularText(event.path).catch(() => "")
    : "";
}

/** Parses GitHub's event. Invalid JSON is treated as an event without members. */
export function parsePayload(payload: string): GitHubEvent {
  try {
    return (JSON.parse(payload) as GitHubEvent | null) ?? {};
  } catch {
    return {};
  }
}

/** Returns a text of the event; empty for any other value. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
