import { ciOf, type Env } from "@skein/ci";

/** The ways in which attestations arrive in their folder. */
export const LAYOUTS = ["artifacts", "files"] as const;

/** The layout of attestations, which determines the job that a file can come from. */
export interface Layout {
  /**
   * - `artifacts`: actions/download-artifact unpacked them, each artifact to a folder of its name. The workflow chooses
   * that name, so a file elsewhere can come from any job.
   * - `files`: `exec` wrote them, or their collector checked where they come from.
   */
  readonly kind: (typeof LAYOUTS)[number];
  /** The prefix of the names of the workflow's artifacts. */
  readonly name: string;
}

/** The default name of the workflow's artifacts and of its check. */
export const DEFAULT_NAME = "ci-dispatch";

/** The default layout: `exec` and `verdict` share a folder. */
export const FILES: Layout = { kind: "files", name: DEFAULT_NAME };

/** Returns the layout. By default, attestations arrive as artifacts in GitHub Actions, otherwise as files. */
export function layoutOf(
  env: Env,
  {
    kind = ciOf(env).engine === "github-actions" ? "artifacts" : "files",
    name,
  }: { readonly kind?: Layout["kind"] | undefined; readonly name: string },
): Layout {
  return { kind, name };
}
