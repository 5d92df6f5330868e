import { ciOf } from "@skein/ci";
import type { Env } from "@skein/ci";

/** How the files of the attestations' folder came there. */
export const LAYOUTS = ["artifacts", "files"] as const;

/** Which job a file among the attestations can come from. */
export interface Layout {
  /**
   * - `artifacts`: actions/download-artifact has unpacked them, each artifact into a folder of its name. The workflow
   *   gives that name, so a file elsewhere can be anybody's.
   * - `files`: `exec` wrote them, or whoever collected them has looked at where they come from.
   */
  readonly kind: (typeof LAYOUTS)[number];
  /** What the names of the workflow's artifacts begin with. */
  readonly name: string;
}

/** The name of the workflow's artifacts and of its check, where nobody gives another one. */
export const DEFAULT_NAME = "ci-dispatch";

/** What holds where nobody says otherwise: `exec` and `verdict` share a folder. */
export const FILES: Layout = { kind: "files", name: DEFAULT_NAME };

/** Returns the layout that holds by default: in GitHub Actions, attestations arrive as artifacts. */
export function layoutOf(
  env: Env,
  {
    kind = ciOf(env).engine === "github-actions" ? "artifacts" : "files",
    name,
  }: { readonly kind?: Layout["kind"] | undefined; readonly name: string },
): Layout {
  return { kind, name };
}
